import NostrClient
import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("A server of trends in the world", .timeLimit(.minutes(10)))
struct WorldTrendsTests {
    @Test("gives out notes by their rank, people and topics, each at the address that is asked, and nothing beside")
    func lists() async throws {
        try await withWorld { running in
            let server = try #require(running.addresses.trends)
            var counts: [EventID: Int] = [:]
            for reaction in running.world.events.compactMap(Reaction.init) {
                counts[reaction.target.id, default: 0] += 1
            }
            let choice = TrendingChoice(.reactions, .all, server: server)
            let notes = await running.read(Filter(kinds: [1], limit: 20), at: try #require(choice.feed)).events
            #expect(notes.count == 20 && notes.allSatisfy { $0.kind == 1 })
            let ranks = notes.map { counts[$0.id] ?? 0 }
            #expect(ranks == ranks.sorted(by: >) && ranks.last ?? 0 > 0)
            let dates = notes.map(\.createdAt)
            #expect(dates != dates.sorted(by: >), "ranks are no dates")

            let people = await running.read(Filter(kinds: [0], limit: 10), at: try #require(choice.peopleFeed)).events
            #expect(!people.isEmpty && Set(people.map(\.pubkey)).count == people.count)
            let topics = await running.read(Filter(kinds: [.interestSets]), at: try #require(choice.topicFeed)).events
            #expect(topics.count == 1 && topics.first?.tags.contains { $0.name == "t" } == true)
        }
    }

    @Test("has an address for every measure and span, and for nothing else")
    func addresses() throws {
        for measure in TrendingChoice.Measure.allCases {
            for span in TrendingChoice.Span.allCases {
                let target = "/notes/trending/\(measure.rawValue)/\(span.rawValue)"
                #expect(WorldTrends.List(target) == .notes(measure: measure.rawValue, days: Self.days[span] ?? nil))
            }
        }
        let others = [
            "/", "", "/photo/birds-1.svg", "/notes/trending/likes/today", "/notes/trending/zaps/2d", "/users",
        ]
        for target in others {
            #expect(WorldTrends.List(target) == nil)
        }
    }

    private static let days: [TrendingChoice.Span: Int64?] = [
        .today: 1, .week: 7, .month: 30, .year: 365, .all: nil,
    ]
}
