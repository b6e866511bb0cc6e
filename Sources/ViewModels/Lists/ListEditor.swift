public import NostrClient
public import NostrCore
public import NostrNIPs

/// One list under the pen.
public struct ListEditor: Screen {
    /// Whose list.
    public let address: EventAddress
    /// What kind of list.
    public let sort: ListSort
    /// The number of the first entry shown, in both parts.
    public let start: Int
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The list as it was read.
    private(set) var list: PersonalList
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
        /// Whether only oneself shall see it.
        public var isPrivate = true
        /// People picked while writing, by name.
        public var people: [String: PublicKey] = [:]

        /// Takes all.
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

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The list came, with what the page shows of it.
        case read(PersonalList, public: [ListEntry], private: [ListEntry])
        /// Add what was filled in.
        case add(Written)
        /// People of the name that was filled in.
        case found([PersonItem])
        /// Take an entry off.
        case remove(ListItem)
        /// Show an entry to all, or hide it from all.
        case move(ListItem, toPrivate: Bool)
        /// Name a set.
        case rename(title: String, summary: String)
        /// Delete a set.
        case delete
        /// It is done.
        case changed(String, undo: Undo?)
        /// The set is gone.
        case deleted
        /// Reading or changing failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the list and what one page shows of it.
        case read(from: Int)
        /// Look for people.
        case findPeople(String)
        /// Change the list.
        case change(ListEdit, saying: String, undo: Undo?)
        /// Delete the set.
        case delete
    }

    /// A list not read yet.
    public init(_ address: EventAddress, from start: Int = 0) {
        self.address = address
        self.start = max(0, start)
        sort = ListSort.of(address.kind)
        list = PersonalList(address: address)
        written.isPrivate = !sort.isPublicOnly
    }

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

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            return [.read(from: start)]
        case .read(let list, let shown, let hidden):
            phase = .ready
            self.list = list
            publicEntries = shown
            privateEntries = hidden
            return []
        case .found(let people):
            return choose(among: people)
        case .changed(let sentence, let undo):
            done = sentence
            self.undo = undo
            return []
        case .deleted:
            isDeleted = true
            return []
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        case .add, .remove, .move, .rename, .delete:
            problem = nil
            return change(input)
        }
    }

    private mutating func change(_ input: Input) -> [Effect] {
        switch input {
        case .add(let written):
            self.written = written
            if sort.isPublicOnly { self.written.isPrivate = false }
            return add()
        case .remove(let item):
            let isPrivate = list.privateItems.contains { $0.isSameThing(as: item) }
            return [
                .change(
                    .remove(item), saying: ListWords.removed, undo: .put(item, isPrivate: isPrivate))
            ]
        case .move(let item, let toPrivate):
            guard !(toPrivate && sort.isPublicOnly) else { return [] }
            let words =
                toPrivate ? ListWords.madePrivate : ListWords.madePublic
            return [
                .change(
                    .add(item, isPrivate: toPrivate), saying: words,
                    undo: .put(item, isPrivate: !toPrivate))
            ]
        case .rename(let title, let summary):
            let title = oneLine(title, limit: ListsPage.longestTitle)
            guard sort.isSet, !title.isEmpty else { return refuse(ListWords.nameMissing) }
            return [
                .change(
                    .rename(title: title, summary: oneLine(summary, limit: 300)), saying: ListWords.saved, undo: nil)
            ]
        case .delete:
            return sort.isSet ? [.delete] : refuse(ListWords.onlySets)
        default: return []
        }
    }

    private mutating func add() -> [Effect] {
        switch WrittenEntry(written.text, for: sort, as: written.sort) {
        case .item(let item): return [adding(item)]
        case .name(let name):
            if let key = written.people[name] { return [adding(.person(ProfilePointer(key: key), petname: nil))] }
            return [.findPeople(name)]
        case .wrong(let sentence): return refuse(sentence)
        }
    }

    private func adding(_ item: ListItem) -> Effect {
        let undo: Undo? = list.contains(item) ? nil : .remove(item)
        return .change(
            .add(item, isPrivate: written.isPrivate), saying: ListWords.added, undo: undo)
    }

    private mutating func choose(among people: [PersonItem]) -> [Effect] {
        let name = oneLine(written.text, limit: 50)
        guard let only = people.first else { return refuse(ListWords.nobody(called: name)) }
        if people.count == 1 { return [adding(.person(ProfilePointer(key: only.key), petname: nil))] }
        candidates = people
        return refuse(ListWords.several)
    }

    private mutating func refuse(_ sentence: String) -> [Effect] {
        problem = sentence
        return []
    }
}

extension PersonalList {
    /// Whether a thing is on the list, in either part.
    func contains(_ item: ListItem) -> Bool {
        (publicItems + privateItems).contains { $0.isSameThing(as: item) }
    }
}

extension ScreenModel where S == ListEditor {
    /// One list of an account.
    public init(list address: EventAddress, from start: Int = 0, of account: any Account) {
        self.init(ListEditor(address, from: start)) { effect in
            do {
                guard let lists = account.lists else { throw Trouble.noLists }
                return try await perform(effect, on: address, lists, account)
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

private func perform(
    _ effect: ListEditor.Effect, on address: EventAddress, _ lists: any ListKeeping, _ account: any Account
) async throws -> ListEditor.Input {
    switch effect {
    case .read(let start):
        let list = try await lists.list(address.kind, identifier: address.identifier)
        let page = { (items: [ListItem]) in Array(items.dropFirst(start).prefix(ListEditor.pageSize)) }
        return .read(
            list, public: await listEntries(page(list.publicItems), isPrivate: false, of: account),
            private: await listEntries(page(list.privateItems), isPrivate: true, of: account))
    case .findPeople(let name):
        return .found(try await account.people.matching(name, limit: 8).map(PersonItem.init))
    case .change(let edit, let sentence, let undo):
        _ = try await lists.change(address.kind, identifier: address.identifier, edit)
        guard let item = edit.item else { return .changed(sentence, undo: undo) }
        let entry = await listEntries([item], isPrivate: false, of: account).first
        return .changed((entry?.text ?? "This") + " " + sentence, undo: undo)
    case .delete:
        _ = try await lists.deleteSet(address.kind, identifier: address.identifier)
        return .deleted
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
