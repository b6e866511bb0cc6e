import AccountTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Topics and people that much is made of.
@Suite("trending topics and people")
struct TrendsTests {
    private static func note(_ person: TestPerson, _ topics: String..., at moment: Int64 = 300) -> Event {
        person.event(topics.joined(separator: " "), tags: topics.map { ["t", $0] }, at: moment)
    }

    private static func like(_ person: TestPerson, of author: TestPerson, _ content: String = "+") -> Event {
        let note = author.event("x", at: 100)
        return person.event(content, kind: 7, tags: [["e", note.id.hex], ["p", author.publicKey.hex]], at: 300)
    }

    @Test("each person counts once for a topic, one person alone makes none, and what is muted is none")
    func topics() {
        var mutes = Mutes()
        mutes.hashtags = ["moldy"]
        mutes.people = [TestPerson.eve.publicKey]
        let many = (0..<20).map { "topic\($0)" }
        let notes = [
            Self.note(.bob, "Birds", "tea"), Self.note(.bob, "birds", "tea", at: 301), Self.note(.carol, "birds"),
            Self.note(.dave, "birds", "two words"), Self.note(.carol, "two words"), Self.note(.eve, "tea"),
            Self.note(.carol, "moldy"), Self.note(.dave, "moldy"),
            Self.note(.dave, "bread"), Self.note(.carol, "bread"),
            TestPerson.bob.event("", tags: many.map { ["t", $0] }, at: 302),
            TestPerson.carol.event("", tags: many.map { ["t", $0] }, at: 302),
            Self.note(.carol, String(repeating: "x", count: 400)), Self.note(.dave, String(repeating: "x", count: 400)),
            Self.note(.carol, ""), TestPerson.dave.event("", tags: [["t"], []], at: 300),
        ]
        let ranked = TrendTally(topicsOf: notes, mutes).ranked(40)
        #expect(ranked.first?.subject == "birds" && ranked.first?.people == 3)
        #expect(ranked.dropFirst().first?.subject == "bread")
        #expect(!ranked.contains { ["tea", "moldy", "two words", "topic12", ""].contains($0.subject) })
        #expect(ranked.contains { $0.subject == "topic3" })
        #expect(TrendTally(topicsOf: notes, mutes).ranked(1).count == 1)
    }

    @Test("people are counted by who reacts to them or reposts them, never by themselves or by a dislike")
    func people() {
        var mutes = Mutes()
        mutes.people = [TestPerson.eve.publicKey]
        let events = [
            Self.like(.bob, of: .carol), Self.like(.dave, of: .carol), Self.like(.carol, of: .carol),
            Self.like(.bob, of: .dave), Self.like(.carol, of: .dave, "-"), Self.like(.eve, of: .dave),
            Self.like(.bob, of: .eve), Self.like(.carol, of: .eve),
            TestPerson.alice.event(
                "", kind: 6, tags: [["e", String(repeating: "a", count: 64)], ["p", TestPerson.carol.publicKey.hex]],
                at: 300),
            TestPerson.alice.event("+", kind: 7, tags: [["e", "x"], ["p", "y"]], at: 300),
        ]
        let ranked = TrendTally(authorsNamedBy: events, mutes).ranked(40)
        #expect(ranked.map(\.subject) == [TestPerson.carol.publicKey] && ranked.first?.people == 3)
    }

    @Test("they are counted from what is here, without the account's owner")
    func here() async throws {
        let bench = AccountBench()
        let (bob, carol, dave) = (TestPerson.bob, TestPerson.carol, TestPerson.dave)
        let (old, new) = (seconds(-40 * 86_400), seconds(-60))
        let liked = bob.event("liked", at: new)
        func like(_ person: TestPerson, _ author: TestPerson) -> Event {
            person.event("+", kind: 7, tags: [["e", liked.id.hex], ["p", author.publicKey.hex]], at: new)
        }
        _ = await bench.store.save(
            [
                bob.event("", tags: [["t", "birds"]], at: new), carol.event("", tags: [["t", "birds"]], at: new),
                bob.event("", tags: [["t", "past"]], at: old), carol.event("", tags: [["t", "past"]], at: old),
                liked, like(carol, bob), like(dave, bob), like(carol, .alice), like(dave, .alice),
            ], from: nil)
        let trends = try #require(bench.account.trends)
        let topics = try await trends.topics(within: .month)
        #expect(topics == [TrendingTopic(name: "birds", people: 2)])
        let people = try await trends.people(within: .today)
        #expect(people.map(\.key) == [bob.publicKey])
        #expect(bench.network.questions.isEmpty)
    }

