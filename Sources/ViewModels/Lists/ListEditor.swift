public import NostrClient
public import NostrCore
public import NostrNIPs

/// One list, and what was done to it.
public struct ListEditor: Equatable, Sendable {
    /// What kind of list.
    public let sort: ListSort
    /// The number of the first entry shown, in both parts.
    public let start: Int
    private let list: PersonalList
    /// The entries shown of what everybody can see.
    public private(set) var publicEntries: [ListEntry] = []
    /// The entries shown of what only its owner can see.
    public private(set) var privateEntries: [ListEntry] = []
    /// What was filled in to be added.
    public private(set) var written = Written()
    /// People of the name that was written, to choose from.
    public private(set) var candidates: [PersonItem] = []
    /// What is wrong.
    public private(set) var problem: String?
    /// What was done, in one sentence.
    public private(set) var done: String?
    /// What undoes it.
    public private(set) var undo: Undo?
    /// Whether the set is gone.
    public private(set) var isDeleted = false

    /// What undoes a change.
    public enum Undo: Hashable, Sendable {
        /// Put a thing on the list, or into the other part.
        case put(ListItem, isPrivate: Bool)
        /// Take a thing off.
        case remove(ListItem)
    }

    /// What was filled in to be added.
    public struct Written: Hashable, Sendable {
        /// The text.
        public var text = ""
        /// What its writer says it is.
        public var sort: ListSort.EntrySort?
        /// Whether only the person who adds it shall see it.
        public var isPrivate = true
        /// People picked while writing, by name.
        public var people: [String: PublicKey] = [:]

        /// What a form brought; an entry is private unless said otherwise.
        public init(
            text: String = "", sort: ListSort.EntrySort? = nil, isPrivate: Bool = true,
            people: [String: PublicKey] = [:]
        ) {
            self.text = text
            self.sort = sort
            self.isPrivate = isPrivate
            self.people = people
        }
    }

    /// How many entries of each part one page shows.
    public static let pageSize = 100

    /// What a form asks for.
    public enum Change: Equatable, Sendable {
        /// Add what was filled in.
        case add(Written)
        /// Take an entry off.
        case remove(ListItem)
        /// Show an entry to all, or hide it from all.
        case move(ListItem, toPrivate: Bool)
        /// Name a set.
        case rename(title: String, summary: String)
        /// Delete a set.
        case delete
    }

    init(_ list: PersonalList, from start: Int) {
        self.list = list
        self.start = start
        sort = ListSort.of(list.address.kind)
        written.isPrivate = !sort.isPublicOnly
    }

    /// Reads a list, and what one page shows of it.
    ///
    /// - Parameter start: the number of the first entry to show, in both parts.
    public static func load(
        _ address: EventAddress, from start: Int = 0, of account: any Account
    ) async throws(Trouble) -> ListEditor {
        let list = try await troubled {
            try await openLists(account).list(address.kind, identifier: address.identifier)
        }
        var editor = ListEditor(list, from: max(0, start))
        let page = { (items: [ListItem]) in Array(items.dropFirst(editor.start).prefix(pageSize)) }
        // The one list that names who is muted.
        let evenMuted = address.kind == .muteList
        editor.publicEntries = await listEntries(
            page(list.publicItems), isPrivate: false, evenMuted: evenMuted, of: account)
        editor.privateEntries = await listEntries(
            page(list.privateItems), isPrivate: true, evenMuted: evenMuted, of: account)
        return editor
    }

    /// Whose list.
    public var address: EventAddress { list.address }
    /// What it is called.
    public var title: String { list.shownTitle }
    /// The name its owner gave it; for sets.
    public var name: String { list.title }
    /// What it is about.
    public var summary: String { list.summary }
    /// Entries everybody can see.
    public var publicCount: Int { list.publicItems.count }
    /// Entries only its owner can see, as far as they can be read.
    public var privateCount: Int { list.privateItems.count }
    /// Whether the private part is closed while the key is locked.
    public var isLocked: Bool { list.privatePart == .locked }
    /// Whether it can be read as a feed.
    public var canBeRead: Bool {
        FeedChoice.offered.contains(list.address.kind) && !(list.publicItems + list.privateItems).isEmpty
    }
    /// Whether the private part is damaged or for another key.
    public var isUnreadable: Bool { list.privatePart == .unreadable }
    /// Entries Linnet does not know.
    public var unknownCount: Int { list.unknownEntries }
    /// Whether entries can be added, taken off and moved.
    public var canChange: Bool { !sort.takes.isEmpty && list.privatePart != .unreadable }
    /// Where the next entries begin; `nil` at the end.
    public var next: Int? {
        start + Self.pageSize < max(list.publicItems.count, list.privateItems.count) ? start + Self.pageSize : nil
    }

