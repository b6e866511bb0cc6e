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
    /// Quoted notes that are muted.
    var hidden: Set<EventID> = []
    /// Verified events from inside reposts that the store does not hold.
    var adopted: [EventID: Event] = [:]
    /// Where the named events may be found.
    var pointers: [EventID: EventPointer] = [:]
    /// Everybody who is shown.
    var people: Set<PublicKey> = []

    init(events: [Event]) {
        self.events = events
        for event in events { known[event.id] = event }
    }

    var allIDs: Set<EventID> { Set(known.keys) }

    /// Named events that are not here, with the notes of the page that name them.
    var unresolved: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] {
        var open: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] = [:]
        func need(_ id: EventID, for note: EventID) {
            guard known[id] == nil, !hidden.contains(id), let pointer = pointers[id] else { return }
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

    mutating func collectPeople(without muted: Set<PublicKey>) {
        for event in known.values {
            people.insert(event.pubkey)
            people.formUnion(event.peopleInText.lazy.filter { !muted.contains($0) })
        }
    }

    /// Leaves out reposts of what is muted, also where only the note inside shows it.
    mutating func dropReposts(of mutes: Mutes) {
        guard !mutes.isEmpty else { return }
        let dropped = reposted.filter { _, inner in known[inner].map(mutes.hides) ?? false }
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
            let isMuted = known[id].map(mutes.hides) ?? pointers[id]?.author.map(mutes.people.contains) ?? false
            guard isMuted || mutes.threads.contains(id) else { continue }
            hidden.insert(id)
            known[id] = nil
        }
    }
}

/// Puts notes together from what was read.
struct NoteAssembly: Sendable {
    let page: NotePage
    let profiles: [PublicKey: [String: String]]
    let counts: [EventID: [Kind: Int]]
    let tallies: [EventID: ZapTally]
    let own: OwnMarks
    let deliveries: [EventID: Note.Acceptance]
    let context: ReadingContext

    /// The note of an event of the page.
    func note(_ event: Event) -> Note {
        var note = plainNote(event)
        quote(event, in: &note)
        if let id = page.reposted[event.id], let inner = page.known[id] {
            var reposted = plainNote(inner)
            quote(inner, in: &reposted)
            note.reposted = [reposted]
        }
        return note
    }

    private func quote(_ event: Event, in note: inout Note) {
        for id in page.quoted[event.id] ?? [] {
            if page.hidden.contains(id) {
                note.hiddenQuotes.insert(id)
            } else if let quoted = page.known[id] {
                note.quoted[id] = plainNote(quoted)
            }
        }
    }

    private func plainNote(_ event: Event) -> Note {
        var note = Note(event: event, author: person(event.pubkey))
        for key in event.peopleInText where !context.mutes.people.contains(key) { note.mentioned[key] = person(key) }
        let counted = counts[event.id] ?? [:]
        note.replies = (counted[1] ?? 0) + (counted[1111] ?? 0)
        note.reposts = (counted[6] ?? 0) + (counted[16] ?? 0)
        note.reactions = counted[7] ?? 0
        note.zaps = tallies[event.id] ?? ZapTally()
        for zap in note.zaps.largest where !zap.isAnonymous { note.mentioned[zap.sender] = person(zap.sender) }
        note.ownReaction = own.reactions[event.id]
        note.isRepostedByMe = own.reposts.contains(event.id)
        note.delivery = deliveries[event.id]
        return note
    }

    private func person(_ key: PublicKey) -> Person {
        context.person(key, fields: profiles[key] ?? [:])
    }
}
