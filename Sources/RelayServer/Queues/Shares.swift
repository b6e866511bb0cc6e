/// How much each has had of something that all share, as a measure for who is next: who has had the least.
///
/// Who comes new, or back after a pause, counts as having had as much as who was served last, less a head start: so a
/// rare wish goes before those of a flood, and nobody saves up for one.
struct Shares<Key: Hashable> {
    private var had: [Key: Int] = [:]
    /// What who was served last had had.
    private var level = 0
    private let headStart: Int
    private let capacity: Int

    /// - Parameters:
    ///   - headStart: how much before the others a newcomer is, as a cost.
    ///   - capacity: how many are remembered; then those go who have had the least.
    init(headStart: Int, capacity: Int = 4096) {
        (self.headStart, self.capacity) = (headStart, capacity)
    }

    /// How many are remembered.
    var count: Int { had.count }

    /// What counts for a key: its cost so far, or that of a newcomer where this is more.
    func cost(of key: Key) -> Int {
        max(had[key] ?? .min, level - headStart)
    }

    /// A key is served next, at a cost that is expected or known.
    mutating func serve(_ key: Key, cost: Int) {
        level = max(level, self.cost(of: key))
        add(cost, to: key)
    }

    /// More was used than expected, or less.
    mutating func add(_ cost: Int, to key: Key) {
        if had[key] == nil, had.count >= capacity { forget() }
        had[key] = self.cost(of: key) + cost
    }

    /// Those go that count no more than newcomers; if that is not enough, whoever has had the least.
    private mutating func forget() {
        had = had.filter { $0.value > level - headStart }
        guard had.count > capacity / 2 else { return }
        let most = had.sorted { $0.value > $1.value }.prefix(capacity / 2)
        had = Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) })
    }
}
