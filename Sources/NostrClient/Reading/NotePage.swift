internal import NostrCore
internal import NostrNIPs

/// The events of a page, and what they name.
struct NotePage: Sendable {
    let events: [Event]
    /// Events beside those of the page: reposted and quoted ones.
    var known: [EventID: Event] = [:]
    /// Repost to what it reposts.
    var reposted: [EventID: EventID] = [:]
    /// Note to what it quotes, in order.
    var quoted: [EventID: [EventID]] = [:]
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
            guard known[id] == nil, let pointer = pointers[id] else { return }
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

    mutating func collectPeople() {
        for event in known.values {
            people.insert(event.pubkey)
            people.formUnion(event.peopleInText)
        }
    }
}

/// Puts notes together from what was read.
struct NoteAssembly: Sendable {
    let page: NotePage
    let profiles: [PublicKey: [String: String]]
    let counts: [EventID: [Kind: Int]]
    let own: OwnMarks
    let context: ReadingContext

    /// The note of an event of the page.
    func note(_ event: Event) -> Note {
        var note = plainNote(event)
        for id in page.quoted[event.id] ?? [] {
            if let quoted = page.known[id] { note.quoted[id] = plainNote(quoted) }
        }
        if let id = page.reposted[event.id], let inner = page.known[id] {
            var reposted = plainNote(inner)
            for id in page.quoted[inner.id] ?? [] {
                if let quoted = page.known[id] { reposted.quoted[id] = plainNote(quoted) }
            }
            note.reposted = [reposted]
        }
        return note
    }

    private func plainNote(_ event: Event) -> Note {
        var note = Note(event: event, author: person(event.pubkey))
        for key in event.peopleInText { note.mentioned[key] = person(key) }
        let counted = counts[event.id] ?? [:]
        note.replies = (counted[1] ?? 0) + (counted[1111] ?? 0)
        note.reposts = (counted[6] ?? 0) + (counted[16] ?? 0)
        note.reactions = counted[7] ?? 0
        note.ownReaction = own.reactions[event.id]
        note.isRepostedByMe = own.reposts.contains(event.id)
        note.delivery = context.delivery(of: event)
        return note
    }

    private func person(_ key: PublicKey) -> Person {
        context.person(key, fields: profiles[key] ?? [:])
    }
}
