public import NostrClient
public import NostrCore
public import NostrNIPs

/// Something the account published of which several versions are known.
public struct HistoryRow: Hashable, Sendable, Identifiable {
    /// What it is.
    public let address: EventAddress
    /// What it is called.
    public let title: String
    /// How many versions are known.
    public let versions: Int
    /// When the newest was made.
    public let newest: Timestamp

    public var id: EventAddress { address }

    init(_ summary: HistorySummary) {
        address = summary.address
        title = historyTitle(of: summary.address)
        versions = summary.versions
        newest = summary.newest
    }
}

/// The versions of one thing, newest first, each compared with the one before it.
public struct VersionsPage: Equatable, Sendable {
    /// One version.
    public struct Row: Hashable, Sendable, Identifiable {
        /// The event.
        public let id: EventID
        /// When it was made, by its maker's clock.
        public let madeAt: Timestamp
        /// Whether it is in force.
        public let isCurrent: Bool
        /// What it changed.
        public let words: ChangeWords
        /// How many public entries it has; `nil` for a profile.
        public let entries: Int?
        /// Whether its private part cannot be read now.
        public let isClosed: Bool
    }

    /// Of what.
    public let address: EventAddress
    /// The versions.
    public let rows: [Row]

    /// What it is called.
    public var title: String { historyTitle(of: address) }

    /// Compares each version with the one before it.
    public init(_ versions: [EventVersion], of address: EventAddress) {
        self.address = address
        rows = zip(versions, versions.dropFirst().map(Optional.some) + [nil]).map(Row.init)
    }
}

extension VersionsPage.Row {
    fileprivate init(_ version: EventVersion, older: EventVersion?) {
        id = version.id
        madeAt = version.event.createdAt
        isCurrent = version.isCurrent
        words = changeWords(version.change, from: older?.event, to: version.event)
        entries = version.event.kind == 0 ? nil : version.event.tags.count { ListItem(tag: $0) != nil }
        isClosed = [.locked, .unreadable].contains(version.privatePart)
    }
}

extension HistoryRow {
    /// Everything of which several versions are known.
    public static func load(of account: any Account) async throws(Trouble) -> [HistoryRow] {
        try await troubled { try await earlierVersions(of: account).histories().map(HistoryRow.init) }
    }
}

extension VersionsPage {
    /// The versions of one thing.
    public static func load(
        _ kind: Kind, identifier: String, of account: any Account
    ) async throws(Trouble) -> VersionsPage {
        let address = EventAddress(kind: kind, author: account.publicKey, identifier: identifier)
        return try await troubled {
            VersionsPage(try await earlierVersions(of: account).versions(of: address), of: address)
        }
    }

    /// Publishes an earlier version again, as the newest.
    ///
    /// - Throws: a ``Trouble`` when it is not among the versions, or in force already.
    public func restore(_ id: EventID, of account: any Account) async throws(Trouble) {
        guard let row = rows.first(where: { $0.id == id }) else { throw Trouble(HistoryWords.versionMissing) }
        guard !row.isCurrent else { throw Trouble(HistoryWords.inForceAlready) }
        try await troubled { _ = try await earlierVersions(of: account).restore(id) }
    }
}

/// Where the earlier versions of what an account published are kept.
private func earlierVersions(of account: any Account) throws(Trouble) -> any VersionHistory {
    guard let history = account.history else { throw Trouble(HistoryWords.noVersions, canRetry: false) }
    return history
}
