public import NostrCore

extension Event {
    /// Whether this event comes before another wherever events are listed: newest first, ties by lower id first.
    ///
    /// Source: NIP-01, `limit`.
    public func isListed(before other: Event) -> Bool {
        createdAt != other.createdAt ? createdAt > other.createdAt : id < other.id
    }

    /// Whether this version of a replaceable or addressable event takes the place of another at the same address.
    ///
    /// The newer one wins, and among equally new ones the lower id. Source: NIP-01, "Kinds".
    public func replaces(_ other: Event) -> Bool {
        isListed(before: other)
    }
}
