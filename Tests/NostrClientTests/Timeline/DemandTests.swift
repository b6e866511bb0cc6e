import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// What screens lack is fetched: quoted notes, profiles, answers, conversations, searches.
@Suite(.timeLimit(.minutes(10)))
struct DemandTests {
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    @Test("a quoted note is fetched from where the quote says it is, and the quoting note is announced")
    func quoted() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let quoted = TestPerson.dave.event("original", at: seconds(-100))
        let note = bob.event("see", tags: [["q", quoted.id.hex, "wss://hint.example"]], at: seconds(-50))
        bench.network.put([note], on: relay("bob"))
        bench.network.put([quoted], on: relay("hint"))
        try await bench.running {
            try await bench.eventually("the quote is there") {
                try await bench.home().first?.quoted[quoted.id] != nil
            }
        }
    }

    @Test("profiles of strangers are asked for together")
    func profiles() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let strangers: [TestPerson] = [.dave, .eve]
        let root = bob.event("root", at: seconds(-50))
        let answers = strangers.map { $0.event("x", tags: [["e", root.id.hex, "", "root"]], at: seconds(-40)) }
        _ = await bench.store.save([root] + answers, from: nil)
        bench.network.put(strangers.map { $0.event(#"{"name":"someone"}"#, kind: 0) }, on: relay("index"))
        try await bench.running {
            try await bench.eventually("the names are there") {
                let thread = try await bench.account.timeline.thread(root.id, hints: [])
                return thread.replies.count == 2 && thread.replies.allSatisfy { !$0.note.author.fields.isEmpty }
            }
        }
        let both = Set(strangers.map(\.publicKey))
        #expect(bench.network.questions.contains { $0.filters.contains { $0.authors?.isSuperset(of: both) == true } })
    }

    @Test("what cannot be found is not asked for again and again")
    func negative() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let missing = String(repeating: "ab", count: 32)
        bench.network.put([bob.event("see", tags: [["q", missing]], at: seconds(-50))], on: relay("bob"))
        let another = String(repeating: "cd", count: 32)
        func asked(_ hex: String) throws -> Int {
            let id = try EventID(hex: hex)
            return bench.network.questions.count { $0.filters.contains { $0.ids?.contains(id) == true } }
        }
        try await bench.running {
            try await bench.eventually("it is asked for") {
                _ = try await bench.home()
                return try asked(missing) > 0
            }
            let first = try asked(missing)
            // Pages ask for what they lack together: once they have asked for this one, they would have for that.
            bench.network.arrive(bob.event("and", tags: [["q", another]], at: seconds(-40)), on: relay("bob"))
            try await bench.eventually("another one is asked for") {
                _ = try await bench.home()
                return try asked(another) > 0
            }
            let later = try asked(missing)
            #expect(later == first)
        }
    }

    @Test("a conversation is gathered from where its people read, up to the root")
    func thread() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let root = bob.event("root", at: seconds(-90))
        let middle = carol.event(
            "middle", tags: ThreadReferences.replyTags(to: root, relay: relay("bob"), author: carol.publicKey),
            at: seconds(-80))
        let focus = TestPerson.dave.event(
            "focus",
            tags: ThreadReferences.replyTags(to: middle, relay: relay("carol"), author: TestPerson.dave.publicKey),
            at: seconds(-70))
        let answer = TestPerson.eve.event(
            "answer", tags: ThreadReferences.replyTags(to: focus, relay: nil, author: TestPerson.eve.publicKey),
            at: seconds(-60))
        bench.network.put([root, answer], on: relay("bob"))
        bench.network.put([middle], on: relay("carol"))
        bench.network.put([focus], on: relay("far"))
        try await bench.running {
            try await bench.eventually("everything is there") {
                let thread = try await bench.account.timeline.thread(focus.id, hints: [relay("far")])
                return thread.ancestors.map(\.event.content) == ["root", "middle"]
                    && thread.replies.map(\.note.event.content) == ["answer"] && !thread.isLoading
            }
        }
    }

    @Test("of a long conversation relays are asked for what is older until they have given all")
    func longThread() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let root = bob.event("root", at: seconds(-9000))
        let answers = (0..<1200).map { index in
            carol.event(
                "\(index)", tags: ThreadReferences.replyTags(to: root, relay: nil, author: bob.publicKey),
                at: seconds(-8000 + Int64(index)))
        }
        bench.network.put([root] + answers, on: relay("bob"))
        try await bench.running {
            try await bench.eventually("all of it is there") {
                let thread = try await bench.account.timeline.thread(root.id, hints: [relay("bob")])
                return await bench.store.count([Filter(tags: ["e": [root.id.hex]])]) == 1200
                    && thread.replies.first?.note.event == answers[0]
            }
        }
    }

    @Test("a search asks the search relays of one's own list, and announces when they have answered")
    func search() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        _ = await bench.store.save([alice.event(kind: 10_007, tags: [["relay", "wss://finder.example"]])], from: nil)
        bench.network.put([TestPerson.dave.event("a heron", at: seconds(-50))], on: relay("finder"))
        try await bench.running {
            let changes = await bench.account.changes()
            #expect(try await bench.account.timeline.search("heron", before: nil, limit: 5).notes.notes.isEmpty)
            for await change in changes where change == .search("heron") { break }
            let found = try await bench.account.timeline.search("heron", before: nil, limit: 5)
            #expect(found.notes.notes.map(\.event.content) == ["a heron"])
            try await bench.eventually("it is over") {
                let over = try await bench.account.timeline.search("heron", before: nil, limit: 5)
                return !over.notes.isLoadingOlder && over.relays == [SearchedRelay(relay("finder"), .answered)]
            }
        }
        #expect(!bench.network.questions.contains { $0.relay == relay("search") })
    }

    @Test("a person's page brings their notes from their own relays")
    func author() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let dave = TestPerson.dave
        bench.network.put([dave.event(kind: 10_002, tags: [["r", "wss://dave.example"]])], on: relay("index"))
        bench.network.put([dave.event("old", at: seconds(-5_000_000))], on: relay("dave"))
        try await bench.running {
            try await bench.eventually("the page is known") {
                try await bench.account.people.person(dave.publicKey).writeRelays == [relay("dave")]
            }
            try await bench.eventually("the note is there") {
                let page = try await bench.account.timeline.page(
                    .author(dave.publicKey, replies: true), before: nil, limit: 5)
                return page.notes.map(\.event.content) == ["old"] && !page.isLoadingOlder
            }
        }
    }

    @Test("answers to notes on screen are asked for where their authors read")
    func engagement() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let note = bob.event("note", at: seconds(-50))
        bench.network.put(
            [note, TestPerson.dave.event("+", kind: 7, tags: [["e", note.id.hex]], at: seconds(-40))],
            on: relay("bob"))
        try await bench.running {
            try await bench.eventually("the reaction counts") { try await bench.home().first?.reactions == 1 }
        }
    }
}
