internal import NostrClient
public import NostrCore
public import NostrNIPs

/// One entry of a list as a screen shows it.
public struct ListEntry: Hashable, Sendable, Identifiable {
    /// Where it leads.
    public enum Target: Hashable, Sendable {
        case person(PublicKey), note(EventID), topic(String), web(String)
    }

    /// The entry.
    public let item: ListItem
    /// Whether only its owner can see it.
    public let isPrivate: Bool
    /// What it is called, in one line.
    public let text: String
    /// What else helps to know it, in one line; may be empty.
    public let detail: String
    /// The person, for an entry that is one.
    public let person: PersonItem?
    /// Where it leads, when there is a page for it.
    public let target: Target?

    public var id: String { (isPrivate ? "-" : "+") + item.formWord }

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - person: who it is, for a person; the author, for a note.
    ///   - note: the note, when it is here.
    public init(_ item: ListItem, isPrivate: Bool, person: PersonItem? = nil, note: NoteItem? = nil) {
        self.item = item
        self.isPrivate = isPrivate
        self.person = person
        switch item {
        case .person(let pointer, let petname):
            text = person?.name ?? shortened(pointer.key)
            let own = oneLine(petname ?? "", limit: 50)
            detail = own.isEmpty ? person?.handle ?? "" : ListWords.called(own)
            target = .person(pointer.key)
        case .event(let pointer):
            text =
                note.map { $0.author.name + ": " + oneLine($0.title ?? plainText($0.parts), limit: 140) }
                ?? ListWords.entryNotHere
            detail = note == nil ? String(pointer.id.note.prefix(16)) + "…" : ""
            target = .note(pointer.id)
        case .address(let pointer):
            let identifier = oneLine(pointer.address.identifier, limit: 80)
            text = identifier.isEmpty ? ListSort.of(pointer.address.kind).title : identifier
            let address = pointer.address
            detail = ListWords.written(kind: address.kind.rawValue, of: shortened(address.author))
            target = nil
        case .hashtag(let topic):
            text = "#" + oneLine(topic, limit: 80)
            detail = ""
            target = .topic(topic)
        case .word(let word): (text, detail, target) = (oneLine(word, limit: 120), "", nil)
        case .relay(let relay): (text, detail, target) = (relay.text, "", nil)
        case .server(let address), .url(let address):
            (text, detail, target) = (oneLine(address, limit: 200), "", webAddress(address).map(Target.web))
        case .emoji(let emoji): (text, detail, target) = (":\(emoji.shortcode):", oneLine(emoji.url, limit: 120), nil)
        case .group(let id, let relay, let name):
            text = oneLine(name ?? "", limit: 80).isEmpty ? oneLine(id, limit: 80) : oneLine(name ?? "", limit: 80)
            detail = relay?.text ?? ""
            target = nil
        }
    }
}

/// The words of a text, without what is drawn beside it.
func plainText(_ parts: [ContentPart]) -> String {
    parts.map { part in
        switch part {
        case .text(let text), .link(let text), .image(let text), .video(let text): text
        case .hashtag(let shown, _): shown
        case .mention(_, let name): "@" + name
        case .note: ListWords.aNote
        case .article: ListWords.anArticle
        case .entity(let text): String(text.prefix(16)) + "…"
        case .emoji(let code, _): ":\(code):"
        case .invoice(let invoice): invoice.title
        }
    }.joined()
}

/// Reads what a screen needs to show entries; at most as many as one page shows.
///
/// - Parameter evenMuted: whether people are named who are muted: on the list that mutes them.
func listEntries(
    _ items: [ListItem], isPrivate: Bool, evenMuted: Bool = false, of account: any Account
) async -> [ListEntry] {
    await withTaskGroup(of: (Int, ListEntry).self) { group in
        for (index, item) in items.enumerated() {
            group.addTask { (index, await listEntry(item, isPrivate: isPrivate, evenMuted: evenMuted, of: account)) }
        }
        var entries: [Int: ListEntry] = [:]
        for await (index, entry) in group { entries[index] = entry }
        return items.indices.compactMap { entries[$0] }
    }
}

private func listEntry(
    _ item: ListItem, isPrivate: Bool, evenMuted: Bool, of account: any Account
) async -> ListEntry {
    switch item {
    case .person(let pointer, _):
        // Somebody of whom nothing is known is shown by their key.
        let person = try? await account.people.person(pointer.key, evenMuted: evenMuted)
        return ListEntry(item, isPrivate: isPrivate, person: PersonItem(person ?? Person(key: pointer.key)))
    case .event(let pointer):
        // A note that is not here is shown by its id.
        let note = (try? await account.timeline.thread(pointer.id, hints: pointer.relays))?.focus
        let shown = note.flatMap { NoteItem($0, own: account.publicKey) }
        return ListEntry(item, isPrivate: isPrivate, person: shown?.author, note: shown)
    default: return ListEntry(item, isPrivate: isPrivate)
    }
}
