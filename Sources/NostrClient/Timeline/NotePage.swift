internal import NostrCore
internal import NostrNIPs

/// The events of a page, and what they name.
struct NotePage: Sendable {
    private(set) var events: [Event]
    /// Events beside those of the page: reposted and quoted ones.
    var known: [EventID: Event] = [:]
    /// Repost to what it reposts.
    var reposted: [EventID: EventID] = [:]
    /// Note to what it quotes, in order.
    var quoted: [EventID: [EventID]] = [:]
    /// Quoted notes that are muted, and why.
    var hidden: [EventID: MuteReason] = [:]
    /// Verified events from inside reposts that the store does not hold.
    var adopted: [EventID: Event] = [:]
    /// Where the named events may be found.
    var pointers: [EventID: EventPointer] = [:]
    /// Addresses of which no version is here, with the reposts that name them.
    var places: [EventAddress: (pointer: AddressPointer, neededBy: Set<EventID>)] = [:]
    /// Everybody who is shown.
    var people: Set<PublicKey> = []
    /// What the texts of those events name that were looked through already; each is looked through once.
    private var references: [EventID: [NostrEntity]] = [:]
    /// The texts that were read for that, and are drawn as they were read.
    private var texts: [EventID: NoteText] = [:]
    /// Whom each event names, once people were collected.
    private var named: [EventID: [PublicKey]] = [:]

    init(events: [Event]) {
        self.events = events
        for event in events { known[event.id] = event }
    }

    var allIDs: Set<EventID> { Set(known.keys) }

    /// The addresses of what is here and can be replaced: articles, films, streams.
    var addresses: [EventAddress: EventID] {
        let addressed = known.values.compactMap { event in event.address.map { ($0, event.id) } }
        return Dictionary(addressed) { min($0, $1) }
    }

    /// Named events that are not here, with the notes of the page that name them.
    var unresolved: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] {
        var open: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] = [:]
        func need(_ id: EventID, for note: EventID) {
            guard known[id] == nil, hidden[id] == nil, let pointer = pointers[id] else { return }
            open[id, default: (pointer, [])].neededBy.insert(note)
        }
        for (outer, inner) in reposted {
            need(inner, for: outer)
            for id in quoted[inner] ?? [] { need(id, for: outer) }
        }
        for (note, ids) in quoted where known[note] != nil {
            for id in ids { need(id, for: note) }
        }
        return open
    }

    /// What an event of the page quotes or cites.
    mutating func citations(of event: Event) -> (events: [EventPointer], addresses: [EventAddress]) {
        event.citations(naming: references(of: event, isCard: false))
    }

    /// What the text of an event names, found in the tokens that it is drawn of.
    ///
    /// - Parameter isCard: whether it is only quoted, and so stands in small under another.
    private mutating func references(of event: Event, isCard: Bool) -> [NostrEntity] {
        if let found = references[event.id] { return found }
        let found: [NostrEntity]
        if event.namesInWords {
            let text = NoteText(event, isCard: isCard)
            texts[event.id] = text
            found = text.references
        } else {
            found = event.textReferences
        }
        references[event.id] = found
        return found
    }

    /// The text of an event, where it was read.
    func text(of event: Event) -> NoteText? { texts[event.id] }

    mutating func collectPeople(without muted: Set<PublicKey>) {
        for event in known.values {
            // What quotes others was looked through before; the rest is quoted.
            let shown = event.people(naming: references(of: event, isCard: true))
            named[event.id] = shown
            people.insert(event.pubkey)
            people.formUnion(shown.lazy.filter { !muted.contains($0) })
        }
    }

    /// Whom an event names, muted or not.
    func peopleNamed(by event: Event) -> [PublicKey] { named[event.id] ?? event.peopleInText }

    /// Leaves out reposts of what is muted, also where only the note inside shows it.
    mutating func dropReposts(of mutes: Mutes) {
        guard !mutes.isEmpty else { return }
        let dropped = reposted.filter { outer, inner in
            if let event = known[inner] { return mutes.hides(event) }
            return mutes.verdict(on: pointers[inner]?.author, in: .timeline) != .shown
        }
        guard !dropped.isEmpty else { return }
        events.removeAll { dropped[$0.id] != nil }
        for (outer, inner) in dropped {
            reposted[outer] = nil
            known[outer] = nil
            adopted[inner] = nil
            if !events.contains(where: { $0.id == inner }) { known[inner] = nil }
        }
    }

    /// Takes quoted notes away that are muted.
    mutating func hideQuotes(_ mutes: Mutes) {
        guard !mutes.isEmpty else { return }
        let shown = Set(events.map(\.id)).union(reposted.values)
        for id in Set(quoted.values.joined()) where !shown.contains(id) {
            let verdict =
                known[id].map { Self.verdict(on: $0, mutes) }
                ?? mutes.verdict(on: pointers[id]?.author, in: .quote)
            guard let reason = verdict.reason ?? (mutes.threads.contains(id) ? .conversation : nil) else { continue }
            hidden[id] = reason
            known[id] = nil
        }
    }

    /// A stream goes with its host as with its author.
    private static func verdict(on event: Event, _ mutes: Mutes) -> MuteVerdict {
        let verdict = mutes.verdict(on: event, in: .quote)
        guard verdict == .shown, let stream = LiveActivity(event) else { return verdict }
        return mutes.verdict(on: stream.host, in: .quote)
    }
}

