import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import Synchronization
import Testing

@Suite("Policies", .timeLimit(.minutes(10)))
struct PolicyTests {
    let alice: Author
    let bob: Author

    init() throws {
        alice = try Author(1)
        bob = try Author(2)
    }

    func authentication(
        _ author: Author, relay: String = "ws://127.0.0.1:4869", challenge: String = "challenge",
        at seconds: Int64 = testNow.seconds
    ) -> Event {
        author.sign("", kind: 22_242, tags: [["relay", relay], ["challenge", challenge]], at: seconds)
    }

    @Test("ask for authentication, once with a challenge, and let in whoever gives it")
    func authenticationToRead() async throws {
        try await withRelay(policies: RelayPolicies(ask: [requireAuthenticationToAsk()])) { clients in
            let client = clients[0]
            let home = try sub("home")
            let refusal = RelayMessage.closed(home, Reason(.authRequired, "authenticate to read here"))
            client.send(.req(home, [Filter()]))
            #expect(await client.receive() == .auth(challenge: "challenge"))
            #expect(await client.receive() == refusal)
            client.send(.count(home, [Filter()]))
            #expect(await client.receive() == refusal)
            let proof = authentication(alice)
            client.send(.auth(proof.unverified))
            client.send(.req(home, [Filter()]))
            #expect(await client.receive() == .ok(proof.id, accepted: true, fine))
            #expect(await client.receive() == .eose(home))
        }
    }

    @Test("send the challenge at once where a relay wants that")
    func challengeAtOnce() async throws {
        try await withRelay(challengesAtOnce: true) { clients in
            #expect(await clients[0].receive() == .auth(challenge: "challenge"))
        }
    }

    @Test("believe no authentication made for another relay, challenge, moment or kind")
    func badAuthentication() async throws {
        let other = alice.sign("", kind: 1, tags: [["relay", "ws://127.0.0.1:4869"], ["challenge", "challenge"]])
        let proofs = [
            (authentication(alice, relay: "ws://127.0.0.1:4870"), "meant for another relay"),
            (authentication(alice, challenge: "guess"), "not this connection's challenge"),
            (authentication(alice, at: testNow.seconds - 3600), "created_at is too far from now"),
            (other, "authentication is kind 22242"),
        ]
        try await withRelay { clients in
            for (proof, words) in proofs {
                clients[0].send(.auth(proof.unverified))
                #expect(await clients[0].receive() == .ok(proof.id, accepted: false, Reason(.invalid, words)))
            }
        }
    }

    @Test("take a protected event from its authenticated author only")
    func protected() async throws {
        let secret = alice.sign("for members", tags: [.protected])
        let refusal = RelayMessage.ok(
            secret.id, accepted: false, Reason(.authRequired, "this event may only be published by its author"))
        try await withRelay(clients: 2) { clients in
            let (mallory, author) = (clients[0], clients[1])
            for (client, who, outcome) in [
                (mallory, bob, refusal), (author, alice, .ok(secret.id, accepted: true, fine)),
            ] {
                client.send(.event(secret.unverified))
                #expect(await client.receive() == .auth(challenge: "challenge"))
                #expect(await client.receive() == refusal)
                let proof = authentication(who)
                client.send(.auth(proof.unverified))
                #expect(await client.receive() == .ok(proof.id, accepted: true, fine))
                #expect(await client.publish(secret) == outcome)
            }
        }
    }

