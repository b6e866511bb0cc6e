import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

/// Searches over what is here and what relays find.
@Suite("searching", .timeLimit(.minutes(10)))
struct SearchingTests {
    let dave = TestPerson.dave

    @Test("what a relay finds that no index here would stands between what the index here finds, newest first")
    func merged() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        _ = await bench.store.save(
            [dave.event("heron one", at: seconds(-10)), dave.event("heron two", at: seconds(-30))], from: nil)
        bench.network.put([dave.event("herons are grey", at: seconds(-20))], on: relay("search"))
        let question = SearchQuestion("heron")
        try await bench.running {
            let first = try await bench.account.timeline.search(question, before: nil, limit: 5)
            #expect(first.notes.notes.map(\.event.content) == ["heron one", "heron two"])
            try await bench.eventually("the relay has answered") {
                try await bench.account.timeline.search(question, before: nil, limit: 5).relays
                    == [SearchedRelay(relay("search"), .answered)]
            }
            let merged = try await bench.account.timeline.search(question, before: nil, limit: 5)
            #expect(merged.notes.notes.map(\.event.content) == ["heron one", "herons are grey", "heron two"])
        }
    }

    @Test("dates and authors narrow what is here")
    func narrowed() async throws {
        let bench = AccountBench()
        _ = await bench.store.save(
            [
                dave.event("heron old", at: 1_600_000_000), dave.event("heron new", at: seconds(-10)),
                TestPerson.carol.event("heron hers", at: seconds(-20)),
            ], from: nil)
        let search = { (text: String) in
            try await bench.account.timeline.search(SearchQuestion(text, scope: .here), before: nil, limit: 5)
                .notes.notes.map(\.event.content)
        }
        let recent = try await search("heron since:2023-01-01 from:\(dave.publicKey.npub)")
        #expect(recent == ["heron new"])
        let old = try await search("heron until:2021-01-01")
        #expect(old == ["heron old"])
        let hers = try await search("from:\(TestPerson.carol.publicKey.hex)")
        #expect(hers == ["heron hers"])
    }

    @Test("this machine alone asks nobody; one relay is the only one asked")
    func scopes() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            let here = try await bench.account.timeline.search(
                SearchQuestion("heron", scope: .here), before: nil, limit: 5)
            #expect(!here.notes.isLoadingOlder && here.relays.isEmpty)
            let question = SearchQuestion("heron", scope: .relay(relay("bob")))
            _ = try await bench.account.timeline.search(question, before: nil, limit: 5)
            try await bench.eventually("it is over") {
                let found = try await bench.account.timeline.search(question, before: nil, limit: 5)
                return !found.notes.isLoadingOlder && found.relays.map(\.relay) == [relay("bob")]
            }
            #expect(!bench.network.questions.contains { $0.relay == relay("search") })
        }
    }

    @Test("a relay in a private network that was not chosen is told as that, and asked once the network lets it be")
    func notChosen() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let near = try RelayURL("ws://192.168.1.5:7777")
        bench.network.set(near, .unnamed)
        try await bench.running {
            let question = SearchQuestion("heron", scope: .relay(near))
            _ = try await bench.account.timeline.search(question, before: nil, limit: 5)
            try await bench.eventually("it is told") {
                try await bench.account.timeline.search(question, before: nil, limit: 5).relays
                    == [SearchedRelay(near, .notChosen)]
            }
            bench.network.set(near, .answers)
            await bench.account.didAllow(near)
            #expect(bench.network.retried == [near])
            // The same question, and at once.
            try await bench.eventually("it answers") {
                try await bench.account.timeline.search(question, before: nil, limit: 5).relays
                    == [SearchedRelay(near, .answered)]
            }
        }
    }

    @Test("relays on the account's list of search relays are its choice")
    func listed() async throws {
        let bench = AccountBench()
        let near = try RelayURL("ws://nas.local")
        let gossip = bench.account.services.gossip
        #expect(!gossip.isChosen(near))
        _ = await bench.store.save(
            [TestPerson.alice.event(kind: 10_007, tags: [["relay", near.text]], at: seconds(-9))], from: nil)
        // Whatever reads a page learns from what is stored first.
        _ = try await bench.account.timeline.search(SearchQuestion("heron", scope: .here), before: nil, limit: 5)
        #expect(gossip.isChosen(near))
    }

    @Test("an article's address leads to it")
    func address() async throws {
        let bench = AccountBench()
        let article = dave.event("Long.", kind: 30_023, tags: [["d", "slow"], ["title", "Slow"]], at: seconds(-10))
        _ = await bench.store.save([article], from: nil)
        let address = try #require(article.address)
        let code = try NostrEntity.naddr(AddressPointer(address: address)).encoded()
        let found = try await bench.account.timeline.search(SearchQuestion(code), before: nil, limit: 5)
        #expect(found.notes.notes.map(\.id) == [article.id])
    }
}
