import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("polls as screens show them")
struct PollItemTests {
    private func item(_ tags: [NostrCore.Tag], votes: [(UInt8, [String])], own: [String] = []) throws -> PollItem {
        let now = Timestamp(seconds: 1000)
        let event = FakeAuthor(2).event("?", kind: 1068, tags: tags, at: now)
        let poll = try #require(Poll(event))
        let responses = votes.map { author, options in
            PollResponse(
                id: event.id, author: FakeAuthor(author).key, createdAt: now, poll: poll.id, options: options)
        }
        return PollItem(PollStanding(poll: poll, everyone: PollTally(of: poll, responses, now: now), own: own))
    }

    private let options: [NostrCore.Tag] = [
        ["option", "a", "One\nline"], ["option", "b", " "], ["option", "c", "C"],
    ]

    @Test("shares are of voters, and answers that say nothing are called by their number")
    func shares() throws {
        let single = try item(options, votes: [(3, ["a"]), (4, ["a"]), (5, ["b"])], own: ["a"])
        #expect(single.options.map(\.label) == ["One line", "Answer 2", "C"])
        #expect(single.results.votes == [2, 1, 0] && single.results.shares == [67, 33, 0])
        #expect(single.hasVoted && single.options.map(\.isOwn) == [true, false, false])
        let several = try item(
            options + [["polltype", "multiplechoice"]], votes: [(3, ["a", "b"]), (4, ["b"])])
        #expect(several.isMultiple && several.results.shares == [50, 100, 0] && several.results.voters == 2)
    }

    @Test(
        "the end is said in words",
        arguments: [
            (nil, "no end"), (999, "ended"), (1000, "ends within a minute"), (1120, "ends in 2 minutes"),
            (4600, "ends in 1 hour"), (1000 + 3 * 86_400, "ends in 3 days"), (Int64.max, "ends in"),
        ] as [(Int64?, String)]
    )
    func ends(at end: Int64?, words: String) throws {
        let ending = end.map { second -> [NostrCore.Tag] in [["endsAt", "\(second)"]] } ?? []
        let said = try item(options + ending, votes: []).standingWords(now: Timestamp(seconds: 1000))
        #expect(said.hasPrefix("No votes yet · " + words))
    }

    @Test(
        "a choice of voters and its word are the same",
        arguments: ["everyone", "followed", "list:birders", "list:", "list:a:b c", "work:1", "work:16", "work:46"])
    func voters(word: String) {
        #expect(PollVotersChoice(word: word)?.word == word)
    }

    @Test(
        "what is no word of a choice is none",
        arguments: [
            "", "everyone:", "followed:x", "list", "work", "work:", "work:0", "work:-8", "work:+8", "work:08",
            "work:47", "work:99999999999999999999", "work:8:8", "trust", "\u{0}",
            "list:" + String(repeating: "x", count: 513),
        ])
    func noise(word: String) {
        #expect(PollVotersChoice(word: word) == nil)
    }

    @Test("what a payment must be is said in words")
    func limits() {
        #expect(PollWords.limits(nil, nil) == nil)
        #expect(PollWords.limits(21, nil) == "21 sats or more")
        #expect(PollWords.limits(nil, 1000) == "1,000 sats or less")
        #expect(PollWords.limits(5, 5) == "5 sats exactly")
        #expect(PollWords.limits(1, .max)?.hasPrefix("1 sat to ") == true)
    }
}
