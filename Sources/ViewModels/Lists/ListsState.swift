public import NostrClient
public import NostrCore
public import NostrNIPs

/// All of one's lists, with how much is on each.
public struct ListsState: Screen {
    /// Lists under one heading.
    public struct Section: Hashable, Sendable {
        /// Where they stand.
        public let shelf: ListSort.Shelf
        /// The lists.
        public let rows: [Row]
    }

    /// One list.
    public struct Row: Hashable, Sendable, Identifiable {
        /// What kind of list.
        public let sort: ListSort
        /// Which of them; empty for kinds of which one has one.
        public let identifier: String
        /// What it is called.
        public let title: String
        /// Entries everybody can see.
        public let publicCount: Int
        /// Entries only oneself can see; `nil` when they cannot be read now.
        public let privateCount: Int?
        /// Whether the private part is there and damaged or for another key.
        public let isUnreadable: Bool
        /// Entries Linnet does not know.
        public let unknown: Int
        /// When it last changed; `nil` for one that does not exist.
        public let changedAt: Timestamp?

        public var id: String { "\(sort.kind.rawValue):\(identifier)" }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The lists.
    public private(set) var sections: [Section] = []
    /// What was filled in to make a new set.
    public private(set) var newTitle = ""
    /// What is wrong with it.
    public private(set) var problem: String?
    /// The set that was made.
    public private(set) var made: EventAddress?

    /// The most characters of a set's name.
    public static let longestTitle = 100

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The lists came.
        case read([PersonalList])
        /// Make a new set.
        case make(Kind, title: String, summary: String)
        /// It was made.
        case made(EventAddress?)
        /// Reading or making failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read all lists.
        case read
        /// Make a set.
        case make(Kind, title: String, summary: String)
    }

    /// A page not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let lists):
            phase = .ready
            sections = Self.sections(of: lists)
            return []
        case .make(let kind, let title, let summary):
            newTitle = oneLine(title, limit: Self.longestTitle)
            problem = newTitle.isEmpty ? "Give the list a name." : nil
            if ListSort.sets.allSatisfy({ $0.kind != kind }) { problem = "Choose what kind of list it is." }
            guard problem == nil else { return [] }
            return [.make(kind, title: newTitle, summary: oneLine(summary, limit: 300))]
        case .made(let address):
            made = address
            return []
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        }
    }

    private static func sections(of lists: [PersonalList]) -> [Section] {
        let known =
            ListSort.all + Set(lists.map(\.address.kind)).sorted().map(ListSort.of).filter { $0.shelf == .other }
        let rows = known.flatMap { sort -> [Row] in
            let found = lists.filter { $0.address.kind == sort.kind }
                .sorted { ($0.title, $0.address.identifier) < ($1.title, $1.address.identifier) }
            if found.isEmpty, sort.isOffered, !sort.isSet {
                return [Row(sort)]
            }
            return found.map { Row($0, sort) }
        }
        return ListSort.Shelf.allCases.compactMap { shelf in
            let own = rows.filter { $0.sort.shelf == shelf }
            return own.isEmpty ? nil : Section(shelf: shelf, rows: own)
        }
    }
}

extension ListsState.Row {
    fileprivate init(_ sort: ListSort) {
        self.sort = sort
        identifier = ""
        title = sort.title
        publicCount = 0
        privateCount = 0
        isUnreadable = false
        unknown = 0
        changedAt = nil
    }

    fileprivate init(_ list: PersonalList, _ sort: ListSort) {
        self.sort = sort
        identifier = list.address.identifier
        title = list.shownTitle
        publicCount = list.publicItems.count
        privateCount = [.locked, .unreadable].contains(list.privatePart) ? nil : list.privateItems.count
        isUnreadable = list.privatePart == .unreadable
        unknown = list.unknownEntries
        changedAt = list.changedAt
    }
}

extension PersonalList {
    /// What to call it: its title, else its identifier, else the kind's name.
    var shownTitle: String {
        let sort = ListSort.of(address.kind)
        guard sort.isSet else { return sort.title }
        let title = oneLine(title, limit: ListsState.longestTitle)
        if !title.isEmpty { return title }
        let identifier = oneLine(address.identifier, limit: ListsState.longestTitle)
        return identifier.isEmpty ? "Unnamed \(sort.title.lowercased())" : identifier
    }
}

extension ScreenModel where S == ListsState {
    /// All lists of an account.
    public init(listsOf account: any Account) {
        self.init(ListsState()) { effect in
            do {
                guard let lists = account.lists else { throw Trouble.noLists }
                switch effect {
                case .read: return .read(try await lists.lists())
                case .make(let kind, let title, let summary):
                    return .made(try await lists.makeSet(kind, title: title, summary: summary).address)
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

extension Trouble {
    static let noLists = Trouble("This account can only read: it has no lists of its own here.", canRetry: false)
}
