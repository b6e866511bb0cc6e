internal import NostrClient
internal import NostrCore

/// Lines of the circles that are looked at, as they were last decrypted: a page that is read again at each new line
/// opens only what is new.
struct LineCache: Sendable {
    /// How many circles' lines are kept at most.
    private static let most = 4
    /// How many lines of one circle are kept; a page and what belongs to it is less.
    static let mostLines = 2048

    private struct Row: Sendable {
        let id: CircleID
        var lines: [EventID: CircleChat.Line]
        /// What was said about lines; empty where nothing was.
        var notes: [EventID: LineNotes] = [:]
    }

    /// The one that was read last is the last.
    private var rows: [Row] = []

    /// Those of some lines of a circle that are known.
    mutating func lines(_ ids: Set<EventID>, of id: CircleID) -> [EventID: CircleChat.Line] {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return [:] }
        let row = rows.remove(at: place)
        rows.append(row)
        var known: [EventID: CircleChat.Line] = [:]
        for id in ids { known[id] = row.lines[id] }
        return known
    }

    /// Takes what was read from the disk; where that becomes too much, what was known is forgotten.
    mutating func add(_ lines: [CircleChat.Line], of id: CircleID) {
        guard !lines.isEmpty else { return }
        let place = rows.firstIndex { $0.id == id }
        var row = place.map { rows.remove(at: $0) } ?? Row(id: id, lines: [:])
        if row.lines.count + lines.count > Self.mostLines { row.lines = [:] }
        for line in lines.prefix(Self.mostLines) { row.lines[line.id] = line }
        rows.append(row)
        rows.removeFirst(max(0, rows.count - Self.most))
    }

    /// What was said about some lines of a circle, where that is known.
    func notes(about targets: [EventID], of id: CircleID) -> [EventID: LineNotes] {
        guard let row = rows.first(where: { $0.id == id }) else { return [:] }
        var known: [EventID: LineNotes] = [:]
        for target in targets { known[target] = row.notes[target] }
        return known
    }

    /// Takes what the disk has about lines of a circle that is looked at; empty notes say that there is nothing.
    mutating func add(_ notes: [EventID: LineNotes], of id: CircleID) {
        guard let place = rows.firstIndex(where: { $0.id == id }), notes.count <= Self.mostLines else { return }
        if rows[place].notes.count + notes.count > Self.mostLines { rows[place].notes = [:] }
        rows[place].notes.merge(notes) { _, new in new }
    }

    /// Takes lines that are new on the disk, or new there in their place.
    mutating func put(_ records: [CircleLineRecord], in id: CircleID) {
        guard rows.contains(where: { $0.id == id }) else { return }
        add(records.compactMap { CircleChat.Line($0) }, of: id)
    }

    /// Forgets a circle.
    mutating func remove(_ id: CircleID) { rows.removeAll { $0.id == id } }

    /// Forgets everything that was decrypted.
    mutating func clear() { rows = [] }
}
