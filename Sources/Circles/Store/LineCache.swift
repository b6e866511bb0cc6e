internal import NostrClient
internal import NostrCore

/// The lines of circles that are looked at, read from the disk once and kept up to date from then on.
///
/// Names on the disk tell nothing, so a page can be found only by reading all lines of its circle; that must not happen
/// for every new line.
struct LineCache: Sendable {
    /// How many circles' lines are kept at most.
    private static let most = 4

    private struct Row: Sendable {
        let id: CircleID
        var lines: [String: CircleChat.Line]
    }

    /// The one that was read last is the last.
    private var rows: [Row] = []
    /// Grows with every change: what was read from the disk meanwhile may lack it.
    private(set) var revision = 0

    /// The lines of a circle, in no order; nil unless they were read.
    mutating func lines(of id: CircleID) -> [CircleChat.Line]? {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
        rows.append(rows.remove(at: place))
        return rows.last.map { Array($0.lines.values) }
    }

    /// Takes what was read from the disk, unless something changed since.
    ///
    /// - Parameter revision: that of before it was read.
    mutating func fill(_ id: CircleID, with lines: [CircleChat.Line], readAt revision: Int) {
        guard revision == self.revision else { return }
        rows.removeAll { $0.id == id }
        let pairs = lines.map { ($0.record.id, $0) }
        rows.append(Row(id: id, lines: Dictionary(pairs) { first, _ in first }))
        rows.removeFirst(max(0, rows.count - Self.most))
    }

    /// Takes lines that are new on the disk, or new there in their place.
    mutating func put(_ records: [CircleLineRecord], in id: CircleID) {
        guard !records.isEmpty else { return }
        revision += 1
        guard let place = rows.firstIndex(where: { $0.id == id }) else { return }
        for record in records { rows[place].lines[record.id] = CircleChat.Line(record) }
    }

    /// Forgets a circle.
    mutating func remove(_ id: CircleID) {
        revision += 1
        rows.removeAll { $0.id == id }
    }

    /// Forgets everything that was decrypted.
    mutating func clear() {
        revision += 1
        rows = []
    }
}
