import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// The first run of an account, over scripted relays.
@Suite(.timeLimit(.minutes(10)))
struct FirstRunTests {
    private var alice: PublicKey { TestPerson.alice.publicKey }

    private func bench(records: any RecordStore = MemoryRecordStore()) -> AccountBench {
        AccountBench(records: records) { configuration in
            configuration.firstRun = .within([relay("index")])
            configuration.firstRun.activePeople = [relay("busy")]
            configuration.firstRun.usualRelays = [relay("usual")]
            configuration.firstRun.creators = [TestPerson.dave.publicKey]
            configuration.tendsInbox = true
        }
    }

    private func event(_ kind: Kind, on place: RelayURL, of bench: AccountBench) -> Event? {
        bench.network.offers.last { $0.relay == place && $0.event.kind == kind && $0.event.pubkey == alice }?.event
    }

    @Test(
        "relays that were chosen are published as a list and as inbox, to themselves and to the indexers, and no others"
    )
    func relays() async throws {
        let bench = bench()
        let run = try #require(bench.account.firstRun)
        try await bench.running {
            try await run.begin(name: "Ada")
            try await bench.eventually("relays were looked for") { await run.relays()?.phase == .over }
            #expect(await run.relays()?.choice == [relay("usual")])
            #expect(!bench.network.offers.contains { $0.event.pubkey == alice })
            try await run.publish(relays: [relay("one"): .both, relay("two"): .read])
            try await bench.eventually("the list is at the indexer") {
                event(10_002, on: relay("index"), of: bench) != nil
                    && event(10_050, on: relay("index"), of: bench) != nil
            }
            let list = try #require(event(10_002, on: relay("index"), of: bench).flatMap(RelayList.init))
            #expect(list.writeRelays == [relay("one")])
            #expect(Set(list.readRelays) == [relay("one"), relay("two")])
            try await bench.eventually("it is at the relay it names") {
                event(10_002, on: relay("one"), of: bench) != nil
            }
            #expect(
                event(10_050, on: relay("index"), of: bench).flatMap(PublicList.init)?.relays == [
                    relay("one"), relay("two"),
                ])
            #expect(Set(try await run.relayReceipts().map(\.relay)).isSuperset(of: [relay("one"), relay("index")]))
            // Chosen anew, the list is what was chosen.
            bench.clock.advance(by: .seconds(1))
            try await run.publish(relays: [relay("three"): .both])
            #expect(try await bench.account.ownRelays.current().entries.map(\.relay) == [relay("three")])
        }
    }

    @Test("without a network every step can be done, and what was done goes out later")
    func offline() async throws {
        let bench = bench()
        for name in ["index", "fallback", "usual", "busy", "one"] { bench.network.set(relay(name), .dead) }
        let run = try #require(bench.account.firstRun)
        try await bench.running {
            try await run.begin(name: "Ada")
            try await run.publish(relays: [relay("one"): .both])
            _ = try await bench.account.profile.update(["name": "Ada"])
            _ = try await run.follow([TestPerson.bob.publicKey, alice])
            _ = try await run.publish(topics: ["birds", "Bread"])
            let own = await bench.store.query([Filter(authors: [alice])])
            #expect(Set(own.map(\.kind)) == [0, 3, 10_002, 10_050, 30_015])
            // The own key is not followed.
            #expect(own.first { $0.kind == 3 }.flatMap(FollowList.init)?.keys == [TestPerson.bob.publicKey])
            let topics = try #require(own.first { $0.kind == 30_015 })
            #expect(topics.tags == [["d", "interests"], ["title", "Interests"], ["t", "birds"], ["t", "bread"]])
            bench.network.set(relay("one"), .answers)
            bench.clock.advance(by: .seconds(3_600))
            try await bench.eventually("it went out") { event(0, on: relay("one"), of: bench) != nil }
        }
    }

    @Test("who goes home at once is announced by the usual relays and the name, also after a restart")
    func leaving() async throws {
        let records = MemoryRecordStore()
        let bench = bench(records: records)
        let run = try #require(bench.account.firstRun)
        try await run.begin(name: "Ada")
        try await run.apply(.left)
        #expect(bench.network.offers.isEmpty)
        let again = self.bench(records: records)
        try await again.running {
            try await again.eventually("the name is at the indexer") {
                event(0, on: relay("index"), of: again)?.content.contains("Ada") == true
                    && event(10_002, on: relay("index"), of: again) != nil
            }
        }
        #expect(await again.account.firstRun?.progress()?.isOver == true)
    }

    @Test("a key made in a terminal is announced by the first start with it, once")
    func noted() async throws {
        let records = MemoryRecordStore()
        let bench = bench(records: records)
        try await FirstRunProgress.noteNewKey(name: "Ada", in: records, now: bench.start)
        try await bench.running {
            #expect(await bench.account.firstRun?.progress()?.current == nil)
            try await bench.eventually("list and name are at the indexer and where the account writes") {
                event(0, on: relay("index"), of: bench)?.content.contains("Ada") == true
                    && event(10_002, on: relay("index"), of: bench) != nil
                    && event(10_002, on: relay("fallback"), of: bench) != nil
            }
            try await bench.eventually("that it was done is kept") {
                await bench.account.firstRun?.progress()?.mustAnnounce == false
            }
        }
        let again = self.bench(records: records)
        #expect(await again.account.firstRun?.progress()?.mustAnnounce == false)
    }

    @Test("where others cannot reach the relays, the first start publishes the name and no list")
    func privateNetwork() async throws {
        let near = try RelayURL("ws://192.168.1.5:7777")
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records) {
            $0.routing = RoutingPolicy(indexers: [relay("index")], fallback: [near])
            $0.tendsInbox = true
        }
        try await FirstRunProgress.noteNewKey(name: "Ada", in: records, now: bench.start)
        try await bench.running {
            try await bench.eventually("that it was done is kept") {
                await bench.account.firstRun?.progress()?.mustAnnounce == false
            }
            try await bench.eventually("the name is at the relay") { event(0, on: near, of: bench) != nil }
        }
        #expect(await bench.store.query([Filter(authors: [alice])]).map(\.kind) == [0])
    }

    @Test(
        "who closes the browser on the way is announced when the key is not new any more, and goes on where they were")
    func closing() async throws {
        let bench = bench()
        let run = try #require(bench.account.firstRun)
        try await bench.running {
            try await run.begin(name: "Ada")
            try await bench.eventually("relays were looked for") { await run.relays()?.phase == .over }
            #expect(!bench.network.offers.contains { $0.event.pubkey == alice })
            bench.clock.advance(by: .seconds(7_200))
            try await bench.eventually("the name is at the indexer") {
                event(0, on: relay("index"), of: bench)?.content.contains("Ada") == true
                    && event(10_002, on: relay("index"), of: bench) != nil
            }
            #expect(await run.progress()?.current == .key)
        }
    }

    @Test("people who wrote a moment ago and have a name are offered, with those who make Nostr")
    func people() async throws {
        let bench = bench()
        let now = AccountBench.start
        for number in 0..<3 {
            let person = stranger(number)
            bench.network.put([person.event("hello", kind: 1, at: now - 60)], on: relay("busy"))
            if number < 2 { bench.network.put([person.event(#"{"name":"n\#(number)"}"#, kind: 0)], on: relay("index")) }
        }
        bench.network.put([TestPerson.dave.event(#"{"name":"dave"}"#, kind: 0)], on: relay("index"))
        let run = try #require(bench.account.firstRun)
        try await bench.running {
            try await run.begin(name: "Ada")
            try await bench.eventually("people were looked for") { await run.people().isOver }
        }
        let found = await run.people()
        #expect(Set(found.active.map(\.key)) == [stranger(0).publicKey, stranger(1).publicKey])
        #expect(found.creators.map(\.key) == [TestPerson.dave.publicKey])
    }

    @Test("topics that relays list come first, each once, and the usual ones fill up")
    func topics() async throws {
        let bench = bench()
        bench.network.put(
            [
                TestPerson.bob.event(
                    kind: 30_015,
                    tags: [["d", "trending"], ["t", "Birds"], ["t", "two words"], ["t", "birds"], ["t", "gm"]])
            ], on: relay("index"))
        let run = try #require(bench.account.firstRun)
        try await bench.running {
            try await run.begin(name: "Ada")
            try await bench.eventually("topics were looked for") { await run.topics().isOver }
        }
        let found = await run.topics().topics
        #expect(found.prefix(3) == ["birds", "gm", "nostr"])
        #expect(Set(found).count == found.count && found.count <= 20)
    }

    @Test("of a key that was brought everything is found, and how many of the followed are")
    func arrival() async throws {
        let bench = bench()
        bench.layOutPeople()
        let own = [
            TestPerson.alice.event("before", at: bench.start.seconds - 3600),
            TestPerson.alice.event("+", kind: 7, at: bench.start.seconds - 60),
        ]
        bench.network.put(own, on: relay("mine"))
        try await bench.running {
            try await bench.eventually("all is found") { try await bench.account.firstRun?.arrival().isOver == true }
            // Reactions are no notes.
            try await bench.eventually("what she wrote is counted") {
                let here = await bench.store.query([Filter(authors: [alice], kinds: [7])])
                let report = try await bench.account.firstRun?.arrival()
                return !here.isEmpty && report?.notes == 1
            }
        }
        let report = try #require(try await bench.account.firstRun?.arrival())
        #expect(report.follows == 2 && report.relayLists == 2 && report.lookedUp == 2)
        #expect(report.hasRelays && !report.hasProfile)
        #expect(await bench.account.firstRun?.progress() == nil)
    }
}

/// Who is writing now.
struct ActiveAuthorsTests {
    @Test("machines, the own key, answers and what is dated ahead are left out; those writing now come first")
    func draw() {
        let now = Timestamp(seconds: 1_700_000_000)
        var authors = ActiveAuthors(own: TestPerson.alice.publicKey, now: now)
        authors.count((0..<20).map { stranger(1).event("\($0)", kind: 1, at: now.seconds - 30) })
        authors.count([
            TestPerson.alice.event("mine", at: now.seconds - 30), TestPerson.bob.event("now", at: now.seconds - 60),
            TestPerson.carol.event("before", at: now.seconds - 86_400),
            TestPerson.dave.event("answer", tags: [["e", String(repeating: "a", count: 64)]], at: now.seconds - 60),
            TestPerson.eve.event("ahead", at: now.seconds + 3_600),
        ])
        var random = SeededRandom(seed: 1)
        #expect(authors.draw(using: &random) == [TestPerson.bob.publicKey, TestPerson.carol.publicKey])
    }
}

/// The relays, people and topics that the program begins with.
struct FirstRunSourcesTests {
    @Test("every constant is an address or a key")
    func constants() {
        let standard = FirstRunSources.standard
        #expect(standard.relayLists.count == 4 && standard.usualRelays.count == 4 && standard.activePeople.count == 4)
        #expect(standard.creators.count == 2 && standard.topicLists.count == 2 && standard.usualTopics.count == 12)
    }
}
