internal import NostrCore

/// The last of a row of ids, bounded; what is put in too early is forgotten first.
struct Recent: Hashable, Sendable {
    /// In the order they came, from ``next`` on if it is full.
    private(set) var ids: [Bytes32] = []
    private var known: Set<Bytes32> = []
    private var next = 0
    private let limit: Int

    init(limit: Int, _ ids: [Bytes32] = []) {
        self.limit = max(limit, 1)
        for id in ids { insert(id) }
    }

    func contains(_ id: Bytes32) -> Bool { known.contains(id) }

    /// Remembers an id; says whether it was new.
    @discardableResult
    mutating func insert(_ id: Bytes32) -> Bool {
        guard known.insert(id).inserted else { return false }
        if ids.count < limit {
            ids.append(id)
        } else {
            known.remove(ids[next])
            ids[next] = id
            next = (next + 1) % limit
        }
        return true
    }

    /// All, the oldest first.
    var inOrder: [Bytes32] { Array(ids[next...] + ids[..<next]) }
}