/// Puts notes together from what was read.
struct NoteAssembly: Sendable {
    let page: NotePage
    let profiles: [PublicKey: [String: String]]
    let counts: [EventID: [Kind: Int]]
    let tallies: [EventID: ZapTally]
    let polls: [EventID: NotePoll]
    let own: OwnMarks
    let deliveries: [EventID: Note.Acceptance]
    let context: ReadingContext

    /// The notes of the events of the page, in their order.
    func notes() -> [Note] {
        // Many may quote the same.
        var cards: [EventID: Note] = [:]
        return page.events.map { note($0, &cards) }
    }

    private func note(_ event: Event, _ cards: inout [EventID: Note]) -> Note {
        var note = plainNote(event)
        quote(event, in: &note, &cards)
        if let id = page.reposted[event.id], let inner = page.known[id] {
            var reposted = plainNote(inner)
            quote(inner, in: &reposted, &cards)
            note.reposted = [reposted]
        }
        return note
    }

    private func quote(_ event: Event, in note: inout Note, _ cards: inout [EventID: Note]) {
        for id in page.quoted[event.id] ?? [] {
            if let reason = page.hidden[id] {
                note.hiddenQuotes[id] = reason
            } else if let card = cards[id] ?? page.known[id].map(plainNote) {
                cards[id] = card
                note.quoted[id] = card
            }
        }
    }

    private func plainNote(_ event: Event) -> Note {
        var note = Note(event: event, author: person(event.pubkey))
        note.readText = page.text(of: event)
        for key in page.peopleNamed(by: event) where !context.mutes.people.contains(key) {
            note.mentioned[key] = person(key)
        }
        let counted = counts[event.id] ?? [:]
        note.replies = (counted[1] ?? 0) + (counted[1111] ?? 0)
        note.reposts = (counted[6] ?? 0) + (counted[16] ?? 0)
        note.reactions = counted[7] ?? 0
        note.zaps = tallies[event.id] ?? ZapTally()
        for zap in note.zaps.largest where !zap.isAnonymous { note.mentioned[zap.sender] = person(zap.sender) }
        note.poll = polls[event.id]
        note.ownReaction = own.reactions[event.id]
        note.isRepostedByMe = own.reposts.contains(event.id)
        note.delivery = deliveries[event.id]
        return note
    }

    private func person(_ key: PublicKey) -> Person {
        context.person(key, fields: profiles[key] ?? [:])
    }
}
