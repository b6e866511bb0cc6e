public import NostrClient
public import NostrCore
public import NostrNIPs

/// Lists and drafts that live in memory.
public actor FakeLists: ListKeeping, DraftKeeping {
    private let author: FakeAuthor
    private var kept: [EventAddress: PersonalList] = [:]
    private var written: [NoteDraft] = []
    private var moment: Int64 = 1_700_000_000
    /// Thrown by everything that changes, when set.
    public var refusal: (any Error)?
    /// Thrown by everything that reads drafts, when set.
    public var draftRefusal: (any Error)?
    /// What was asked for, in order.
    public private(set) var acts: [String] = []

    /// Nobody's lists yet.
    public init(_ author: FakeAuthor) {
        self.author = author
    }

    /// Sets what every changing call throws.
    public func refuse(with error: (any Error)?) { refusal = error }
    /// Sets what reading drafts throws.
    public func refuseDrafts(with error: (any Error)?) { draftRefusal = error }
    /// Puts a list there.
    public func put(_ list: PersonalList) { kept[list.address] = list }
    /// Puts a draft there.
    public func put(_ draft: NoteDraft) { written.insert(draft, at: 0) }
    /// An address of the owner's.
    public nonisolated func address(_ kind: Kind, _ identifier: String = "") -> EventAddress {
        EventAddress(kind: kind, author: author.key, identifier: identifier)
    }

    public func lists() -> [PersonalList] { Array(kept.values) }

    public func list(_ kind: Kind, identifier: String) -> PersonalList {
        kept[address(kind, identifier)] ?? PersonalList(address: address(kind, identifier))
    }

    public func change(_ kind: Kind, identifier: String, _ edit: ListEdit) throws -> Event {
        try act("change \(kind.rawValue)")
        var list = list(kind, identifier: identifier)
        switch edit {
        case .add(let item, let isPrivate):
            remove(item, from: &list)
            if isPrivate { list.privateItems.append(item) } else { list.publicItems.append(item) }
            if isPrivate { list.privatePart = .open }
        case .remove(let item): remove(item, from: &list)
        case .rename(let title, let summary):
            list.title = title
            list.summary = summary
        }
        list.changedAt = Timestamp(seconds: moment)
        kept[list.address] = list
        return event(kind)
    }

    private func remove(_ item: ListItem, from list: inout PersonalList) {
        list.publicItems.removeAll { $0.isSameThing(as: item) }
        list.privateItems.removeAll { $0.isSameThing(as: item) }
    }

    public func makeSet(_ kind: Kind, title: String, summary: String) throws -> Event {
        try act("make \(kind.rawValue) \(title)")
        let identifier = title.lowercased()
        var list = PersonalList(address: address(kind, identifier))
        list.title = title
        list.summary = summary
        kept[list.address] = list
        return author.event("", kind: kind, tags: [["d", identifier]], at: Timestamp(seconds: moment))
    }

    public func deleteSet(_ kind: Kind, identifier: String) throws -> Event {
        try act("delete \(kind.rawValue) \(identifier)")
        kept[address(kind, identifier)] = nil
        return event(5)
    }

    public func mutes() -> Mutes {
        let list = list(.muteList, identifier: "")
        var mutes = Mutes()
        for item in list.publicItems + list.privateItems {
            switch item {
            case .person(let pointer, _): mutes.people.insert(pointer.key)
            case .event(let pointer): mutes.threads.insert(pointer.id)
            case .word(let word): mutes.words.insert(word)
            case .hashtag(let topic): mutes.hashtags.insert(topic)
            default: break
            }
        }
        return mutes
    }

    public func drafts() throws -> [NoteDraft] {
        if let draftRefusal { throw draftRefusal }
        return written
    }

    public func saveDraft(_ composition: Composition, id: String?) throws -> NoteDraft {
        try act("keep \(id ?? "new")")
        let draft = NoteDraft(
            id: id ?? "draft-\(written.count + 1)", composition: composition, changedAt: Timestamp(seconds: moment),
            expires: Timestamp(seconds: moment + 90 * 86_400), isEditable: true)
        written.removeAll { $0.id == draft.id }
        written.insert(draft, at: 0)
        return draft
    }

    public func deleteDraft(_ id: String) throws {
        try act("forget \(id)")
        written.removeAll { $0.id == id }
    }

    /// Where drafts go, as the page reads it.
    public var draftRelays = DraftRelays(kept: [], offered: [], isDeclined: false, searched: [])
    /// Earlier states of drafts, by the draft's name.
    public var earlier: [String: [NoteDraft]] = [:]
    /// Sets where drafts go.
    public func use(_ relays: DraftRelays) { draftRelays = relays }
    /// Puts earlier states of a draft there.
    public func put(_ states: [NoteDraft], before id: String) { earlier[id] = states }

    public func checkpoints(of id: String) -> [NoteDraft] { earlier[id] ?? [] }

    public func relays() -> DraftRelays { draftRelays }

    public func keep(on relays: [RelayURL]) throws {
        try act("keep drafts on \(relays.map(\.text).joined(separator: " "))")
        draftRelays.kept = relays
    }

    public func keepHere() throws {
        try act("keep drafts here")
        draftRelays.isDeclined = true
    }

    public func search(_ relays: [RelayURL]) throws {
        try act("search drafts on \(relays.map(\.text).joined(separator: " "))")
        draftRelays.searched = relays
    }

    public func setStatus(_ text: String, link: String?, expires: Timestamp?) throws -> Event {
        try act("status \(text) \(link ?? "-") \(expires.map { String($0.seconds) } ?? "-")")
        return event(30_315)
    }

    private func act(_ words: String) throws {
        if let refusal { throw refusal }
        moment += 1
        acts.append(words)
    }

    private func event(_ kind: Kind) -> Event { author.event("", kind: kind, at: Timestamp(seconds: moment)) }
}
