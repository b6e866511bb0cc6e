import Logging
import NostrCore
import NostrRelay
import Synchronization
import Testing
import WebSocketNIO

@Suite("Names of strangers that lead into the house", .timeLimit(.minutes(10)))
struct PrivateNamesTests {
    /// Sends every name to this machine, as a stranger's name server may from one moment to the next.
    final class Rebinding: HostResolver {
        let address: String
        private let count = Mutex(0)

        var questions: Int { count.withLock { $0 } }

        init(_ address: String) { self.address = address }

        func resolve(_ host: String, port: Int) -> HostAnswer {
            count.withLock { $0 += 1 }
            return .addresses([address])
        }
    }

    private func failure(_ body: () async throws -> Void) async -> TransportFailure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? TransportFailure
        }
    }

    @Test(
        "neither a WebSocket nor a request for a document reaches a server here, until a person names the relay",
        arguments: ["127.0.0.1", "::ffff:127.0.0.1"])
    func rebinding(address: String) async throws {
        let visits = Mutex(0)
        let server = try await WebSocketServer.bind(
            WebSocketServer.Configuration(), logger: Logger(label: "test"),
            respond: { _ in
                visits.withLock { $0 += 1 }
                return PlainResponse(status: 200, body: Array("{}".utf8))
            })
        async let serving: Void = server.run { connection in
            visits.withLock { $0 += 1 }
            await connection.close()
        }
        let resolver = Rebinding(address)
        let isNamed = Mutex(false)
        let transport = NamedRelaysTransport(try WebSocketTransport(), resolver: resolver) { _ in
            isNamed.withLock { $0 }
        }
        let relay = try RelayURL("ws://relay.example.com:\(server.port)")
        let socket = await failure { _ = try await transport.connect(to: relay, deadline: .seconds(60)) }
        let document = await failure {
            _ = try await transport.information(of: relay, deadline: .seconds(60), maxBytes: 1000)
        }
        #expect(socket == .privateAddress && document == .privateAddress)
        #expect(visits.withLock { $0 } == 0 && resolver.questions == 2)
        isNamed.withLock { $0 = true }
        _ = try await transport.information(of: relay, deadline: .seconds(60), maxBytes: 1000)
        #expect(visits.withLock { $0 } == 1)
        server.beginShutdown()
        await serving
    }
}
