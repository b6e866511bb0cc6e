/// Who may ask the tile server now: two at a time, the rest in their order, nobody once it is too many.
actor TileTurns {
    private let atOnce: Int
    private let longestQueue: Int
    private var running = 0
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(atOnce: Int = 2, longestQueue: Int = 256) {
        self.atOnce = atOnce
        self.longestQueue = longestQueue
    }

    var waiting: Int { queue.count }

    /// Waits for a turn; every one that was given is given back with ``end()``.
    ///
    /// - Returns: false where too many wait already.
    func begin() async -> Bool {
        if running < atOnce {
            running += 1
            return true
        }
        guard queue.count < longestQueue else { return false }
        await withCheckedContinuation { queue.append($0) }
        return true
    }

    /// The turn goes to who waits longest.
    func end() {
        if queue.isEmpty {
            running -= 1
        } else {
            queue.removeFirst().resume()
        }
    }
}
