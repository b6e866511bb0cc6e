public import NostrClient
public import NostrCore
public import NostrNIPs

/// What there are earlier versions of.
public struct HistoryState: Screen {
    /// One thing with a history.
    public struct Row: Hashable, Sendable, Identifiable {
        /// Where its newest version is found.
        public let address: EventAddress
        /// What it is called.
        public let title: String
        /// How many versions are here.
        public let versions: Int
        /// When the newest one was made.
        public let newest: Timestamp

        public var id: EventAddress { address }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The histories, the one changed last first.
    public private(set) var rows: [Row] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The histories came.
        case read([HistorySummary])
        /// Reading failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the histories.
        case read
    }

    /// A page not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let summaries):
            phase = .ready
            rows = summaries.map {
                Row(
                    address: $0.address, title: historyTitle(of: $0.address), versions: $0.versions, newest: $0.newest)
            }
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }
}

/// The versions of one thing.
public struct VersionsState: Screen {
    /// One version.
    public struct Row: Hashable, Sendable, Identifiable {
        /// Its event.
        public let id: EventID
        /// When it was made.
        public let madeAt: Timestamp
        /// Whether it is in force.
        public let isCurrent: Bool
        /// What it changed.
        public let words: ChangeWords
        /// How many entries everybody can see are on it; `nil` for what is no list.
        public let entries: Int?
        /// Whether it has a private part that cannot be read now.
        public let isClosed: Bool
    }

    /// What it is about.
    public let address: EventAddress
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The versions, newest first.
    public private(set) var rows: [Row] = []
    /// What is wrong.
    public private(set) var problem: String?
    /// Whether a version was restored.
    public private(set) var isRestored = false

    /// What it is called.
    public var title: String { historyTitle(of: address) }

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The versions came.
        case read([EventVersion])
        /// Publish an earlier version again.
        case restore(EventID)
        /// It is published.
        case restored
        /// Reading or restoring failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the versions.
        case read
        /// Publish a version again.
        case restore(EventID)
    }

    /// A page not opened yet.
    public init(_ address: EventAddress) {
        self.address = address
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let versions):
            phase = .ready
            rows = zip(versions, versions.dropFirst().map(Optional.some) + [nil]).map(Row.init)
            return []
        case .restore(let id):
            problem = nil
            guard let row = rows.first(where: { $0.id == id }) else {
                problem = "This version is not here."
                return []
            }
            if row.isCurrent { problem = "This version is in force already." }
            return row.isCurrent ? [] : [.restore(id)]
        case .restored:
            isRestored = true
            return []
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        }
    }
}

extension VersionsState.Row {
    fileprivate init(_ version: EventVersion, older: EventVersion?) {
        id = version.id
        madeAt = version.event.createdAt
        isCurrent = version.isCurrent
        words = changeWords(version.change, from: older?.event, to: version.event)
        entries = version.event.kind == 0 ? nil : version.event.tags.count { ListItem(tag: $0) != nil }
        isClosed = [.locked, .unreadable].contains(version.privatePart)
    }
}

extension ScreenModel where S == HistoryState {
    /// The histories of an account.
    public init(historiesOf account: any Account) {
        self.init(HistoryState()) { _ in
            do { return .read(try await account.kept.histories()) } catch { return .failed(Trouble(error)) }
        }
    }
}

extension ScreenModel where S == VersionsState {
    /// The versions of one thing of an account.
    public init(versionsOf address: EventAddress, of account: any Account) {
        self.init(VersionsState(address)) { effect in
            do {
                switch effect {
                case .read: return .read(try await account.kept.versions(of: address))
                case .restore(let id):
                    _ = try await account.kept.restore(id)
                    return .restored
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

extension Account {
    fileprivate var kept: any VersionHistory {
        get throws {
            guard let history else { throw Trouble("No earlier versions are kept for this account.", canRetry: false) }
            return history
        }
    }
}

extension Desk {
    /// What there are earlier versions of.
    public func histories() -> ScreenModel<HistoryState> { ScreenModel(historiesOf: account) }
    /// The versions of one thing of one's own.
    public func versions(_ kind: Kind, identifier: String) -> ScreenModel<VersionsState> {
        ScreenModel(versionsOf: EventAddress(kind: kind, author: own, identifier: identifier), of: account)
    }
}