    /// Changes the list as a form asks.
    ///
    /// Afterwards ``done`` or ``isDeleted`` says what was done, or ``problem`` why nothing was.
    public mutating func perform(_ change: Change, of account: any Account) async {
        problem = nil
        do {
            switch change {
            case .add(let written): try await add(written, account)
            case .remove(let item):
                let isPrivate = list.privateItems.contains { $0.isSameThing(as: item) }
                try await apply(.remove(item), ListWords.removed, undo: .put(item, isPrivate: isPrivate), account)
            case .move(let item, let toPrivate): try await move(item, toPrivate: toPrivate, account)
            case .rename(let title, let summary): try await rename(title, summary, account)
            case .delete:
                guard sort.isSet else { throw Trouble(ListWords.onlySets) }
                _ = try await openLists(account).deleteSet(address.kind, identifier: address.identifier)
                isDeleted = true
            }
        } catch {
            problem = Trouble(error).sentence
        }
    }

    private mutating func move(_ item: ListItem, toPrivate: Bool, _ account: any Account) async throws {
        guard !(toPrivate && sort.isPublicOnly), toPrivate || !sort.isPrivateOnly else { return }
        try await apply(
            .add(item, isPrivate: toPrivate), toPrivate ? ListWords.madePrivate : ListWords.madePublic,
            undo: .put(item, isPrivate: !toPrivate), account)
    }

    private mutating func rename(_ title: String, _ summary: String, _ account: any Account) async throws {
        let title = oneLine(title, limit: ListsPage.longestTitle)
        guard sort.isSet, !title.isEmpty else { throw Trouble(ListWords.nameMissing) }
        let edit = ListEdit.rename(title: title, summary: oneLine(summary, limit: 300))
        try await apply(edit, ListWords.saved, undo: nil, account)
    }

    private mutating func add(_ written: Written, _ account: any Account) async throws {
        self.written = written
        if sort.isPublicOnly { self.written.isPrivate = false }
        if sort.isPrivateOnly { self.written.isPrivate = true }
        switch WrittenEntry(written.text, for: sort, as: written.sort) {
        case .item(let item): try await add(item, account)
        case .name(let name):
            var key = written.people[name]
            if key == nil {
                key = try choose(among: try await account.people.matching(name, limit: 8).map(PersonItem.init))
            }
            if let key { try await add(.person(ProfilePointer(key: key), petname: nil), account) }
        case .wrong(let sentence): throw Trouble(sentence)
        }
    }

    private mutating func add(_ item: ListItem, _ account: any Account) async throws {
        let undo: Undo? = list.contains(item) ? nil : .remove(item)
        try await apply(.add(item, isPrivate: written.isPrivate), ListWords.added, undo: undo, account)
    }

    /// The one person of the name that was written; when there are several, their reader is to choose.
    mutating func choose(among people: [PersonItem]) throws(Trouble) -> PublicKey {
        guard let only = people.first else {
            throw Trouble(ListWords.nobody(called: oneLine(written.text, limit: 50)))
        }
        guard people.count > 1 else { return only.key }
        candidates = people
        throw Trouble(ListWords.several)
    }

    private mutating func apply(
        _ edit: ListEdit, _ sentence: String, undo: Undo?, _ account: any Account
    ) async throws {
        _ = try await openLists(account).change(address.kind, identifier: address.identifier, edit)
        self.undo = undo
        guard let item = edit.item else {
            done = sentence
            return
        }
        let evenMuted = address.kind == .muteList
        let entry = await listEntries([item], isPrivate: false, evenMuted: evenMuted, of: account).first
        done = ListWords.about(entry?.text, sentence)
    }
}

extension PersonalList {
    /// Whether a thing is on the list, in either part.
    func contains(_ item: ListItem) -> Bool {
        (publicItems + privateItems).contains { $0.isSameThing(as: item) }
    }
}

extension ListEdit {
    /// What it is about; `nil` when it is about the list itself.
    fileprivate var item: ListItem? {
        switch self {
        case .add(let item, _), .remove(let item): item
        case .rename: nil
        }
    }
}
