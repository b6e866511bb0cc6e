internal import NostrCore
internal import NostrNIPs

extension LiveAccount {
    public nonisolated var history: (any VersionHistory)? { versions == nil ? nil : OwnHistory(account: self) }
}

/// The earlier versions of an account at work.
struct OwnHistory: VersionHistory {
    let account: LiveAccount

    func histories() async throws -> [HistorySummary] { try await account.histories() }

    func versions(of address: EventAddress) async throws -> [EventVersion] {
        try await account.versionList(of: address)
    }

    func restore(_ id: EventID) async throws -> Event { try await account.restore(id) }
}
