internal import NostrCore

/// What one page of a conversation shows, and what stands there as muted.
struct ThreadPart: Sendable {
    let focus: Event
    let ancestors: [Event]
    let replies: [(event: Event, depth: Int)]
    private let hidden: [EventID: MuteReason]

    init(focus: Event, ancestors: [Event], replies: [(event: Event, depth: Int)], mutes: Mutes) {
        self.focus = focus
        self.ancestors = ancestors
        self.replies = replies
        var hidden: [EventID: MuteReason] = [:]
        for event in ancestors + [focus] + replies.map(\.event) {
            hidden[event.id] = mutes.verdict(on: event, in: .conversation).reason
        }
        self.hidden = hidden
    }

    /// What is shown of it.
    var shown: [Event] {
        (ancestors + [focus] + replies.map(\.event)).filter { hidden[$0.id] == nil }
    }

    /// The conversation of these notes.
    func thread(of notes: [Note]) -> NoteThread {
        let notes = Dictionary(notes.map { ($0.id, $0) }) { first, _ in first }
        var thread = NoteThread(ancestors: [], focus: notes[focus.id], replies: [], isLoading: false)
        thread.focusID = focus.id
        thread.hiddenFocus = hidden[focus.id]
        for event in ancestors {
            if let note = notes[event.id] {
                thread.ancestors.append(note)
            } else if let reason = hidden[event.id] {
                thread.hiddenAncestors.append(
                    NoteThread.Hidden(id: event.id, reason: reason, place: thread.ancestors.count))
            }
        }
        for (event, depth) in replies {
            if let note = notes[event.id] {
                thread.replies.append(NoteThread.Reply(note: note, depth: depth))
            } else if let reason = hidden[event.id] {
                thread.hiddenReplies.append(
                    NoteThread.Hidden(id: event.id, reason: reason, depth: depth, place: thread.replies.count))
            }
        }
        return thread
    }
}