    @Test("a server's topics and people stand in its order, and it is asked once in ten minutes")
    func server() async throws {
        let bench = AccountBench()
        let server = try RelayURL("wss://feeds.example/")
        let topicFeed = try RelayURL("wss://feeds.example/hashtags/trending")
        let peopleFeed = try RelayURL("wss://feeds.example/users/upandcoming")
        bench.network.put(
            [
                TestPerson.dave.event(
                    kind: 30_015,
                    tags: [["d", "trending"], ["t", "Tea"], ["t", "two words"], ["t", "birds"]], at: seconds(-5))
            ], on: topicFeed)
        bench.network.put(
            [
                TestPerson.dave.event(#"{"name":"Dan"}"#, kind: 0, at: seconds(-5)),
                TestPerson.bob.event(#"{"name":"Ben"}"#, kind: 0, at: seconds(-9)),
            ], on: peopleFeed)
        let trends = try #require(bench.account.trends)
        let topics = try await trends.topics(within: .today, server: server)
        #expect(topics.map(\.name) == ["tea", "birds"] && topics.allSatisfy { $0.people == nil })
        let people = try await trends.people(within: .today, server: server)
        #expect(Set(people.map(\.key)) == [TestPerson.dave.publicKey, TestPerson.bob.publicKey])
        let asked = bench.network.questions.count
        #expect(asked == 2)
        _ = try await trends.topics(within: .today, server: server)
        #expect(bench.network.questions.count == asked)
    }

    @Test("a server that has nothing is not asked again for ten minutes")
    func emptyServer() async throws {
        let bench = AccountBench()
        let server = try RelayURL("wss://feeds.example/")
        let trends = try #require(bench.account.trends)
        let (topics, people) = (
            try await trends.topics(within: .today, server: server),
            try await trends.people(within: .today, server: server)
        )
        #expect(topics.isEmpty && people.isEmpty)
        #expect(bench.network.questions.count == 2)
        bench.clock.advance(by: .seconds(590))
        _ = try await trends.topics(within: .today, server: server)
        _ = try await trends.people(within: .today, server: server)
        #expect(bench.network.questions.count == 2)
        bench.clock.advance(by: .seconds(20))
        _ = try await trends.topics(within: .today, server: server)
        #expect(bench.network.questions.count == 3)
    }

    @Test("a server that is away is asked more and more rarely, and what it said before stays")
    func failingServer() async throws {
        let bench = AccountBench()
        let server = try RelayURL("wss://feeds.example/")
        let feed = try RelayURL("wss://feeds.example/hashtags/trending")
        bench.network.put(
            [TestPerson.dave.event(kind: 30_015, tags: [["d", "trending"], ["t", "tea"]], at: seconds(-5))], on: feed)
        let trends = try #require(bench.account.trends)
        #expect(try await trends.topics(within: .today, server: server).map(\.name) == ["tea"])
        bench.network.set(feed, .dead)
        // It is asked at the end of each of these, and not before.
        for (number, rest) in [601, 30, 60, 120, 240, 480, 600, 600].enumerated() {
            bench.clock.advance(by: .seconds(rest - 2))
            _ = try await trends.topics(within: .today, server: server)
            #expect(bench.network.questions.count == number + 1)
            bench.clock.advance(by: .seconds(2))
            #expect(try await trends.topics(within: .today, server: server).map(\.name) == ["tea"])
            #expect(bench.network.questions.count == number + 2)
        }
        bench.network.set(feed, .answers)
        bench.clock.advance(by: .seconds(600))
        _ = try await trends.topics(within: .today, server: server)
        let asked = bench.network.questions.count
        bench.clock.advance(by: .seconds(500))
        _ = try await trends.topics(within: .today, server: server)
        #expect(bench.network.questions.count == asked)
    }
}
