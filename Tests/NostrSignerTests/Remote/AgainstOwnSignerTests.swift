import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("Linnet's client against Linnet's signer, over two relays of which one dies", .timeLimit(.minutes(10)))
struct AgainstOwnSignerTests {
    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a signer that trusts whoever pairs, and hands out both ends.
    private func withSigner(_ body: @Sendable (RemoteBench, LiveSigner) async throws -> Void) async throws {
        let bench = try RemoteBench()
        let live = LiveSigner(
            signer: LocalSigner(TestPerson.alice.secretKey), records: MemorySignerRecords(), network: bench.ether,
            time: bench.time, minute: { 600 }, logger: Self.log)
        var settings = try await live.settings()
        settings.relays = bench.relays
        try await live.setSettings(settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await live.run() }
            defer { group.cancelAll() }
            try await body(bench, live)
        }
    }

    private func attempt(_ bench: RemoteBench, _ token: BunkerURI) -> PairingAttempt {
        PairingAttempt(
            token: token, client: bench.client, metadata: ClientMetadata(name: "Linnet"), network: bench.ether,
            time: bench.time, log: Self.log)
    }

    /// Every method once.
    private func use(_ pairing: RemotePairing, _ bench: RemoteBench) async throws {
        let signer = RemoteSigner(
            pairing, client: bench.client, network: bench.ether, time: bench.time, log: Self.log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await signer.run { _ in } }
            defer { group.cancelAll() }
            let event = try await signer.sign(
                EventDraft(kind: 1, tags: [["t", "x"]], content: "hi", createdAt: bench.time.now()))
            #expect(event.pubkey == TestPerson.alice.publicKey)
            for cipher in ContentCipher.allCases {
                let payload = try await signer.encrypt("x", for: TestPerson.carol.publicKey, by: cipher)
                #expect(try await signer.decrypt(payload, from: TestPerson.carol.publicKey, by: cipher) == "x")
            }
            try await signer.ping()
            await signer.logout()
        }
    }

    @Test("by the signer's token", arguments: [0, 1])
    func token(dead: Int) async throws {
        try await withSigner { bench, live in
            let token = try await live.invitation().uri
            #expect(Set(token.relays) == Set(bench.relays))
            bench.ether.kill(bench.relays[dead])
            let pairing = try await attempt(bench, token).run()
            #expect(pairing.user == TestPerson.alice.publicKey)
            guard var client = try await live.client(.remote(bench.client.publicKey)) else {
                throw SigningFailure.refused
            }
            client.trust = .full
            try await live.update(client)
            try await use(pairing, bench)
            // The same token lets nobody else in.
            #expect(try await live.invitation().uri.secret != token.secret)
        }
    }

    @Test("an answer that is lost is asked for again, and yet the person is asked once and the note is signed once")
    func lostAnswer() async throws {
        try await withSigner { bench, live in
            let pairing = try await attempt(bench, try await live.invitation().uri).run()
            var client = try #require(try await live.client(.remote(bench.client.publicKey)))
            client.trust = .low
            try await live.update(client)
            let signer = RemoteSigner(
                pairing, client: bench.client, network: bench.ether, time: bench.time, log: Self.log)
            /// The events by one of both sides, each once.
            @Sendable func sent(by who: PublicKey) -> Set<EventID> {
                Set(bench.ether.passed.map(\.event).filter { $0.pubkey == who }.map(\.id))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await signer.run { _ in } }
                defer { group.cancelAll() }
                let draft = EventDraft(kind: 1, tags: [], content: "once", createdAt: bench.time.now())
                let signing = Task { await Result { try await signer.sign(draft) } }
                defer { signing.cancel() }
                let changes = await live.changes()
                if try await live.waiting().isEmpty {
                    for await _ in changes {
                        if try await !live.waiting().isEmpty { break }
                    }
                }
                let asked = sent(by: bench.client.publicKey).count
                bench.clock.advance(by: .seconds(5))
                await bench.ether.wait { sent(by: bench.client.publicKey).count > asked }
                let waiting = try await live.waiting()
                #expect(waiting.count == 1)
                bench.ether.lose(by: [TestPerson.alice.publicKey])
                let answered = sent(by: TestPerson.alice.publicKey).count
                #expect(try await live.decide(waiting.map(\.id), .once(allow: true), knowingLoss: false).count == 1)
                await bench.ether.wait { sent(by: TestPerson.alice.publicKey).count > answered }
                bench.ether.lose(by: [])
                let event = try await bench.advancing { await signing.value }.get()
                #expect(event.content == "once" && event.pubkey == TestPerson.alice.publicKey)
                #expect(try await live.waiting().isEmpty)
                let lines = try await live.activity(ActivityQuery()).filter { $0.method == "sign_event" }
                // The newest first: asked about once, done once.
                #expect(lines.map(\.outcome) == [.done, .waiting] && lines.first?.rule == .person)
            }
        }
    }

    @Test("by Linnet's invitation", arguments: [0, 1])
    func invitation(dead: Int) async throws {
        try await withSigner { bench, live in
            let attempt = PairingAttempt(
                inviting: bench.client, over: bench.relays, metadata: ClientMetadata(name: "Linnet"),
                network: bench.ether, time: bench.time, log: Self.log)
            guard case .invitation(let invitation) = attempt.way else { throw SigningFailure.wrongAnswer }
            bench.ether.kill(bench.relays[dead])
            async let pairing = attempt.run()
            for await state in attempt.states() where state == .waiting { break }
            // It waits between its greetings, by the test's clock.
            async let accepted = bench.advancing {
                await Result { try await live.accept(invitation, name: nil, trust: .full, grants: []) }
            }
            let found = try await pairing
            _ = try await accepted.get()
            #expect(found.user == TestPerson.alice.publicKey)
            try await use(found, bench)
        }
    }
}
