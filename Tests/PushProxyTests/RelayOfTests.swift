import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import RelayServer
import Synchronization
import WebSocketNIO

@testable import PushProxy

let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// The time of this machine, since the relay's is it too.
let wallClock: @Sendable () -> Timestamp = { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

/// Runs a relay on a free port while a test works.
func withRelay<R: Sendable>(_ body: (RelayURL) async throws -> R) async throws -> R {
    let relay = RelayServer(
        store: MemoryEventStore(now: wallClock), information: RelayInformation(), now: wallClock)
    let server = try await WebSocketServer.bind(logger: quiet)
    let url = try RelayURL("ws://127.0.0.1:\(server.port)")
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await relay.run() }
        group.addTask {
            await server.run { connection in
                await relay.serve(
                    frames: connection.incoming, send: { try await connection.send($0) },
                    close: { connection.beginClosing() }, peer: connection.request.peer)
            }
        }
        let result: Result<R, any Error>
        do { result = .success(try await body(url)) } catch { result = .failure(error) }
        server.beginShutdown()
        group.cancelAll()
        return try result.get()
    }
}

/// Runs a pool while a test works.
func withPool<R: Sendable>(
    _ settings: PoolSettings = PoolSettings(), _ body: (RelayPool) async throws -> R
) async throws -> R {
    let pool = RelayPool(transport: try WebSocketTransport(), settings: settings, wall: wallClock, logger: quiet)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        let result: Result<R, any Error>
        do { result = .success(try await body(pool)) } catch { result = .failure(error) }
        group.cancelAll()
        return try result.get()
    }
}

/// Notes what would be sent.
final class RecordingSender: PushSender {
    struct Push: Hashable, Sendable {
        let event: EventID
        let identity: String
    }

    private struct State {
        var pushes: [Push] = []
        var notified: [String] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let outcome: @Sendable (Int) -> PushOutcome

    /// - Parameter outcome: what the service says of the first push, the second, and so on.
    init(_ outcome: @escaping @Sendable (Int) -> PushOutcome = { _ in .delivered }) {
        self.outcome = outcome
    }

    var pushes: [Push] { state.withLock { $0.pushes } }

    func send(_ request: WakeRequest, to address: PushAddress) async -> PushOutcome {
        let (count, ready) = state.withLock { state in
            state.pushes.append(Push(event: request.event.id, identity: address.identity))
            let count = state.pushes.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (count, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return outcome(count)
    }

    /// Whom notices went to.
    var notified: [String] { state.withLock { $0.notified } }

    func notify(_ address: PushAddress) async -> PushOutcome {
        let count = state.withLock { state in
            state.notified.append(address.identity)
            return state.notified.count
        }
        return outcome(count)
    }

    func close() async {}

    /// Waits until so many pushes were sent.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.pushes.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}

/// Requests to a signer, each different.
func request(_ content: String, from client: TestPerson, to signer: TestPerson) -> Event {
    client.event(
        content, kind: 24_133, tags: [["p", signer.publicKey.hex]], at: wallClock().seconds)
}
