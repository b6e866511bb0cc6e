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

    @Test("10 000 random sets of payments are counted as a count by brute force counts them")
    func oracle() throws {
        var random = SeededRandom(seed: 6969)
        for round in 0..<10_000 {
            let poll = try #require(Self.randomPoll(using: &random))
            let votes = Self.randomVotes(using: &random)
            let tally = ZapPollTally(of: poll, votes)
            let expected = Self.bruteForce(poll, votes)
            guard tally.millisatoshis == expected.paid, tally.voters == expected.voters,
                tally.consensus == expected.consensus
            else {
                Issue.record("round \(round): \(tally) is not \(expected)")
                return
            }
        }
    }

    private static func randomPoll(using random: inout SeededRandom) -> ZapPoll? {
        var tags = options + [["poll_option", "2", "Oat"]]
        if random.next() % 2 == 0 { tags.append(["value_minimum", "\(random.next() % 4)"]) }
        if random.next() % 2 == 0 { tags.append(["value_maximum", "\(random.next() % 6)"]) }
        if random.next() % 2 == 0 { tags.append(["consensus_threshold", "\(random.next() % 101)"]) }
        if random.next() % 2 == 0 { tags.append(["closed_at", "\(random.next() % 8)"]) }
        return ZapPoll(TestPerson.bob.event("?", kind: 6969, tags: tags))
    }

    private static func randomVotes(using random: inout SeededRandom) -> [ZapVote] {
        (0..<Int(random.next() % 12)).map { _ in
            let people = TestPerson.allCases
            return ZapVote(
                sender: people[Int(random.next() % UInt64(people.count))].publicKey, option: Int(random.next() % 4),
                // Also parts of a satoshi, and nothing.
                millisatoshis: Int64(random.next() % 14) * 500,
                paidAt: Timestamp(seconds: Int64(random.next() % 9)))
        }
    }

    /// Counts in another way than the program: walks over people, and over seconds from the last to the first.
    private static func bruteForce(
        _ poll: ZapPoll, _ votes: [ZapVote]
    ) -> (paid: [Int: Int64], voters: Int, consensus: Int?) {
        var paid: [Int: Int64] = [:]
        var voters = 0
        for person in TestPerson.allCases.map(\.publicKey) {
            search: for second in stride(from: Int64(10), through: 0, by: -1) {
                if let end = poll.closedAt?.seconds, second > end { continue }
                var best: ZapVote?
                for vote in votes where vote.sender == person && vote.paidAt.seconds == second {
                    let isWhole = (0...2).contains(vote.option) && vote.millisatoshis >= 1
                    // Of less than a whole satoshi nothing is left for the least, and too much for the most.
                    let isEnough = vote.millisatoshis >= (poll.minimum ?? 0) * 1000
                    let isLittle = poll.maximum.map { vote.millisatoshis <= $0 * 1000 } ?? true
                    guard isWhole, isEnough, isLittle else { continue }
                    guard let other = best else {
                        best = vote
                        continue
                    }
                    let isMore = vote.millisatoshis > other.millisatoshis
                    if isMore || vote.millisatoshis == other.millisatoshis && vote.option < other.option { best = vote }
                }
                guard let best else { continue }
                paid[best.option] = (paid[best.option] ?? 0) + best.millisatoshis
                voters += 1
                break search
            }
        }
        return (paid, voters, leader(of: paid, poll.threshold))
    }

    private static func leader(of paid: [Int: Int64], _ threshold: Int?) -> Int? {
        let ordered = paid.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let threshold, let first = ordered.first, ordered.dropFirst().first?.value != first.value
        else { return nil }
        let all = paid.values.reduce(0, +)
        return first.value * 100 >= Int64(threshold) * all ? first.key : nil
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
