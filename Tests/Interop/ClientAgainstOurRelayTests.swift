import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import RelayServer
import Testing
import WebSocketNIO

@Suite(
    "nostr-sdk's client against our relay", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct ClientAgainstOurRelayTests {
    @Test("publishes, fetches, deletes, and hears what others publish")
    func talks() async throws {
        try await withClient { client, _, store, relay in
            let published = try await client.ask(["publish", "from nostr-sdk"])
            #expect(published.first == "published")
            let id = try EventID(hex: try #require(published.last))
            #expect(await store.query([Filter(ids: [id])]).map(\.content) == ["from nostr-sdk"])
            #expect(try await client.ask(["fetch", ["kinds": [1]]]) == ["fetched", id.hex])

            #expect(try await client.ask(["subscribe", ["kinds": [1], "#t": ["live"]]]) == ["subscribed"])
            let note = TestPerson.alice.event("live", tags: [["t", "live"]], at: now())
            try await withPool { pool in
                let outcome = await pool.publish(note, to: relay, deadline: .seconds(60))
                #expect(outcome == .accepted(Reason(nil, "")))
            }
            #expect(try Peer.words(try await client.line()) == ["live", note.id.hex])

            #expect(try await client.ask(["delete", id.hex]).first == "published")
            #expect(try await client.ask(["fetch", ["ids": [id.hex]]]) == ["fetched"])
        }
    }

    @Test("authenticates when our relay insists")
    func authenticates() async throws {
        let policies = RelayPolicies(publish: [requireAuthenticationToPublish()], ask: [requireAuthenticationToAsk()])
        try await withClient(policies) { client, _, _, _ in
            let published = try await client.ask(["publish", "known"])
            #expect(published.first == "published")
            #expect(try await client.ask(["fetch", ["kinds": [1]]]) == ["fetched", published.last])
        }
    }

    @Test("is told why its event is refused")
    func refused() async throws {
        let policies = RelayPolicies(publish: [onlyAuthors([TestPerson.bob.publicKey], because: "only bob")])
        try await withClient(policies) { client, _, _, _ in
            let answer = try await client.ask(["publish", "not bob"])
            #expect(answer.first == "refused")
            #expect(answer.last?.contains("only bob") == true)
        }
    }

    private func withClient(
        _ policies: RelayPolicies = RelayPolicies(),
        _ body: (Peer, String, MemoryEventStore, RelayURL) async throws -> Void
    ) async throws {
        let store = MemoryEventStore(now: { Timestamp(seconds: now()) })
        let socket = try await WebSocketServer.bind(logger: Logger(label: "interop"))
        let relay = try RelayURL("ws://127.0.0.1:\(socket.port)")
        let server = RelayServer(
            store: store, policies: policies, information: RelayInformation(), addresses: [relay],
            now: { Timestamp(seconds: now()) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            group.addTask {
                await socket.run { connection in
                    await server.serve(
                        frames: connection.incoming, send: { try await connection.send($0) },
                        close: { connection.beginClosing() }, peer: connection.request.peer)
                }
            }
            defer { group.cancelAll() }
            try await Peer.run("sdk_client.py", [relay.text]) { client, greeting in
                try await body(client, greeting, store, relay)
            }
        }
    }
}
