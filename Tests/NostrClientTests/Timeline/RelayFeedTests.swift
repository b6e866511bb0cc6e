import AccountTesting
import NostrClient
import NostrCore
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// Reading what relays give out, of whomever it is.
@Suite(.timeLimit(.minutes(10)))
struct RelayFeedTests {
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    @Test("a relay's feed is what that relay gave, newest first, to its end, and nothing that others gave")
    func one() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let there = (0..<260).map { carol.event("there \($0)", at: seconds(-Int64($0))) }
        bench.network.put(there + [carol.event("from tomorrow", at: seconds(90_000))], on: relay("browsed"))
        bench.network.put([bob.event("elsewhere", at: seconds(-5))], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("bob's note is here") { try await bench.home().count == 1 }
            let seen = try await bench.scrolled(.relays([relay("browsed")]))
            #expect(seen == there.map(\.id))
        }
    }

    @Test("a relay is asked for pictures, films, polls and articles too, and they stand in its feed")
    func kinds() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let kinds: [Kind] = [1, 20, 21, 22, 1068, 6969]
        let there = kinds.enumerated().map { place, kind in
            carol.event("kind \(kind)", kind: kind, at: seconds(-Int64(place)))
        }
        let other = carol.event("of no kind that is shown", kind: 9_999, at: seconds(-3))
        bench.network.put(there + [other], on: relay("browsed"))
        try await bench.running {
            let seen = try await bench.scrolled(.relays([relay("browsed")]))
            #expect(seen == there.map(\.id))
        }
        let asked = bench.network.questions.filter { $0.relay == relay("browsed") }.flatMap(\.filters)
        let wanted: Set<Kind> = [1, 6, 20, 21, 22, 1068, 6969, 30_023]
        #expect(asked.contains { $0.kinds?.isSuperset(of: wanted) == true })
    }

    @Test("several relays are one feed, each note once; one that does not answer holds nothing up")
    func several() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let (first, second) = (bob.event("one", at: seconds(-1)), carol.event("two", at: seconds(-2)))
        bench.network.put([first, second], on: relay("left"))
        bench.network.put([second], on: relay("right"))
        bench.network.set(relay("gone"), .dead)
        try await bench.running {
            let feed = TimelineSource.relays([relay("left"), relay("right"), relay("gone")])
            let seen = try await bench.scrolled(feed)
            #expect(seen == [first.id, second.id])
        }
    }

    @Test(
        "a relay that shows its notes only to people it knows is a question to the person; one that others name is none"
    )
    func asking() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.set(relay("browsed"), .refuses(Reason(.authRequired, "members only")))
        bench.network.set(relay("bob"), .refuses(Reason(.authRequired, "members only")))
        try await bench.running {
            _ = try await bench.account.timeline.page(.relays([relay("browsed")]), before: nil, limit: 30)
            _ = try await bench.account.timeline.page(.author(bob.publicKey, replies: false), before: nil, limit: 30)
            try await bench.eventually("the question is kept") {
                try await bench.account.consents?.relayConsents().isEmpty == false
            }
            try await bench.eventually("bob's relay was asked, too") {
                bench.network.questions.contains { $0.relay == relay("bob") }
            }
            let entries = try await bench.account.consents?.relayConsents()
            #expect(entries?.map(\.relay) == [relay("browsed")])
            #expect(entries?.first?.reasons == [.reading])
            #expect(await bench.account.network.connection().questions == 1)
            // After a yes it is asked again at once when the feed is looked at.
            bench.network.set(relay("browsed"), .answers)
            bench.network.put([carol.event("for members", at: seconds(-5))], on: relay("browsed"))
            try await bench.account.consents?.answer(.always, for: relay("browsed"))
            let seen = try await bench.scrolled(.relays([relay("browsed")]))
            #expect(seen.count == 1)
        }
    }

    @Test("what is muted is not shown there either")
    func muted() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put(
            [alice.event(kind: 10_000, tags: [["p", carol.publicKey.hex]])], on: relay("index"), relay("mine"))
        let shown = bob.event("shown", at: seconds(-2))
        bench.network.put([carol.event("muted", at: seconds(-1)), shown], on: relay("browsed"))
        try await bench.running {
            try await bench.eventually("the mutes are here") { await bench.account.lists?.mutes().people.count == 1 }
            let seen = try await bench.scrolled(.relays([relay("browsed")]))
            #expect(seen == [shown.id])
        }
    }
}
