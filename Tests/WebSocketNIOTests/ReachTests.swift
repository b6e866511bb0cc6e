import NostrCore
import NostrRelay
import Synchronization
import Testing
import WebSocketNIO

@Suite("Hosts that strangers named", .timeLimit(.minutes(10)))
struct ReachTests {
    /// Every host is where a test says.
    final class ScriptedResolver: HostResolver {
        private let answer: HostAnswer
        private let count = Mutex(0)

        var questions: Int { count.withLock { $0 } }

        init(_ answer: HostAnswer) { self.answer = answer }

        func resolve(_ host: String, port: Int) -> HostAnswer {
            count.withLock { $0 += 1 }
            return answer
        }
    }

    /// Counts who comes in.
    final class Visits: Sendable {
        private let count = Mutex(0)

        var all: Int { count.withLock { $0 } }

        func serve(_ connection: WebSocketConnection) async {
            count.withLock { $0 += 1 }
            await echo(connection)
        }
    }

    private func stranger(_ server: WebSocketServer) throws -> RelayURL {
        try RelayURL("ws://relay.example.com:\(server.port)")
    }

    /// Connects, and leaves once the server has answered: then it has counted the visit.
    private func visit(_ relay: RelayURL, over transport: any RelayTransport) async throws {
        let connection = try await transport.connect(to: relay, deadline: .seconds(60))
        try await connection.send([97])
        var answers = connection.incoming.makeAsyncIterator()
        #expect(try await answers.next() == [97])
        await connection.close()
    }

    @Test(
        "a name that leads to this machine or a private network is refused, for sockets and for documents",
        arguments: [
            "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
            "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
        ])
    func refusesNames(address: String) async throws {
        let reach = Reach.openNetwork.resolving(by: ScriptedResolver(.addresses([address])))
        let transport = try WebSocketTransport(reach: reach)
        let relay = try RelayURL("ws://relay.example.com:4869")
        let socket = await failure { _ = try await transport.connect(to: relay, deadline: .seconds(60)) }
        #expect(socket == .privateAddress)
        let document = await failure {
            _ = try await transport.information(of: relay, deadline: .seconds(60), maxBytes: 100)
        }
        #expect(document == .privateAddress)
    }

    @Test(
        "the system's resolver is not believed either, and nobody is knocked at", arguments: ["localhost", "127.0.0.1"])
    func refusesSystemNames(host: String) async throws {
        let visits = Visits()
        try await withServer(handle: { await visits.serve($0) }) { server in
            let relay = try url(server, host: host)
            let careful = try WebSocketTransport(reach: .openNetwork)
            let why = await failure { _ = try await careful.connect(to: relay, deadline: .seconds(60)) }
            #expect(why == .privateAddress)
            #expect(visits.all == 0)
            let open = try WebSocketTransport(reach: .anywhere)
            try await visit(relay, over: open)
        }
        #expect(visits.all == 1)
    }

    @Test("a host of a simulated network is where its resolver says, looked up once")
    func simulated() async throws {
        try await withServer(handle: echo) { server in
            let resolver = ScriptedResolver(.simulated(["127.0.0.1"]))
            let transport = try WebSocketTransport(reach: .openNetwork.resolving(by: resolver))
            let connection = try await transport.connect(to: stranger(server), deadline: .seconds(60))
            await connection.close()
            #expect(resolver.questions == 1)
        }
    }

    @Test("a relay in the house is reached once a person named it")
    func named() async throws {
        let visits = Visits()
        try await withServer(handle: { await visits.serve($0) }) { server in
            let relay = try stranger(server)
            let named = Mutex<Set<RelayURL>>([])
            let strangers = NamedRelaysTransport(
                try WebSocketTransport(), resolver: ScriptedResolver(.addresses(["127.0.0.1"]))
            ) { relay in named.withLock { $0.contains(relay) } }
            let why = await failure { _ = try await strangers.connect(to: relay, deadline: .seconds(60)) }
            #expect(why == .privateAddress)
            #expect(visits.all == 0)
            named.withLock { _ = $0.insert(relay) }
            try await visit(relay, over: strangers)
            named.withLock { $0 = [] }
            let own = strangers.naming { $0 == relay }
            try await visit(relay, over: own)
        }
        #expect(visits.all == 2)
    }
}
