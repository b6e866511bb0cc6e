public import NostrClient
public import NostrCore
public import NostrNIPs

/// Versions that a test put there.
public actor FakeHistory: VersionHistory {
    private var kept: [EventAddress: [EventVersion]] = [:]
    /// Thrown by restoring, when set.
    public var refusal: (any Error)?
    /// What was restored, in order.
    public private(set) var restored: [EventID] = []

    /// No versions yet.
    public init() {}

    /// Sets what restoring throws.
    public func refuse(with error: (any Error)?) { refusal = error }
    /// Puts versions there, newest first.
    public func put(_ versions: [EventVersion], of address: EventAddress) { kept[address] = versions }

    public func histories() -> [HistorySummary] {
        kept.compactMap { address, versions in
            versions.first.map {
                HistorySummary(address: address, versions: versions.count, newest: $0.event.createdAt)
            }
        }.sorted { $0.newest > $1.newest }
    }

    public func versions(of address: EventAddress) -> [EventVersion] { kept[address] ?? [] }

    public func restore(_ id: EventID) throws -> Event {
        if let refusal { throw refusal }
        guard let version = kept.values.joined().first(where: { $0.id == id }) else {
            throw AccountError(.unknownVersion)
        }
        restored.append(id)
        return version.event
    }
}
