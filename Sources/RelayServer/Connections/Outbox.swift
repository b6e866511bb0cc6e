internal import AsyncPrimitives
internal import Synchronization

/// What all clients of a relay together have not read yet, in bytes.
final class WaitingBytes: Sendable {
    private let sum = Atomic<Int>(0)

    var count: Int { sum.load(ordering: .relaxed) }

    func add(_ bytes: Int) { sum.add(bytes, ordering: .relaxed) }
}

/// The frames that wait to be read by one client, within what it and all clients together may leave waiting.
///
/// Each client has a share of its own, ``RelayLimits/answerBytes``, however much others leave waiting; more than that is
/// lent while there is room in all.
final class Outbox: Sendable {
    private let frames: BoundedQueue<[UInt8]>
    /// What has not reached the socket: what is in `frames`, and what was taken out of them last.
    private let own = WaitingBytes()
    private let all: WaitingBytes
    private let limits: RelayLimits
    private let share: Int

    init(limits: RelayLimits, all: WaitingBytes) {
        self.limits = limits
        self.all = all
        share = min(limits.answerBytes, limits.waitingBytes)
        frames = BoundedQueue(capacity: share)
    }

    deinit {
        all.add(-own.count)
    }

    /// Adds a frame, then waits while the client's share is used up.
    ///
    /// - Returns: `false` when the client is gone.
    @discardableResult
    func send(_ frame: [UInt8]) async -> Bool {
        add(frame.count)
        if await frames.send(frame, weight: frame.count) { return true }
        add(-frame.count)
        return false
    }

    /// Adds a small frame that must not be lost, however much waits.
    func sendNow(_ frame: [UInt8]) {
        add(frame.count)
        frames.sendNow(frame, weight: frame.count)
    }

    /// Adds a frame if there is room for it.
    ///
    /// - Returns: `false` when there is none; then the frame is dropped.
    func trySend(_ frame: [UInt8]) -> Bool {
        let (mine, everybodys) = (own.count + frame.count, all.count + frame.count)
        let isLent = mine <= limits.waitingBytes && everybodys <= limits.waitingBytesInAll
        // One frame fits however large it is.
        guard mine <= share || isLent || mine == frame.count else { return false }
        sendNow(frame)
        return true
    }

    /// How much of an answer may be read ahead for this client: its share, or little of it when memory is scarce.
    var room: Int { all.count < limits.waitingBytesInAll ? share : share / 16 }

    /// Some frames, waiting for the first; `nil` at the end.
    ///
    /// They count as waiting until ``didSend(_:)``.
    func next(atMost most: Int) async -> [[UInt8]]? {
        await frames.receiveUntilFinished(atMost: most)
    }

    /// The socket has taken this.
    func didSend(_ frame: [UInt8]) { add(-frame.count) }

    /// Memory that is used for the client besides frames counts with what all leave waiting while `body` runs.
    func counting<R>(_ bytes: Int, _ body: () async throws -> R) async rethrows -> R {
        all.add(bytes)
        defer { all.add(-bytes) }
        return try await body()
    }

    /// No more frames.
    func finish() { frames.finish() }

    private func add(_ bytes: Int) {
        own.add(bytes)
        all.add(bytes)
    }
}
