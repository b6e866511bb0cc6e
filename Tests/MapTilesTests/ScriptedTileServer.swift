import AsyncPrimitives
import NostrCore
import NostrTesting
import Synchronization

@testable import MapTiles

/// A tile server of answers thought up beforehand; it notes what it was asked, and how much of it at once.
final class ScriptedTileServer: TileFetching {
    struct Unreachable: Error {}

    private struct State {
        var requests: [TileRequest] = []
        var running = 0
        var mostAtOnce = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let answer: @Sendable (TileRequest, Int) throws -> TileAnswer
    private let holds: Bool

    /// Takes the answer to a request and its number; `holds` keeps every answer back until ``release()``.
    init(holds: Bool = false, _ answer: @escaping @Sendable (TileRequest, Int) throws -> TileAnswer) {
        self.holds = holds
        self.answer = answer
    }

    var requests: [TileRequest] { state.withLock { $0.requests } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func fetch(_ request: TileRequest) async throws -> TileAnswer {
        let number = state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
            return state.requests.count
        }
        defer { state.withLock { $0.running -= 1 } }
        if holds {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.held.append(continuation)
                    let ready = state.watchers.filter { $0.count <= state.held.count }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= state.held.count }
                    return ready
                }
                for watcher in ready { watcher.resume() }
            }
        }
        return try answer(request, number)
    }

    /// Waits until so many answers are kept back.
    func holding(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.held.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    /// Lets go of the answers kept back so far.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}

/// A clock of seconds that a test moves; a sleep is counted and over at once.
final class TileClock: Clock {
    typealias Duration = Swift.Duration

    private let state = Mutex((now: Int64(1_790_000_000), slept: [Swift.Duration]()))

    var slept: [Duration] { state.withLock { $0.slept } }
    func advance(_ span: Duration) { state.withLock { $0.now += span.components.seconds } }
    var date: Timestamp { Timestamp(seconds: state.withLock { $0.now }) }
    var time: Time<Timestamp> { Time(clock: self, now: { self.date }) }

    // Its moments stand still, so that a sleep's deadline tells its span.
    let now = ManualClock.Instant()
    let minimumResolution: Swift.Duration = .nanoseconds(1)

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { $0.slept.append(deadline.offset) }
    }
}

/// The least that is a PNG to us, and so long.
func picture(_ length: Int = 100, _ fill: UInt8 = 0) -> [UInt8] {
    let head: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 0, 0, 0, 1, 0]
    return head + Array(repeating: fill, count: max(0, length - head.count))
}
