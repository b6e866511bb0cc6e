import Synchronization

/// Nothing came of it in time.
struct TimedOut: Error, CustomStringConvertible {
    var description: String { "It took too long; try again, or look at what became of it." }
}

/// Does work that is cancelled when it takes too long.
///
/// - Throws: ``TimedOut``, and what the work throws.
func within<Value: Sendable>(
    _ deadline: Duration, clock: any Clock<Duration> = ContinuousClock(),
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await clock.sleep(for: deadline)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        guard let value = first else { throw TimedOut() }
        return value
    }
}

/// A number of places, of which one is taken by each that is served.
final class ConnectionSlots: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) {
        free = Mutex(count)
    }

    /// Takes a place; `false` when all are taken.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Gives a place back.
    func giveBack() {
        free.withLock { $0 += 1 }
    }
}
