import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("zap polls")
struct ZapPollsTests {
    private static let options: [Tag] = [["poll_option", "0", "Rye"], ["poll_option", "1", "Spelt"]]

    private func read(_ tags: [Tag]) -> ZapPoll? {
        ZapPoll(TestPerson.bob.event("Which bread?", kind: 6969, tags: Self.options + tags))
    }

    private func vote(
        _ sender: TestPerson, _ option: Int, sats: Int64, at seconds: Int64 = 10
    ) -> ZapVote {
        ZapVote(
            sender: sender.publicKey, option: option, millisatoshis: sats * 1000, paidAt: Timestamp(seconds: seconds))
    }

    @Test("is read with its rules; numbers that are none are as good as missing")
    func reading() throws {
        let poll = try #require(
            read([
                ["value_minimum", "21"], ["value_maximum", "x"], ["consensus_threshold", "250"], ["closed_at", "99"],
                ["poll_option", "1", "again"], ["poll_option", "two", "no number"],
            ]))
        #expect(poll.options.map(\.label) == ["Rye", "Spelt"] && poll.options.map(\.index) == [0, 1])
        #expect(poll.minimum == 21 && poll.maximum == nil && poll.threshold == 100)
        #expect(poll.closedAt == Timestamp(seconds: 99))
        #expect(read([["consensus_threshold", "-3"]])?.threshold == 0)
        #expect(ZapPoll(TestPerson.bob.event(kind: 6969, tags: [["poll_option", "0", "Rye"]])) == nil)
        #expect(ZapPoll(TestPerson.bob.event(kind: 1, tags: Self.options)) == nil)
    }

    @Test("of each person the last payment that keeps the rules counts")
    func counting() throws {
        let poll = try #require(read([["value_minimum", "10"], ["value_maximum", "100"], ["closed_at", "50"]]))
        let votes = [
            vote(.alice, 0, sats: 21), vote(.alice, 1, sats: 50, at: 20),
            // Too little, too much, too late, and for nothing there is.
            vote(.alice, 0, sats: 9, at: 30), vote(.carol, 0, sats: 101), vote(.carol, 1, sats: 20, at: 51),
            vote(.dave, 7, sats: 20),
            vote(.eve, 0, sats: 100, at: 50),
        ]
        let tally = ZapPollTally(of: poll, votes)
        #expect(tally.millisatoshis == [0: 100_000, 1: 50_000] && tally.voters == 2 && tally.total == 150_000)
        #expect(tally == ZapPollTally(of: poll, votes.reversed()))
    }

    @Test(
        "an answer wins with the share that the poll asks for",
        arguments: [(60, 0), (67, nil), (nil, nil)] as [(Int?, Int?)])
    func consensus(threshold: Int?, winner: Int?) throws {
        let poll = try #require(read(threshold.map { value -> [Tag] in [["consensus_threshold", "\(value)"]] } ?? []))
        let tally = ZapPollTally(of: poll, [vote(.alice, 0, sats: 200), vote(.carol, 1, sats: 100)])
        #expect(tally.consensus == winner)
        #expect(ZapPollTally(of: poll, []).consensus == nil)
        let even = ZapPollTally(of: poll, [vote(.alice, 0, sats: 5), vote(.carol, 1, sats: 5)])
        #expect(even.consensus == nil)
    }
}