    @Test("refuse a repost that carries a protected event")
    func protectedInside() async throws {
        let secret = alice.sign("for members", tags: [.protected])
        let inside = String(decoding: secret.unverified.json, as: UTF8.self)
        let repost = bob.sign(inside, kind: 6, tags: [["e", secret.id.hex], ["p", alice.publicKey.hex]])
        try await withRelay { clients in
            #expect(
                await clients[0].publish(repost)
                    == .ok(
                        repost.id, accepted: false,
                        Reason(.blocked, "a protected event is not passed on inside another")))
        }
    }

    @Test("never publish an authentication")
    func authenticationIsNoNote() async throws {
        let proof = authentication(alice)
        try await withRelay { clients in
            #expect(
                await clients[0].publish(proof)
                    == .ok(proof.id, accepted: false, Reason(.invalid, "authentication events are not published")))
        }
    }

    @Test("keep strangers from writing")
    func onlySomeAuthors() async throws {
        let policies = RelayPolicies(publish: [onlyAuthors([alice.publicKey], because: "members only")])
        let (hers, his) = (alice.sign("in"), bob.sign("out"))
        try await withRelay(policies: policies) { clients in
            #expect(await clients[0].publish(hers) == .ok(hers.id, accepted: true, fine))
            #expect(
                await clients[0].publish(his) == .ok(his.id, accepted: false, Reason(.restricted, "members only")))
        }
    }

    @Test("show a direct message to its parties only, stored or live")
    func parties() async throws {
        let letter = alice.sign("sealed", kind: 1059, tags: [["p", bob.publicKey.hex]])
        try await withRelay(policies: RelayPolicies(see: [onlyForParties(kinds: [1059])]), clients: 2) { clients in
            let (stranger, reader) = (clients[0], clients[1])
            let proof = authentication(bob)
            reader.send(.auth(proof.unverified))
            #expect(await reader.receive() == .ok(proof.id, accepted: true, fine))
            let inbox = try sub("inbox")
            reader.send(.req(inbox, [Filter(kinds: [1059])]))
            #expect(await reader.receive() == .eose(inbox))
            #expect(await stranger.publish(letter) == .ok(letter.id, accepted: true, fine))
            #expect(await reader.receive() == .event(inbox, letter.unverified))
            stranger.send(.req(inbox, [Filter(kinds: [1059])]))
            #expect(await stranger.receive() == .eose(inbox))
        }
    }

    @Test("tell whoever asks for private messages to authenticate first")
    func privateMessages() async throws {
        let letter = alice.sign("sealed", kind: 1059, tags: [["p", bob.publicKey.hex]])
        try await withRelay(policies: .privateMessagesForPartiesOnly, clients: 2) { clients in
            #expect(await clients[0].publish(letter) == .ok(letter.id, accepted: true, fine))
            let inbox = try sub("inbox")
            let reader = clients[1]
            reader.send(.req(inbox, [Filter(kinds: [1059])]))
            let refusal = Reason(.authRequired, "authenticate to read private messages")
            #expect(await reader.receive() == .auth(challenge: "challenge"))
            #expect(await reader.receive() == .closed(inbox, refusal))
            reader.send(.req(inbox, [Filter(ids: [letter.id])]))
            #expect(await reader.receive() == .eose(inbox))
            let proof = authentication(bob)
            reader.send(.auth(proof.unverified))
            #expect(await reader.receive() == .ok(proof.id, accepted: true, fine))
            reader.send(.req(inbox, [Filter(kinds: [1059, 21_059])]))
            #expect(await reader.receive() == .event(inbox, letter.unverified))
            #expect(await reader.receive() == .eose(inbox))
        }
    }

    @Test("refuse questions that come too fast, and take them again after a while")
    func rateLimit() async {
        let elapsed = Mutex(Duration.zero)
        let policy = limitQuestions(to: TokenRate(burst: 2, refill: .seconds(1))) { elapsed.withLock { $0 } }
        let client = ClientContext(connection: 1, peer: "", authenticated: [], now: testNow)
        let refusal = Verdict.refuse(Reason(.rateLimited, "too many questions; wait a moment"))
        #expect(await policy([], client) == .accept)
        #expect(await policy([], client) == .accept)
        #expect(await policy([], client) == refusal)
        elapsed.withLock { $0 = .seconds(1) }
        #expect(await policy([], client) == .accept)
        #expect(await policy([], client) == refusal)
    }
}
