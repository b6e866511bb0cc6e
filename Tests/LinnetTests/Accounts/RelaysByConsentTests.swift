import AsyncPrimitives
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import linnet

@Suite("Relays that ask who reads, and a signer elsewhere", .timeLimit(.minutes(10)))
struct RelaysByConsentTests {
    /// What the authenticator waits on; connections have a clock of their own.
    private let clock = ManualClock()
    private let signer = RefusingSigner()
    private let required = Reason(.authRequired, "who are you")

    private func eightRelays() throws -> [RelayURL] {
        try (1...8).map { try RelayURL("wss://relay\($0).example") }
    }

    /// An account whose person said yes to all of these relays, and which relays those are.
    private func allowing(_ relays: [RelayURL]) async throws -> (account: LiveAccount, listed: ListedRelays) {
        let clock = clock
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_700_000_000) + clock.now.offset }
        let account = LiveAccount(
            publicKey: TestPerson.alice.publicKey, signer: nil, store: MemoryEventStore(now: now),
            records: MemoryRecordStore(),
            network: RelayPool(
                transport: ScriptedTransport(), clock: clock, wall: now, logger: Logger(label: "test")),
            configuration: AccountConfiguration(routing: RoutingPolicy(), searchRelays: []),
            time: Time(clock: clock, now: now))
        for relay in relays { try await account.answer(.always, for: relay) }
        let listed = ListedRelays()
        listed.serve(account)
        return (account, listed)
    }

    private func challenge(_ name: String, of relay: RelayURL) -> EventDraft {
        RelayAuthentication.draft(
            relay: relay, challenge: name, createdAt: Timestamp(seconds: 1_700_000_000))
    }

    @Test("a relay is named where its address was typed, and no longer once that is taken back")
    func typed() async throws {
        let near = try RelayURL("ws://192.168.1.5:7777")
        let (account, listed) = try await allowing([])
        #expect(!listed.contains(near))
        account.services.gossip.use(typed: [near], for: .drafts)
        #expect(listed.contains(near))
        account.services.gossip.use(typed: [], for: .circles)
        #expect(listed.contains(near))
        account.services.gossip.use(typed: [], for: .drafts)
        #expect(!listed.contains(near) && !ListedRelays().contains(near))
    }

    @Test("eight relays that insist, and connect three times each, ask a signer that says no eight times")
    func reconnects() async throws {
        let relays = try eightRelays()
        let (account, listed) = try await allowing(relays)
        let authenticator = RelaysByConsent(signer: signer, relays: listed, clock: clock)
        let network = ScriptedTransport()
        let ticking = ManualClock()
        let pool = RelayPool(
            transport: network, authenticator: authenticator, clock: ticking,
            wall: { Timestamp(seconds: 1_700_000_000) + ticking.now.offset }, random: { 0.5 },
            logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            // Whoever waits to connect again gets there.
            group.addTask {
                while !Task.isCancelled {
                    ticking.advance(by: .seconds(1))
                    await Task.yield()
                }
            }
            defer { group.cancelAll() }
            for relay in relays { try await insist(relay, on: network, pool) }
            #expect(signer.asked == 8)
            try await account.answer(.always, for: relays[0])
            try await insist(relays[0], on: network, pool)
            #expect(signer.asked == 9)
        }
    }

    /// A relay takes three connections, wants to know on each who reads, does not learn it, and ends it.
    private func insist(_ relay: RelayURL, on network: ScriptedTransport, _ pool: RelayPool) async throws {
        let subscription = await pool.subscribe([relay: [Filter(kinds: [1])]])
        var updates = subscription.updates.makeAsyncIterator()
        for round in 0..<3 {
            let connection = await network.connection(to: relay)
            connection.deliver(.auth(challenge: "\(round)"))
            let (id, _) = try #require(await connection.request())
            connection.deliver(.closed(id, required))
            var update = await updates.next()
            while update != nil, update != .interrupted(relay, .unauthenticated(.notSigned)) {
                update = await updates.next()
            }
            connection.end(.closed(code: 1006))
        }
        await subscription.cancel()
    }

    @Test("it is asked for one relay after the other, and for each once")
    func oneAtATime() async throws {
        let relays = try eightRelays()
        let listed = try await allowing(relays).listed
        let authenticator = RelaysByConsent(signer: signer, relays: listed, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<3 {
                for relay in relays {
                    let draft = challenge("\(round)", of: relay)
                    group.addTask { _ = await authenticator.answer(draft, for: relay) }
                }
            }
        }
        #expect(signer.asked == 8)
        #expect(signer.mostAtOnce == 1)
    }

    @Test("after a no it is asked again in some minutes, or when the person answers for the relay anew")
    func rest() async throws {
        let relay = try RelayURL("wss://relay.example")
        let (account, listed) = try await allowing([relay])
        let authenticator = RelaysByConsent(signer: signer, relays: listed, clock: clock)
        func isAsked() async -> Bool {
            let before = signer.asked
            _ = await authenticator.answer(challenge("c", of: relay), for: relay)
            return signer.asked > before
        }
        #expect(await isAsked())
        clock.advance(by: .seconds(299))
        #expect(await !isAsked())
        clock.advance(by: .seconds(1))
        #expect(await isAsked())
        #expect(await !isAsked())
        try await account.answer(.always, for: relay)
        #expect(await isAsked())
        #expect(await !isAsked())
    }

    @Test("a person who does not answer is not asked again at once")
    func silence() async throws {
        let relay = try RelayURL("wss://relay.example")
        let silent = RefusingSigner(failing: nil)
        let authenticator = RelaysByConsent(signer: silent, relays: try await allowing([relay]).listed, clock: clock)
        let draft = challenge("c", of: relay)
        async let first = authenticator.answer(draft, for: relay)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        #expect(await first == nil)
        #expect(await authenticator.answer(draft, for: relay) == nil)
        #expect(silent.asked == 1)
    }

    @Test(
        "one that cannot be asked at all is asked as soon as a relay insists anew",
        arguments: [SigningFailure.locked, .unreachable, .noPage])
    func away(failure: SigningFailure) async throws {
        let relay = try RelayURL("wss://relay.example")
        let away = RefusingSigner(failing: failure)
        let authenticator = RelaysByConsent(signer: away, relays: try await allowing([relay]).listed, clock: clock)
        for round in 1...3 {
            #expect(await authenticator.answer(challenge("\(round)", of: relay), for: relay) == nil)
            #expect(away.asked == round)
        }
    }

    @Test("a relay is answered before it insists only where nobody has to be asked")
    func consent() async throws {
        let (allowed, other) = (try RelayURL("wss://relay.example"), try RelayURL("wss://other.example"))
        let listed = try await allowing([allowed]).listed
        let elsewhere = RelaysByConsent(signer: signer, relays: listed, clock: clock)
        #expect(await elsewhere.consent(for: allowed) == .ask)
        #expect(await elsewhere.consent(for: other) == .never)
        let here = RelaysByConsent(signer: LocalSigner(TestPerson.alice.secretKey), relays: listed, clock: clock)
        #expect(await here.consent(for: allowed) == .allow)
        #expect(await here.consent(for: other) == .never)
        #expect(await here.answer(challenge("c", of: allowed), for: allowed) != nil)
        #expect(await here.answer(challenge("c", of: other), for: other) == nil)
    }
}

