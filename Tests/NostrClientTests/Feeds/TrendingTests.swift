import AccountTesting
import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// What much is made of.
@Suite("trending")
struct TrendingTests {
    static let bob = TestPerson.bob
    static let first = bob.event("first", at: 100)
    static let second = bob.event("second", at: 200)

    private static func like(
        _ note: Event, by person: TestPerson, _ content: String = "+", at moment: Int64 = 300
    ) -> Event {
        person.event(content, kind: 7, tags: [["e", note.id.hex]], at: moment)
    }

    private static func answer(_ note: Event, by person: TestPerson) -> Event {
        person.event("yes", tags: [["e", note.id.hex, "", "root"]], at: 300)
    }

    private static let table: [(TrendingChoice.Measure, [Event], [String])] = [
        (.reactions, [], []),
        (.reactions, [like(first, by: .carol), like(second, by: .dave)], ["second", "first"]),
        (
            .reactions, [like(first, by: .carol), like(first, by: .dave), like(second, by: .dave)],
            ["first", "second"]
        ),
        (
            .reactions,
            [
                like(first, by: .carol), like(first, by: .carol, "🤙", at: 301), like(second, by: .carol),
                like(second, by: .dave),
            ], ["second", "first"]
        ),
        (.reactions, [like(first, by: .bob), like(second, by: .carol, "-")], []),
        (.reactions, [like(first, by: .eve), like(second, by: .dave)], ["second"]),
        (.replies, [answer(first, by: .carol), like(second, by: .carol)], ["first"]),
        (.reposts, [TestPerson.carol.event("", kind: 6, tags: [["e", second.id.hex]], at: 300)], ["second"]),
        (.reposts, [TestPerson.carol.event("", kind: 6, at: 300)], []),
    ]

    @Test(
        "each person counts once for a note, its author not, dislikes and muted people not; ties go to the newer",
        arguments: table)
    func ranked(measure: TrendingChoice.Measure, events: [Event], order: [String]) {
        var ranking = TrendingRanking(measure, without: [TestPerson.eve.publicKey])
        for event in events { ranking.count(event) }
        #expect(ranking.ranked([Self.first, Self.second]).map(\.content) == order)
    }

    @Test("what was paid is what receipts say that keep the rules, not how many there are")
    func paid() {
        var ranking = TrendingRanking(.zaps)
        for number in 0..<3 {
            ranking.count(TestPerson.dave.event("\(number)", kind: 9735, tags: [["e", Self.first.id.hex]], at: 300))
        }
        ranking.count(TestPerson.dave.event("", kind: 9735, tags: [["e", Self.second.id.hex]], at: 300))
        #expect(ranking.candidates(10) == [Self.first.id, Self.second.id])
        #expect(ranking.ranked([Self.first, Self.second]).isEmpty)
        #expect(ranking.ranked([Self.first, Self.second], paid: [Self.second.id: 21_000]).map(\.content) == ["second"])
    }

    @Test("noise counts for nothing and harms nothing")
    func noise() {
        var ranking = TrendingRanking(.reactions)
        for tags: [NostrCore.Tag] in [[], [["e"]], [["e", "x"]], [["e", String(repeating: "z", count: 64)]], [[]]] {
            ranking.count(TestPerson.carol.event("+", kind: 7, tags: tags, at: 300))
        }
        #expect(ranking.candidates(10).isEmpty)
    }

    @Test("a server's feeds have the addresses they are known by; here no more than a month is counted")
    func addresses() throws {
        let server = try RelayURL("wss://feeds.example")
        let feed = try RelayURL("wss://feeds.example/notes/trending/zaps/1y")
        #expect(TrendingChoice(.zaps, .year, server: server).feed == feed)
        #expect(TrendingChoice(.zaps, .year).span == .month)
        #expect(TrendingChoice(.zaps, .today).feed == nil)
    }

    @Test(
        "what a server gives stands in its order; nothing is asked of one that was not named", .timeLimit(.minutes(10)))
    func server() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let server = try RelayURL("wss://feeds.example")
        let choice = TrendingChoice(.replies, .week, server: server)
        let feed = try #require(choice.feed)
        bench.network.put([Self.second, Self.first], on: feed)
        try await bench.running {
            _ = try await bench.account.timeline.page(.trending(TrendingChoice(.replies, .week)), before: nil, limit: 9)
            #expect(!bench.network.questions.contains { $0.relay == feed })
            try await bench.eventually("both are there") {
                let page = try await bench.account.timeline.page(.trending(choice), before: nil, limit: 9)
                return page.notes.count == 2 && page.next == nil && !page.isLoadingOlder
            }
        }
    }
}
