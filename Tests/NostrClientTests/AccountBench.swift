import AccountTesting
import AsyncPrimitives
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

/// Alice's account over a memory store and scripted relays, with time that stands still.
struct AccountBench {
    static let start: Int64 = 1_700_000_000

    /// When this bench's time begins.
    let start: Timestamp
    let clock = ManualClock()
    let network: ScriptedNetwork
    let store: MemoryEventStore
    let records: any RecordStore
    let account: LiveAccount
    let configuration: AccountConfiguration

    init(
        records: any RecordStore = MemoryRecordStore(), canSign: Bool = true, after span: Duration = .zero,
        names: (any NamesFetching)? = nil, payees: (any PayeeFetching)? = nil,
        _ change: (inout AccountConfiguration) -> Void = { _ in }
    ) {
        let clock = self.clock
        let start = Timestamp(seconds: Self.start) + span
        self.start = start
        let now: @Sendable () -> Timestamp = { start + clock.now.offset }
        network = ScriptedNetwork(clock: clock)
        store = MemoryEventStore(now: now)
        self.records = records
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")]),
            searchRelays: [relay("search")])
        configuration.coalescing = .zero
        configuration.tendsInbox = false
        change(&configuration)
        self.configuration = configuration
        account = LiveAccount(
            publicKey: TestPerson.alice.publicKey,
            signer: canSign ? LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1)) : nil,
            store: store, records: records, versions: store, network: network, names: names, payees: payees,
            configuration: configuration, time: Time(clock: clock, now: now), randomness: SeededRandom(seed: 2))
    }

    /// The same person's account on another device: the same relays, a store of its own.
    func anotherDevice() -> (account: LiveAccount, store: MemoryEventStore) {
        let clock = self.clock
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: Self.start) + clock.now.offset }
        let store = MemoryEventStore(now: now)
        let account = LiveAccount(
            publicKey: TestPerson.alice.publicKey,
            signer: LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 3)), store: store,
            records: MemoryRecordStore(), versions: store, network: network, configuration: configuration,
            time: Time(clock: clock, now: now), randomness: SeededRandom(seed: 4))
        return (account, store)
    }

    /// Another account over the same store and relays, with a signer that comes and goes.
    func account(signer: any EventSigner, records: any RecordStore = MemoryRecordStore()) -> LiveAccount {
        let clock = self.clock
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: Self.start) + clock.now.offset }
        return LiveAccount(
            publicKey: signer.publicKey, signer: signer, store: store, records: records, versions: store,
            network: network, configuration: configuration, time: Time(clock: clock, now: now),
            randomness: SeededRandom(seed: 5))
    }

    /// Runs the account while a test looks at it.
    func running(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { await self.account.run() }
            try await body()
            group.cancelAll()
        }
    }

    /// Waits until something holds; fails when it still does not after three minutes.
    ///
    /// Looks again at every change of the account and of its store, and now and then for what is not announced, as a
    /// question that reached a scripted relay.
    func eventually(
        _ what: Testing.Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(180))
        let bell = Doorbell()
        let (changes, stored) = (await account.changes(), await store.changes())
        try await withThrowingTaskGroup { group in
            group.addTask { for await _ in changes { bell.ring() } }
            group.addTask { for await _ in stored { bell.ring() } }
            defer { group.cancelAll() }
            while ContinuousClock.now < end {
                if try await holds() { return }
                await bell.wait(atMost: .milliseconds(5), on: ContinuousClock())
            }
            Issue.record(what, sourceLocation: sourceLocation)
        }
    }

    /// Alice follows Bob and Carol; everybody has a relay list; all of it is on the indexer.
    func layOutPeople() {
        network.put(
            [
                TestPerson.alice.event(
                    kind: 3, tags: [["p", TestPerson.bob.publicKey.hex], ["p", TestPerson.carol.publicKey.hex]]),
                TestPerson.alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]]),
                TestPerson.bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]]),
                TestPerson.carol.event(kind: 10_002, tags: [["r", "wss://carol.example"]]),
                TestPerson.bob.event(#"{"name":"bob"}"#, kind: 0),
            ], on: relay("index"), relay("mine"))
    }

    /// All of a timeline, page by page to its end.
    func scrolled(_ source: TimelineSource) async throws -> [EventID] {
        var cursor: TimelineCursor?
        var seen: [EventID] = []
        // Listened to from before the first page on, so that no end of a request is missed.
        var changes = await account.changes().makeAsyncIterator()
        while true {
            let page = try await account.timeline.page(source, before: cursor, limit: 50)
            seen += page.notes.map(\.id)
            if page.next == nil, !page.isLoadingOlder { break }
            cursor = page.notes.last.map { TimelineCursor(createdAt: $0.event.createdAt, id: $0.id) } ?? cursor
            if page.notes.isEmpty, await changes.next() == nil { break }
        }
        return seen
    }

    func home() async throws -> [Note] {
        try await account.timeline.page(.home, before: nil, limit: 50).notes
    }
}

/// A moment near the start of the tests.
func seconds(_ offset: Int64) -> Int64 { AccountBench.start + offset }
