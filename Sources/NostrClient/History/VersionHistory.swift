public import NostrCore
public import NostrNIPs

/// Every version of the account's own profile, lists and other replaceable events that was ever seen here, as screens
/// need them.
public protocol VersionHistory: Sendable {
    /// What there are versions of, the one changed last first.
    func histories() async throws -> [HistorySummary]
    /// All versions of one address, newest first.
    func versions(of address: EventAddress) async throws -> [EventVersion]
    /// Publishes an earlier version again, as the newest.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    func restore(_ id: EventID) async throws -> Event
}
