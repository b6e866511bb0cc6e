import NostrCore
import NostrNIPs
import NostrTesting
import Synchronization
import Testing

@testable import NostrSigner

private let bob = TestPerson.bob.publicKey

@Suite("Signing with somebody else's signer", .timeLimit(.minutes(10)))
struct RemoteSignerTests {
    private let draft = EventDraft(
        kind: 1, tags: [["t", "x"], ["p", "y", "z"]], content: "hi \u{1F33B}\n\"",
        createdAt: Timestamp(seconds: 1_700_000_001))

    @Test("every method, with one of two relays down", arguments: [0, 1], [ContentCipher.nip44, .nip04])
    func everyMethod(dead: Int, cipher: ContentCipher) async throws {
        let bench = try RemoteBench()
        bench.ether.kill(bench.relays[dead])
        try await bench.run(cipher: cipher) { signer, bunker in
            let event = try await signer.sign(draft)
            #expect(event.pubkey == bunker.user.publicKey)
            #expect(event.content == draft.content)
            for cipher in ContentCipher.allCases {
                let payload = try await signer.encrypt("secret", for: bob, by: cipher)
                #expect(
                    try await LocalSigner(TestPerson.bob.secretKey).decrypt(
                        payload, from: signer.publicKey, by: cipher) == "secret")
                #expect(try await signer.decrypt(payload, from: bob, by: cipher) == "secret")
            }
            try await signer.ping()
            #expect(signer.state == .ready)
            await signer.logout()
            #expect(bunker.requests.last?.method == .logout)
        }
    }

    @Test("a relay that dies in the middle is made up for by the other")
    func relayDies() async throws {
        let bench = try RemoteBench()
        try await bench.run { signer, _ in
            _ = try await signer.sign(draft)
            bench.ether.kill(bench.relays[0])
            _ = try await signer.sign(draft)
            bench.ether.revive(bench.relays[0])
            bench.ether.kill(bench.relays[1])
            _ = try await signer.sign(draft)
        }
    }

    @Test("a request without an answer is sent again with the same id in a fresh event, and two answers count once")
    func resends() async throws {
        let bench = try RemoteBench()
        let count = Mutex(0)
        try await bench.run(script: { request in
            guard request.method == .signEvent else { return nil }
            // The first time to two relays at once: two events at most are one request.
            return count.withLock {
                $0 += 1; return $0
            } < 3 ? [] : nil
        }) { signer, bunker in
            let draft = draft
            _ = try await bench.advancing { await Result { try await signer.sign(draft) } }.get()
            let asked = bunker.requests.filter { $0.method == .signEvent }
            #expect(asked.count >= 2)
            #expect(Set(asked.map(\.id)).count == 1)
            let events = bench.ether.passed.filter { $0.event.pubkey == bob }.map(\.event.id)
            #expect(Set(events).count >= 3)
        }
    }

    @Test(
        "what is not what was asked for is refused",
        arguments: ["", "{}", "nonsense", "content", "tags", "kind", "time", "author", "signature"])
    func wrongEvents(how: String) async throws {
        let bench = try RemoteBench()
        let draft = draft
        try await bench.run(script: { request in
            guard request.method == .signEvent else { return nil }
            return [RemoteResponse(id: request.id, result: wrong(how, draft))]
        }) { signer, _ in
            await #expect(throws: SigningFailure.wrongAnswer) { try await signer.sign(draft) }
        }
    }

    private func wrong(_ how: String, _ draft: EventDraft) -> String {
        var (kind, tags, content, time) = (draft.kind, draft.tags, draft.content, draft.createdAt.seconds)
        switch how {
        case "content": content += "!"
        case "tags": tags.append(["x"])
        case "kind": kind = 4
        case "time": time += 1
        default: break
        }
        let person: TestPerson = how == "author" ? .eve : .alice
        switch how {
        case "content", "tags", "kind", "time", "author", "signature":
            let json = String(
                decoding: person.event(content, kind: kind, tags: tags, at: time).unverified.json, as: UTF8.self)
            return how == "signature" ? json.replacing(/"sig":"../, with: #""sig":"00"#) : json
        default: return how
        }
    }

    @Test("plain text is never taken for an encrypted one, nor nothing for a decrypted one")
    func wrongPayloads() async throws {
        let bench = try RemoteBench()
        try await bench.run(script: { request in
            switch request.method {
            case .nip44Encrypt, .nip04Encrypt: [RemoteResponse(id: request.id, result: request.parameter(1) ?? "")]
            case .nip44Decrypt: [RemoteResponse(id: request.id, result: "")]
            default: nil
            }
        }) { signer, _ in
            for cipher in ContentCipher.allCases {
                await #expect(throws: SigningFailure.wrongAnswer) {
                    try await signer.encrypt(String(repeating: "plain text ", count: 20), for: bob, by: cipher)
                }
            }
            await #expect(throws: SigningFailure.wrongAnswer) { try await signer.decrypt("x", from: bob, by: .nip44) }
        }
    }

    @Test("an error is told in the signer's words")
    func errors() async throws {
        let bench = try RemoteBench()
        try await bench.run(script: { [RemoteResponse(id: $0.id, error: "user rejected")] }) { signer, _ in
            await #expect(throws: SigningFailure.said("user rejected")) { try await signer.sign(draft) }
        }
    }

    @Test("a challenge shows its page, and the answer that follows counts")
    func challenge() async throws {
        let bench = try RemoteBench()
        let asked = Mutex<String?>(nil)
        try await bench.run(script: { request in
            guard request.method == .signEvent else { return nil }
            asked.withLock { $0 = request.id }
            return [.challenge(id: request.id, page: "https://b.example/approve")]
        }) { signer, bunker in
            async let event = signer.sign(draft)
            await signer.reaches { $0 == .waitingForApproval(page: "https://b.example/approve") }
            let id = try #require(asked.withLock { $0 })
            let signed = try await bunker.user.sign(draft)
            await bunker.send(
                RemoteResponse(id: id, result: String(decoding: signed.unverified.json, as: UTF8.self)), to: bob)
            let got = try await event
            #expect(got.id == signed.id)
            #expect(signer.state == .ready)
        }
    }

    @Test("silence ends with a name, and so does the absence of every relay")
    func silence() async throws {
        for (isDead, failure) in [(false, SigningFailure.timedOut), (true, .unreachable)] {
            let bench = try RemoteBench()
            if isDead { for relay in bench.relays { bench.ether.kill(relay) } }
            try await bench.run(script: { _ in [] }) { signer, _ in
                let draft = draft
                let result = await bench.advancing { await Result { try await signer.sign(draft) } }
                #expect(throws: failure) { try result.get() }
                #expect(signer.state == .unreachable)
            }
        }
    }

    @Test("answers by anybody else, or to nothing that was asked, count for nothing")
    func forged() async throws {
        let bench = try RemoteBench()
        let eve = LocalSigner(TestPerson.eve.secretKey)
        try await bench.run(script: { request in
            guard request.method == .ping else { return nil }
            let response = RemoteResponse(id: request.id, error: "forged").json
            // Eve knows the id; only the signer's key counts.
            if let payload = try? await eve.encrypt(response, for: bob, by: .nip44),
                let event = try? await eve.sign(
                    RemoteSigning.draft(payload, to: bob, now: Timestamp(seconds: 1_700_000_000)))
            {
                for relay in bench.relays { _ = await bench.ether.publish(event, to: relay, deadline: .zero) }
            }
            return nil
        }) { signer, bunker in
            await bunker.send(RemoteResponse(id: "nothing", error: "x"), to: bob)
            try await signer.ping()
        }
    }

    @Test("the signer moves to another relay, and is asked there from then on")
    func switchesRelays() async throws {
        let bench = try RemoteBench()
        let third = try RelayURL("wss://three.example")
        let kept = Mutex<[RelayURL]>([])
        let (moved, tell) = AsyncStream.makeStream(of: Void.self)
        try await bench.run(
            keeping: { relays in
                kept.withLock { $0 = relays }
                tell.finish()
            },
            script: { request in
                request.method == .switchRelays
                    ? [RemoteResponse(id: request.id, result: RemoteSigning.result(relays: [third]))] : nil
            }
        ) { signer, bunker in
            for await _ in moved {}
            #expect(kept.withLock { $0 } == [third])
            #expect(bench.ether.listened.contains(third))
            let elsewhere = ScriptedBunker(on: bench.ether, relays: [third])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await elsewhere.run() }
                defer { group.cancelAll() }
                let draft = draft
                _ = try await bench.advancing { await Result { try await signer.sign(draft) } }.get()
            }
            #expect(elsewhere.requests.contains { $0.method == .signEvent })
        }
    }

    @Test("when it ends, what is under way fails, and nothing is asked any more")
    func ends() async throws {
        let bench = try RemoteBench()
        try await bench.run(script: { _ in [] }) { signer, bunker in
            async let event = signer.sign(draft)
            await bunker.wait { $0.method == .signEvent }
            await signer.end()
            do {
                _ = try await event
                Issue.record("it was signed")
            } catch {
                #expect(error as? SigningFailure == .locked)
            }
            #expect(signer.isLocked)
            #expect(signer.state == .ended)
            await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
        }
    }

    // MARK: Gift wraps

    private func wraps() throws -> [Event] {
        var random = SeededRandom(seed: 4)
        let rumor = Rumor(
            EventDraft(kind: 14, tags: [], content: "hello", createdAt: Timestamp(seconds: 1_700_000_000)),
            author: TestPerson.carol.publicKey)
        let good = try GiftWrap.make(
            rumor, by: TestPerson.carol.secretKey, for: TestPerson.alice.publicKey,
            now: Timestamp(seconds: 1_700_000_000), using: &random)
        let others = try GiftWrap.make(
            rumor, by: TestPerson.carol.secretKey, for: TestPerson.eve.publicKey,
            now: Timestamp(seconds: 1_700_000_000), using: &random)
        return [good, others, TestPerson.eve.event("garbage", kind: 1059), TestPerson.eve.event("x"), good]
    }

    @Test("opens gifts in order, and names those that are none")
    func gifts() async throws {
        let bench = try RemoteBench()
        try await bench.run { signer, bunker in
            let wraps = try wraps()
            let there = try await signer.open(wraps)
            let here = try await bunker.user.open(wraps)
            #expect(there.map { try? $0.get() } == here.map { try? $0.get() })
            #expect(there.map { (try? $0.get()) == nil } == [false, true, true, true, false])
        }
    }

    @Test("a signer that refuses to decrypt is no reason to take messages for damaged")
    func refusesGifts() async throws {
        let bench = try RemoteBench()
        try await bench.run(script: { request in
            request.method == .nip44Decrypt ? [RemoteResponse(id: request.id, error: "not now")] : nil
        }) { signer, _ in
            await #expect(throws: SigningFailure.said("not now")) { try await signer.open(try wraps()) }
        }
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
