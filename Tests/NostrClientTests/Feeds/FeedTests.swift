import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// Feeds of lists: of people, of notes, of topics.
@Suite(.timeLimit(.minutes(10)))
struct FeedTests {
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol
    let dave = TestPerson.dave

    @Test("people of a set are read where they write, also those nobody follows, without their answers to others")
    func people() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put([dave.event(kind: 10_002, tags: [["r", "wss://dave.example"]])], on: relay("index"))
        let root = carol.event("root", at: seconds(-90))
        let notes = [dave.event("one", at: seconds(-5)), dave.event("two", at: seconds(-6))]
        let answer = dave.event("answer", tags: [["e", root.id.hex, "", "root"]], at: seconds(-4))
        bench.network.put(notes + [answer], on: relay("dave"))
        bench.network.put([bob.event("bob", at: seconds(-7))], on: relay("bob"))
        bench.network.put([carol.event("not on the list", at: seconds(-3))], on: relay("carol"))
        let feed = TimelineSource.people([bob.publicKey, dave.publicKey])
        try await bench.running {
            try await bench.eventually("all of them are there") {
                let page = try await bench.account.timeline.page(feed, before: nil, limit: 50)
                return page.notes.map(\.event.content) == ["one", "two", "bob"] && !page.isLoadingOlder
            }
        }
    }

    @Test("a list's notes stand newest first; what is not here is fetched where the list says, articles too")
    func listed() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let here = bob.event("here", at: seconds(-50))
        let far = dave.event("far", at: seconds(-20))
        let article = carol.event("words", kind: 30_023, tags: [["d", "a"]], at: seconds(-30))
        bench.network.put([far], on: relay("hint"))
        bench.network.put([article], on: relay("carol"))
        _ = await bench.store.save([here], from: nil)
        let selection = NoteSelection([
            .event(EventPointer(id: here.id)), .event(EventPointer(id: far.id, relays: [relay("hint")])),
            .event(EventPointer(id: here.id)), .hashtag("birds"),
            .address(
                AddressPointer(
                    address: EventAddress(kind: 30_023, author: carol.publicKey, identifier: "a"),
                    relays: [relay("carol")])),
        ])
        #expect(selection.events.count == 2)
        try await bench.running {
            try await bench.eventually("all of it is there") {
                let page = try await bench.account.timeline.page(.listed(selection), before: nil, limit: 50)
                return page.notes.map(\.id) == [far.id, article.id, here.id] && !page.isLoadingOlder
                    && page.next == nil
            }
            let first = try await bench.account.timeline.page(.listed(selection), before: nil, limit: 2)
            let rest = try await bench.account.timeline.page(.listed(selection), before: first.next, limit: 2)
            #expect(rest.notes.map(\.id) == [here.id] && rest.next == nil)
        }
    }

    @Test("notes of several topics stand in one feed, each once, and go on below")
    func topics() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let both = dave.event("both", tags: [["t", "birds"], ["t", "bread"]], at: seconds(-1))
        let notes = (0..<120).map { dave.event("\($0)", tags: [["t", "birds"]], at: seconds(-Int64($0) - 10)) }
        bench.network.put(
            [both, dave.event("else", tags: [["t", "cars"]], at: seconds(-2))] + notes, on: relay("mine"))
        try await bench.running {
            try await bench.eventually("her own relays are known") {
                bench.network.questions.contains { $0.relay == relay("mine") }
            }
            var seen: [EventID] = []
            try await bench.eventually("all of them are there") {
                seen = try await bench.scrolled(.topics(["birds", "bread"]))
                return Set(seen).count == 121
            }
            #expect(seen.first == both.id && Set(seen).count == seen.count)
        }
    }

    @Test("whom the account mutes is in none of them")
    func muted() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put(
            [alice.event(kind: 10_000, tags: [["p", carol.publicKey.hex]])], on: relay("index"), relay("mine"))
        let hidden = carol.event("hidden", tags: [["t", "birds"]], at: seconds(-1))
        let shown = bob.event("shown", tags: [["t", "birds"]], at: seconds(-2))
        let likes = [alice, bob, dave].map { $0.event("+", kind: 7, tags: [["e", hidden.id.hex]], at: seconds(0)) }
        let other = dave.event("+", kind: 7, tags: [["e", shown.id.hex]], at: seconds(0))
        _ = await bench.store.save([hidden, shown, other] + likes, from: nil)
        let feeds: [TimelineSource] = [
            .people([bob.publicKey, carol.publicKey]), .topics(["birds"]),
            .listed(NoteSelection([.event(EventPointer(id: hidden.id)), .event(EventPointer(id: shown.id))])),
            .trending(TrendingChoice(.reactions, .today)),
        ]
        try await bench.running {
            try await bench.eventually("the mutes are here") { await bench.account.lists?.mutes().people.count == 1 }
            for feed in feeds {
                let page = try await bench.account.timeline.page(feed, before: nil, limit: 50)
                #expect(page.notes.map(\.id) == [shown.id], "\(feed)")
            }
        }
    }

    @Test("while a feed is looked at, what is written comes by itself and is announced")
    func live() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put([dave.event(kind: 10_002, tags: [["r", "wss://dave.example"]])], on: relay("index"))
        let feeds: [TimelineSource] = [.people([dave.publicKey]), .relays([relay("browsed")])]
        try await bench.running {
            for feed in feeds {
                try await bench.eventually("its relays have answered") {
                    try await !bench.account.timeline.page(feed, before: nil, limit: 50).isLoadingOlder
                }
            }
            let changes = await bench.account.changes()
            let notes = [dave.event("new", at: seconds(1)), carol.event("browsed", at: seconds(2))]
            try await bench.eventually("both are announced and shown") {
                bench.network.arrive(notes[0], on: relay("dave"))
                bench.network.arrive(notes[1], on: relay("browsed"))
                let first = try await bench.account.timeline.page(feeds[0], before: nil, limit: 50).notes
                let second = try await bench.account.timeline.page(feeds[1], before: nil, limit: 50).notes
                return first.map(\.id) == [notes[0].id] && second.map(\.id) == [notes[1].id]
            }
            var open = Set(notes.map(\.id))
            for await change in changes {
                if case .feedNote(let feed, let id, _, _) = change, feeds.contains(feed) { open.remove(id) }
                if open.isEmpty { break }
            }
            #expect(open.isEmpty)
        }
    }

    @Test("who of the followed wrote in the last ten minutes is there, who wrote last first")
    func active() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put([bob.event("now", at: seconds(-30))], on: relay("bob"))
        bench.network.put(
            [carol.event("a while ago", at: seconds(-700)), carol.event("just now", at: seconds(-10))],
            on: relay("carol"))
        _ = await bench.store.save([dave.event("nobody follows me", at: seconds(-5))], from: nil)
        try await bench.running {
            try await bench.eventually("both are there") {
                try await bench.account.timeline.activePeople(limit: 5).map(\.key) == [carol.publicKey, bob.publicKey]
            }
            #expect(try await bench.account.timeline.activePeople(limit: 1).map(\.key) == [carol.publicKey])
            bench.clock.advance(by: .seconds(580))
            #expect(try await bench.account.timeline.activePeople(limit: 5).map(\.key) == [carol.publicKey])
            // Who only likes something is there, too.
            let like = bob.event("+", kind: 7, tags: [["e", dave.event("x", at: 1).id.hex]], at: seconds(575))
            _ = await bench.store.save([like], from: nil)
            try await bench.eventually("bob is there again") {
                try await bench.account.timeline.activePeople(limit: 5).map(\.key) == [bob.publicKey, carol.publicKey]
            }
        }
    }

    @Test("what lists are called is known without opening them, and follows what changes")
    func headings() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let set = alice.event(kind: 30_000, tags: [["d", "friends"], ["title", "Friends"]], at: seconds(-9))
        _ = await bench.store.save([set], from: nil)
        try await bench.running {
            let lists = try #require(bench.account.lists)
            try await bench.eventually("it is there") {
                try await lists.headings(of: [.followSets]).map(\.title) == ["Friends"]
            }
            #expect(try await lists.headings(of: [.interestSets]).isEmpty)
            let renamed = alice.event(kind: 30_000, tags: [["d", "friends"], ["name", "Near"]], at: seconds(-1))
            _ = await bench.store.save([renamed], from: nil)
            try await bench.eventually("it has the other name") {
                try await lists.headings(of: [.followSets]).map(\.title) == ["Near"]
            }
        }
    }
}
