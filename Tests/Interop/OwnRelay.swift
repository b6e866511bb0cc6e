import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import RelayServer
import WebSocketNIO

/// One of our relays on a socket; ends when it is told to, with its connections.
final class OwnRelay: Sendable {
    let address: RelayURL
    private let socket: WebSocketServer
    private let server: RelayServer
    private let stopRequest: (asked: AsyncStream<Never>, ask: AsyncStream<Never>.Continuation)

    /// Takes a port, or a free one.
    init(port: Int = 0) async throws {
        socket = try await WebSocketServer.bind(
            WebSocketServer.Configuration(host: "127.0.0.1", port: port), logger: Logger(label: "interop"))
        address = try RelayURL("ws://127.0.0.1:\(socket.port)")
        server = RelayServer(
            store: MemoryEventStore(now: { Timestamp(seconds: now()) }), policies: RelayPolicies(),
            information: RelayInformation(), addresses: [address], now: { Timestamp(seconds: now()) })
        let (asked, ask) = AsyncStream.makeStream(of: Never.self)
        stopRequest = (asked, ask)
    }

    /// Takes a port that stays its own while it is down: none of those that the system gives to whoever asks for any.
    static func returning() async throws -> OwnRelay {
        for _ in 0..<50 {
            // One that somebody has is passed over.
            if let relay = try? await OwnRelay(port: .random(in: 20_000..<32_000)) { return relay }
        }
        return try await OwnRelay()
    }

    /// Serves until ``stop()`` or cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [server] in await server.run() }
            group.addTask { [server, socket] in
                await socket.run { connection in
                    await server.serve(
                        frames: connection.incoming, send: { try await connection.send($0) },
                        close: { connection.beginClosing() }, peer: connection.request.peer)
                }
            }
            group.addTask { [stopRequest] in
                for await _ in stopRequest.asked {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Dies.
    func stop() {
        stopRequest.ask.finish()
    }
}

/// Runs two of our relays.
func withTwoRelays(_ body: (OwnRelay, OwnRelay) async throws -> Void) async throws {
    let first = try await OwnRelay(), second = try await OwnRelay()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await first.run() }
        group.addTask { await second.run() }
        defer { group.cancelAll() }
        try await body(first, second)
    }
}
