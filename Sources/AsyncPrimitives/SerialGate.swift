internal import Synchronization

/// Lets through one at a time, in the order of arrival: for changes that read, wait, and write back.
///
/// An actor alone does not do this, as others enter it at each `await`. Work inside must end by itself, since nothing
/// overtakes it; and it must not enter the same gate again.
public final class SerialGate: Sendable {
    private let semaphore = AsyncSemaphore(permits: 1)

    /// An open gate.
    public init() {}

    /// Waits for its turn, then works.
    ///
    /// A cancelled task waits for its turn, too: what it does then is its own affair.
    public func run<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        await semaphore.waitWhateverComes()
        defer { semaphore.release() }
        return try await work()
    }
}
