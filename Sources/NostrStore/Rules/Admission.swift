package import NostrCore
internal import NostrNIPs

extension Event {
    /// What a store must do with this event whatever it already holds; `nil` when that depends on what it holds.
    ///
    /// An ephemeral event is passed on even when expired: NIP-40 leaves those alone.
    package func outcomeWithoutStore(now: Timestamp) -> SaveOutcome? {
        if kind.retention == .ephemeral { return .ephemeral }
        if tags.isExpired(now: now) { return .expired }
        return nil
    }
}
