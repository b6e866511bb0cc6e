public import NostrCore

extension [Tag] {
    /// When the event stops being worth keeping; `nil` without a well-formed `expiration` tag.
    ///
    /// Source: NIP-40.
    public var expiration: Timestamp? {
        first { $0.name == "expiration" }?[1].flatMap { Int64(decimal: $0) }.map(Timestamp.init(seconds:))
    }

    /// Whether the expiration has passed; the moment itself counts as passed.
    public func isExpired(now: Timestamp) -> Bool {
        expiration.map { $0 <= now } ?? false
    }
}

extension Tag {
    /// Asks relays and clients to drop the event at a moment.
    ///
    /// Source: NIP-40.
    public static func expiration(_ moment: Timestamp) -> Tag {
        ["expiration", String(moment.seconds)]
    }
}
