import Synchronization

@testable import SQLiteStorage

/// Work that waits for a clock that stands still.
final class HeldWork: Sendable {
    private let held = Mutex<[(Duration, @Sendable () -> Void)]>([])

    var count: Int { held.withLock(\.count) }
    var delays: [Duration] { held.withLock { $0.map(\.0) } }
    var later: Later { { delay, work in self.held.withLock { $0.append((delay, work)) } } }

    /// Does all of it.
    func pass() {
        let due = held.withLock { held in
            defer { held = [] }
            return held.map(\.1)
        }
        for work in due { work() }
    }
}
