import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-88 polls")
struct PollsTests {
    private let asker = TestPerson.bob
    private let options: [Tag] = [["option", "qj518h583", "Yay"], ["option", "gga6cdnqj", "Nay"]]

    private func read(_ tags: [Tag], kind: Kind = 1068) -> Poll? {
        Poll(asker.event("Pineapple on pizza", kind: kind, tags: tags))
    }

    @Test("the example of the NIP is read")
    func example() throws {
        let poll = try #require(
            read(
                options + [
                    ["relay", "wss://one.example"], ["relay", "wss://two.example"], ["polltype", "singlechoice"],
                    ["endsAt", "1719888496"],
                ]))
        #expect(poll.options.map(\.id) == ["qj518h583", "gga6cdnqj"] && poll.options.map(\.label) == ["Yay", "Nay"])
        #expect(poll.choice == .single && poll.endsAt == Timestamp(seconds: 1_719_888_496))
        #expect(poll.relays.map(\.text).count == 2 && poll.author == asker.publicKey)
        #expect(!poll.hasEnded(at: Timestamp(seconds: 1_719_888_496)))
        #expect(poll.hasEnded(at: Timestamp(seconds: 1_719_888_497)))
    }

    @Test("what others write wrongly is read as far as it means something")
    func messy() throws {
        #expect(read([]) == nil && read(Array(options.prefix(1))) == nil && read(options, kind: 1) == nil)
        #expect(read([["option", "a", "One"], ["option", "a", "Two"]]) == nil)
        let poll = try #require(
            read([
                ["option"], ["option", "", "nothing"], ["option", "a"], ["option", "b", "B"], ["option", "a", "again"],
                ["polltype", "ranked"], ["endsAt", "soon"], ["relay", "not a relay"], ["relay", "wss://one.example"],
                ["relay", "wss://one.example/"],
            ]))
        #expect(poll.options.map(\.id) == ["a", "b"] && poll.options.first?.label.isEmpty == true)
        #expect(poll.choice == .single && poll.endsAt == nil && poll.relays.count == 1)
        let many = (0...Poll.mostRead).map { Tag(["option", "\($0)", "x"]) }
        #expect(read(many) == nil && read(Array(many.dropLast())) != nil)
    }

    @Test("a poll that is written reads back as it was")
    func roundTrip() throws {
        var random = SeededRandom(seed: 3)
        let ids = Poll.identifiers(10, using: &random)
        #expect(Set(ids).count == 10 && ids.allSatisfy { $0.count == 9 })
        let made = zip(ids, 0...).map { Poll.Option(id: $0, label: "Answer \($1)") }
        let tags = Poll.tags(
            options: made, choice: .multiple, endsAt: moment, relays: [try RelayURL("wss://one.example")])
        let poll = try #require(read(tags))
        #expect(poll.options == made && poll.choice == .multiple && poll.endsAt == moment && poll.relays.count == 1)
    }

    @Test("a response is read, and written")
    func response() throws {
        let poll = try #require(read(options))
        let draft = PollResponse.draft(to: poll.id, options: ["gga6cdnqj", "x"], createdAt: moment)
        let event = TestPerson.carol.event("", kind: 1018, tags: draft.tags)
        let response = try #require(PollResponse(event))
        #expect(response.poll == poll.id && response.options == ["gga6cdnqj", "x"])
        #expect(response.chosen(in: poll) == ["gga6cdnqj"])
        #expect(PollResponse(TestPerson.carol.event(kind: 1018, tags: [["response", "x"]])) == nil)
        #expect(PollResponse(TestPerson.carol.event(kind: 1, tags: draft.tags)) == nil)
    }

    @Test("with one choice the first answer counts alone, and nothing where the poll does not have it")
    func singleChoice() throws {
        let poll = try #require(read(options))
        let first: [(String, [String])] = [("qj518h583", ["qj518h583"]), ("unknown", [])]
        for (written, chosen) in first {
            let response = PollResponse(
                id: repeatedID("a"), author: asker.publicKey, createdAt: moment, poll: poll.id,
                options: [written, "gga6cdnqj"])
            #expect(response.chosen(in: poll) == chosen)
        }
    }

    @Test("a last vote that chooses nothing takes the earlier one back")
    func takenBack() throws {
        let poll = try #require(read(options))
        let votes = [(repeatedID("a"), ["qj518h583"], 0), (repeatedID("b"), ["gone"], 1)].map { id, options, later in
            PollResponse(
                id: id, author: asker.publicKey, createdAt: moment + .seconds(later), poll: poll.id, options: options)
        }
        #expect(PollTally(of: poll, votes, now: moment + .seconds(5)) == PollTally())
        #expect(PollTally(of: poll, votes, now: moment).votes == ["qj518h583": 1])
    }

    @Test(
        "a vote counts by its work where work is asked for, as its id and what it says of itself show",
        arguments: [
            (0, nil, 0, true), (7, nil, 8, false), (8, nil, 8, true), (8, 8, 8, true), (20, 8, 16, false),
            (20, 16, 16, true), (20, 24, 16, true), (4, 24, 16, false), (7, nil, -3, true),
        ] as [(Int, Int?, Int, Bool)]
    )
    func work(bits: Int, committed: Int?, asked: Int, counts: Bool) throws {
        let poll = try #require(read(options))
        let vote = PollResponse(
            id: try Self.id(zeroBits: bits), author: asker.publicKey, createdAt: moment, poll: poll.id,
            options: ["qj518h583"], committedTarget: committed)
        #expect(PollTally(of: poll, [vote], now: moment, work: asked).voters == (counts ? 1 : 0))
    }

    @Test("of one person the last vote decides, also where it has too little work; people and work are asked together")
    func lastOneDecides() throws {
        let poll = try #require(read(options))
        func vote(_ bits: Int, _ person: TestPerson, _ option: String, later: Int64) throws -> PollResponse {
            PollResponse(
                id: try Self.id(zeroBits: bits), author: person.publicKey, createdAt: moment + .seconds(later),
                poll: poll.id, options: [option])
        }
        let votes = [
            try vote(16, .carol, "qj518h583", later: 0), try vote(2, .carol, "gga6cdnqj", later: 1),
            try vote(16, .dave, "qj518h583", later: 0), try vote(17, .eve, "gga6cdnqj", later: 0),
        ]
        let now = moment + .seconds(5)
        #expect(PollTally(of: poll, votes, now: now).votes == ["qj518h583": 1, "gga6cdnqj": 2])
        #expect(PollTally(of: poll, votes, now: now, work: 16).votes == ["qj518h583": 1, "gga6cdnqj": 1])
        let some: Set = [TestPerson.carol.publicKey, TestPerson.eve.publicKey]
        #expect(PollTally(of: poll, votes, now: now, among: some, work: 16).votes == ["gga6cdnqj": 1])
    }

    @Test("the work of a vote is read from the event")
    func workRead() throws {
        let poll = try #require(read(options))
        let tags = PollResponse.draft(to: poll.id, options: ["gga6cdnqj"], createdAt: moment).tags
        let event = TestPerson.carol.event("", kind: 1018, tags: tags + [["nonce", "7", "21"]])
        let response = try #require(PollResponse(event))
        #expect(response.work.difficulty == event.id.difficulty && response.work.committedTarget == 21)
    }

    /// An id with exactly so many leading zero bits, below 64.
    private static func id(zeroBits bits: Int) throws -> EventID {
        let head = String((UInt64(1) << 63) >> UInt64(bits), radix: 16)
        let padded = String(repeating: "0", count: 16 - head.count) + head
        return try EventID(hex: padded + String(repeating: "5", count: 48))
    }

    @Test("10 000 random sets of votes are counted as a count by brute force counts them")
    func oracle() throws {
        var random = SeededRandom(seed: 88)
        let people = TestPerson.allCases.map(\.publicKey)
        for round in 0..<10_000 {
            let poll = try #require(Self.randomPoll(using: &random))
            let votes = Self.randomVotes(in: poll, by: people, using: &random)
            let now = Timestamp(seconds: Int64(random.next() % 12))
            let tally = PollTally(of: poll, votes, now: now)
            let (expected, voters) = Self.bruteForce(poll, votes, people, now: now.seconds)
            guard tally.votes == expected, tally.voters == voters else {
                Issue.record("round \(round): \(tally) is not \(expected) of \(voters)")
                return
            }
        }
    }

    /// Counts in another way than the program: walks over people, seconds and ids from the last to the first.
    private static func bruteForce(
        _ poll: Poll, _ votes: [PollResponse], _ people: [PublicKey], now: Int64
    ) -> (votes: [String: Int], voters: Int) {
        var counts: [String: Int] = [:]
        var voters = 0
        for person in people {
            search: for second in stride(from: Int64(20), through: 0, by: -1) {
                if second > now || poll.endsAt.map({ second > $0.seconds }) ?? false { continue }
                let here = votes.filter { vote in
                    vote.author == person && vote.poll == poll.id && vote.createdAt.seconds == second
                }
                guard let ballot = here.sorted(by: { $0.id.hex < $1.id.hex }).first else { continue }
                var hits: Set<String> = []
                for (place, name) in ballot.options.enumerated() {
                    if poll.choice == .single && place > 0 { break }
                    if poll.options.contains(where: { $0.id == name }) { hits.insert(name) }
                }
                for hit in hits { counts[hit] = (counts[hit] ?? 0) + 1 }
                voters += hits.isEmpty ? 0 : 1
                break search
            }
        }
        return (counts, voters)
    }

    private static func randomPoll(using random: inout SeededRandom) -> Poll? {
        let names = ["a", "b", "c", "d"].prefix(2 + Int(random.next() % 3))
        var tags = names.map { Tag(["option", $0, $0]) }
        if random.next() % 2 == 0 { tags.append(["polltype", "multiplechoice"]) }
        if random.next() % 2 == 0 { tags.append(["endsAt", "\(random.next() % 12)"]) }
        return Poll(TestPerson.bob.event("?", kind: 1068, tags: tags))
    }

    private static func randomVotes(
        in poll: Poll, by people: [PublicKey], using random: inout SeededRandom
    ) -> [PollResponse] {
        let names = ["a", "b", "c", "d", "e", ""]
        // Ids that differ, in any order.
        let digits = Array("123456789abcdef").shuffled(using: &random)
        var votes: [PollResponse] = []
        for digit in digits.prefix(Int(random.next() % 16)) {
            var options: [String] = []
            for _ in 0..<random.next() % 4 { options.append(names[Int(random.next() % 6)]) }
            votes.append(
                PollResponse(
                    id: repeatedID(digit), author: people[Int(random.next() % UInt64(people.count))],
                    createdAt: Timestamp(seconds: Int64(random.next() % 14)),
                    poll: random.next() % 10 == 0 ? repeatedID("0") : poll.id, options: options))
        }
        return votes
    }
}
