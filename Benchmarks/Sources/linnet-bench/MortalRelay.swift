import Foundation
import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import WebSocketNIO

/// A relay of ours on loopback that dies, and comes back at its port with all it held.
actor MortalRelay {
    /// Where it listens while it lives.
    nonisolated let port: Int
    private let store = MemoryEventStore(now: { SignerBench.now })
    private var work: Task<Void, Never>?

    private init(port: Int) { self.port = port }

    /// One that lives, at a port that stays its own while it is down: none of those that the system gives to whoever
    /// asks for any.
    static func born() async throws -> MortalRelay {
        var last: any Error = CancellationError()
        for _ in 0..<50 {
            let relay = MortalRelay(port: .random(in: 20_000..<32_000))
            do {
                try await relay.start()
                return relay
            } catch {
                // Somebody else has that one.
                last = error
            }
        }
        throw last
    }

    /// Its address as most people write it.
    nonisolated var address: RelayURL {
        get throws { try RelayURL("ws://127.0.0.1:\(port)") }
    }

    /// Listens, with all it held before.
    func start() async throws {
        let socket = try await WebSocketServer.bind(
            WebSocketServer.Configuration(host: "127.0.0.1", port: port), logger: SignerBench.log)
        let server = RelayServer(
            store: store, policies: RelayPolicies(), information: RelayInformation(), addresses: [try address],
            now: { SignerBench.now })
        work = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                group.addTask {
                    await socket.run { connection in
                        await server.serve(
                            frames: connection.incoming, send: { try await connection.send($0) },
                            close: { connection.beginClosing() }, peer: connection.request.peer)
                    }
                }
                await group.waitForAll()
            }
        }
    }

    /// Breaks its connections; nobody listens at its port when this returns.
    func stop() async {
        work?.cancel()
        await work?.value
        work = nil
    }

    /// Takes events, also while it is down: then it holds them when it is back.
    func put(_ events: [Event]) async { _ = await store.save(events, from: nil) }
}