/// A signer elsewhere that signs nothing, and how often it was asked.
private final class RefusingSigner: EventSigner {
    private struct Questions {
        var asked = 0
        var open = 0
        var mostAtOnce = 0
    }

    let publicKey = TestPerson.alice.publicKey
    private let questions = Mutex(Questions())
    private let failure: SigningFailure?

    /// - Parameter failure: why it signs nothing; `nil` when it does not even say no.
    init(failing failure: SigningFailure? = .refused) {
        self.failure = failure
    }

    var asked: Int { questions.withLock { $0.asked } }
    var mostAtOnce: Int { questions.withLock { $0.mostAtOnce } }

    func sign(_ draft: EventDraft) async throws -> Event {
        questions.withLock { questions in
            questions.asked += 1
            questions.open += 1
            questions.mostAtOnce = max(questions.mostAtOnce, questions.open)
        }
        // Whoever else could get in does so now.
        for _ in 0..<20 { await Task.yield() }
        questions.withLock { $0.open -= 1 }
        if let failure { throw failure }
        // Until whoever asked gives up.
        await Doorbell().wait()
        throw CancellationError()
    }

    func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        throw SigningFailure.refused
    }

    func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        throw SigningFailure.refused
    }

    func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        throw SigningFailure.refused
    }
}
