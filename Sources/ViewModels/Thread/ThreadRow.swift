internal import NostrClient
internal import NostrCore

/// One place in a conversation: a note, or what stands there instead of muted ones.
public enum ThreadRow: Hashable, Sendable {
    /// A note, and how deep it stands.
    case note(NoteItem, depth: Int)
    /// Muted notes side by side, and how deep the first of them stands.
    case hidden(HiddenNoteItem, depth: Int)
}

/// Puts what is muted where it would stand; what lies side by side is one row.
///
/// - Parameters:
///   - notes: what is shown, `nil` for what cannot be drawn.
///   - hidden: what is not, in order.
func threadRows(_ notes: [(note: NoteItem?, depth: Int)], _ hidden: [NoteThread.Hidden]) -> [ThreadRow] {
    var rows: [ThreadRow] = []
    var waiting = hidden[...]
    func depthDrawn(_ depth: Int) -> Int { min(max(depth, 0), ThreadPage.deepest) }
    func addHidden(before place: Int) {
        while let next = waiting.first, next.place <= place {
            waiting.removeFirst()
            if case .hidden(var last, let depth) = rows.last {
                last.addOne()
                rows[rows.count - 1] = .hidden(last, depth: depth)
            } else {
                rows.append(.hidden(HiddenNoteItem(next.id, next.reason), depth: depthDrawn(next.depth)))
            }
        }
    }
    for (place, entry) in notes.enumerated() {
        addHidden(before: place)
        if let note = entry.note { rows.append(.note(note, depth: depthDrawn(entry.depth))) }
    }
    addHidden(before: notes.count)
    return rows
}
