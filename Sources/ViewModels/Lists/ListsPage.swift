public import NostrClient
public import NostrCore
public import NostrNIPs

/// All lists of the account, with how much is on each.
public struct ListsPage: Equatable, Sendable {
    /// Lists under one heading.
    public struct Section: Hashable, Sendable {
        /// Where they stand.
        public let category: ListSort.Category
        /// The lists.
        public let rows: [Row]
    }

    /// One list.
    public struct Row: Hashable, Sendable, Identifiable {
        /// What kind of list.
        public let sort: ListSort
        /// Which of them; empty for kinds of which an account has a single list.
        public let identifier: String
        /// What it is called.
        public let title: String
        /// Entries everybody can see.
        public let publicCount: Int
        /// Entries nobody else can see; `nil` when they cannot be read now.
        public let privateCount: Int?
        /// Whether the private part is there and damaged or for another key.
        public let isUnreadable: Bool
        /// Entries Linnet does not know.
        public let unknown: Int
        /// When it last changed; `nil` for one that does not exist.
        public let changedAt: Timestamp?

        public var id: String { "\(sort.kind.rawValue):\(identifier)" }
    }

    /// The lists under their headings.
    public let sections: [Section]

    /// The longest title of a list, in characters.
    public static let longestTitle = 100

    /// Sorts that are offered stand there without a list, too; headings without either are left out.
    public init(_ lists: [PersonalList]) { sections = Self.sections(of: lists) }

    fileprivate static func sections(of lists: [PersonalList]) -> [Section] {
        let known =
            ListSort.all + Set(lists.map(\.address.kind)).sorted().map(ListSort.of).filter { $0.category == .other }
        let rows = known.flatMap { sort -> [Row] in
            let found = lists.filter { $0.address.kind == sort.kind }
                .sorted { ($0.title, $0.address.identifier) < ($1.title, $1.address.identifier) }
            if found.isEmpty, sort.isOffered, !sort.isSet {
                return [Row(sort)]
            }
            return found.map { Row($0, sort) }
        }
        return ListSort.Category.allCases.compactMap { category in
            let own = rows.filter { $0.sort.category == category }
            return own.isEmpty ? nil : Section(category: category, rows: own)
        }
    }
}

extension ListsPage.Row {
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
        let title = oneLine(title, limit: ListsPage.longestTitle)
        if !title.isEmpty { return title }
        let identifier = oneLine(address.identifier, limit: ListsPage.longestTitle)
        return identifier.isEmpty ? ListWords.unnamed(sort.title) : identifier
    }
}

extension ListsPage {
    /// All lists.
    public static func load(of account: any Account) async throws(Trouble) -> ListsPage {
        try await troubled { ListsPage(try await openLists(account).lists()) }
    }

    /// Makes a set.
    ///
    /// - Throws: a ``Trouble`` when it has no name, or is of a kind that has none.
    public static func makeSet(
        _ kind: Kind, title: String, summary: String, of account: any Account
    ) async throws(Trouble) -> EventAddress? {
        let title = oneLine(title, limit: longestTitle)
        guard ListSort.sets.contains(where: { $0.kind == kind }) else { throw Trouble(ListWords.chooseKind) }
        guard !title.isEmpty else { throw Trouble(ListWords.nameMissing) }
        return try await troubled {
            try await openLists(account).makeSet(kind, title: title, summary: oneLine(summary, limit: 300)).address
        }
    }
}

/// The lists of an account that has a key.
func openLists(_ account: any Account) throws(Trouble) -> any ListKeeping {
    guard let lists = account.lists else { throw Trouble(ListWords.noLists, canRetry: false) }
    return lists
}
