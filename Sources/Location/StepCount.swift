internal import Synchronization

/// Counts the steps of a stream: its first reading comes at once, the others after a rest.
final class StepCount: Sendable {
    private let taken = Mutex(0)

    /// The number of this step, from zero.
    func next() -> Int {
        taken.withLock { taken in
            defer { taken &+= 1 }
            return taken
        }
    }
}
