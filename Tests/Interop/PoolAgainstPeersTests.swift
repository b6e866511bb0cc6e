import Foundation
import Logging
import NostrCore
import NostrRelay
import NostrTesting
import Testing
import WebSocketNIO

/// A relay that is not ours.
enum PeerRelay: String, CaseIterable, CustomTestStringConvertible {
    case sdk = "sdk_relay.py"
    case python = "python_relay.py"

    var testDescription: String { self == .sdk ? "nostr-sdk's relay" : "nostr-relay" }
}

@Suite(
    "Our pool against other relays", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct PoolAgainstPeersTests {
    let notes = Filter(kinds: [1])

    @Test("an event is published, known on a second offer, and fetched back", arguments: PeerRelay.allCases)
    func publishes(_ peer: PeerRelay) async throws {
        try await withRelay(peer) { relay, pool in
            let note = TestPerson.alice.event("hello ✓ \"quoted\" \n", tags: [["t", "interop"]], at: now())
            guard case .accepted = await pool.publish(note, to: relay, deadline: .seconds(60)),
                case .accepted = await pool.publish(note, to: relay, deadline: .seconds(60))
            else { throw Surprise.notAccepted }
            let filters = [
                Filter(ids: [note.id]), Filter(authors: [TestPerson.alice.publicKey], tags: ["t": ["interop"]]),
                Filter(kinds: [0]),
            ]
            for (filter, expected) in zip(filters, [[note], [note], []]) {
                let (events, ending) = await fetch(pool, relay, [filter])
                #expect(events == expected)
                #expect(ending == .complete)
            }
        }
    }

    @Test("a subscription brings what is published after it", arguments: PeerRelay.allCases)
    func live(_ peer: PeerRelay) async throws {
        try await withRelay(peer) { relay, pool in
            let subscription = await pool.subscribe([relay: [Filter(kinds: [1], since: Timestamp(seconds: now() - 60))]]
            )
            var updates = subscription.updates.makeAsyncIterator()
            #expect(await updates.next() == .live(relay))
            let note = TestPerson.bob.event("live", at: now())
            try await withPool { other in
                guard case .accepted = await other.publish(note, to: relay, deadline: .seconds(60)) else {
                    throw Surprise.notAccepted
                }
            }
            #expect(await updates.next() == .events([note], from: relay))
            await subscription.cancel()
        }
    }

    @Test("more events than the relay gives at once are paged to the last", arguments: PeerRelay.allCases)
    func pages(_ peer: PeerRelay) async throws {
        let count = peer == .sdk ? 1300 : 350
        try await withRelay(peer) { relay, pool in
            // Three to a second, so that pages are cut within seconds.
            let sent = (0..<count).map { TestPerson.carol.event("\($0)", at: now() - 1000 + Int64($0 / 3)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for note in sent {
                    group.addTask {
                        guard case .accepted = await pool.publish(note, to: relay, deadline: .seconds(300)) else {
                            throw Surprise.notAccepted
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (events, ending) = await fetch(pool, relay, [Filter(authors: [TestPerson.carol.publicKey])])
            #expect(ending == .complete)
            let missing = Set(sent.map(\.id)).subtracting(events.map(\.id)).count
            #expect(missing == 0)
            let (newest, _) = await fetch(pool, relay, [Filter(kinds: [1], limit: 10)])
            #expect(newest.count == 10)
        }
    }

    @Test("a relay that wants to know who asks is answered only with consent")
    func authentication() async throws {
        try await withRelay(.sdk, ["auth"], Consent(consent: .never)) { relay, pool in
            let (events, ending) = await fetch(pool, relay, [notes])
            #expect(events.isEmpty)
            guard case .closed(let reason) = ending, reason.prefix == .authRequired else { throw Surprise.notRefused }
        }
        try await withRelay(.sdk, ["auth"], Consent(consent: .ask)) { relay, pool in
            let note = TestPerson.alice.event("for those I know", at: now())
            guard case .accepted = await pool.publish(note, to: relay, deadline: .seconds(60)) else {
                throw Surprise.notAccepted
            }
            let (events, ending) = await fetch(pool, relay, [notes])
            #expect(events == [note])
            #expect(ending == .complete)
        }
    }

    private func fetch(_ pool: RelayPool, _ relay: RelayURL, _ filters: [Filter]) async -> ([Event], RelayEnding?) {
        var events: [Event] = []
        var ending: RelayEnding?
        for await update in await pool.fetch([relay: filters], deadline: .seconds(120)) {
            switch update {
            case .events(let more, _): events += more
            case .ended(_, let how): ending = how
            }
        }
        return (events, ending)
    }

    private func withRelay(
        _ peer: PeerRelay, _ arguments: [String] = [], _ consent: Consent? = nil,
        _ body: (RelayURL, RelayPool) async throws -> Void
    ) async throws {
        try await Peer.run(peer.rawValue, arguments) { _, address in
            let relay = try RelayURL(address)
            try await withPool(consent) { try await body(relay, $0) }
        }
    }
}

enum Surprise: Error { case notAccepted, notRefused }

func now() -> Int64 { Int64(Date.now.timeIntervalSince1970) }

/// Runs a pool on real sockets.
func withPool(_ authenticator: Consent? = nil, _ body: (RelayPool) async throws -> Void) async throws {
    let pool = RelayPool(
        transport: try WebSocketTransport(), authenticator: authenticator, wall: { Timestamp(seconds: now()) },
        logger: Logger(label: "interop"))
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        defer { group.cancelAll() }
        try await body(pool)
    }
}

/// Alice, who lets relays know her or not.
struct Consent: RelayAuthenticator {
    let consent: AuthenticationConsent

    func consent(for relay: RelayURL) async -> AuthenticationConsent { consent }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        var random = SystemRandomNumberGenerator()
        return Event(signing: draft, with: TestPerson.alice.secretKey, using: &random)
    }
}
