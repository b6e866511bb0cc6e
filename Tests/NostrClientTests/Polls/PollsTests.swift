import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// Polls as notes show them, and votes of the account's own.
@Suite(.timeLimit(.minutes(10)))
struct PollsTests {
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    /// Bob asks; votes are to be at a relay of their own.
    private func poll(_ further: [NostrCore.Tag] = [], at offset: Int64 = -100) -> Event {
        bob.event(
            "Tea?", kind: 1068,
            tags: [["option", "a", "Yes"], ["option", "b", "No"], ["relay", "wss://votes.example"]] + further,
            at: seconds(offset))
    }

    private func vote(
        _ person: TestPerson, _ option: String, on poll: Event, at offset: Int64 = -50
    ) -> Event {
        person.event("", kind: 1018, tags: [["e", poll.id.hex], ["response", option]], at: seconds(offset))
    }

    private func standing(_ poll: Event, _ bench: AccountBench) async throws -> PollStanding? {
        guard case .votes(let standing) = try await bench.account.timeline.thread(poll.id, hints: []).focus?.poll else {
            return nil
        }
        return standing
    }

    @Test("votes are gathered from the poll's own relays, and counted onto the note on home too")
    func gathered() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let poll = poll()
        bench.network.put([poll], on: relay("bob"))
        bench.network.put([vote(carol, "a", on: poll), vote(.dave, "b", on: poll)], on: relay("votes"))
        bench.network.put([vote(.eve, "b", on: poll)], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("they are counted") {
                guard case .votes(let standing) = try await bench.home().first?.poll else { return false }
                return standing.everyone.votes == ["a": 1, "b": 2] && standing.followed.votes == ["a": 1]
            }
        }
    }

    @Test("more votes than a relay gives at once are asked for page by page, none after the end")
    func many() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let poll = poll([["endsAt", "\(seconds(-10))"]])
        let votes = (0..<40).flatMap { round in
            [carol, .dave, .eve].map { vote($0, round % 2 == 0 ? "a" : "b", on: poll, at: -90 + Int64(round)) }
        }
        let late = [vote(carol, "a", on: poll, at: -5)]
        bench.network.put([poll] + votes + late, on: relay("votes"), relay("bob"))
        _ = await bench.store.save([poll], from: nil)
        try await bench.running {
            try await bench.eventually("they are counted") {
                try await standing(poll, bench)?.everyone.votes == ["b": 3]
            }
        }
        let filters = bench.network.questions.flatMap(\.filters).filter { $0.kinds == [1018] }
        let end = Timestamp(seconds: seconds(-10))
        #expect(!filters.isEmpty && filters.allSatisfy { ($0.until ?? Timestamp(seconds: .max)) <= end })
    }

    @Test("votes of muted people count for nothing")
    func muted() async throws {
        let bench = AccountBench()
        let poll = poll()
        let mutes = TestPerson.alice.event(kind: 10_000, tags: [["p", TestPerson.eve.publicKey.hex]], at: seconds(-1))
        _ = await bench.store.save([poll, vote(carol, "a", on: poll), vote(.eve, "b", on: poll), mutes], from: nil)
        try await bench.running {
            try await bench.eventually("one is left") { try await standing(poll, bench)?.everyone.votes == ["a": 1] }
        }
    }

    @Test("the votes of the people on a set, of whom one follows, or with work in them are counted alone")
    func curated() async throws {
        let bench = AccountBench()
        let poll = poll()
        let worked = mined(.eve, "b", on: poll, bits: 8)
        let mutes = TestPerson.alice.event(
            kind: 10_000, tags: [["p", TestPerson.dave.publicKey.hex]], at: seconds(-1))
        _ = await bench.store.save(
            [poll, vote(carol, "a", on: poll), vote(.dave, "b", on: poll), worked, mutes], from: nil)
        let polls = try #require(bench.account.polls)
        try await bench.running {
            try await bench.eventually("muted people count nowhere") {
                try await polls.tally(of: poll.id, by: .everyone).votes == ["a": 1, "b": 1]
            }
            let set: Set = [TestPerson.eve.publicKey, TestPerson.dave.publicKey]
            #expect(try await polls.tally(of: poll.id, by: .people(set)).votes == ["b": 1])
            #expect(try await polls.tally(of: poll.id, by: .people([])).voters == 0)
            #expect(try await polls.tally(of: poll.id, by: .work(bits: 8)).votes["b"] == 1)
            #expect(try await polls.tally(of: poll.id, by: .work(bits: 200)).voters == 0)
            await #expect(throws: AccountError(.unknownEvent)) {
                _ = try await polls.tally(of: worked.id, by: .everyone)
            }
        }
        let asked = bench.network.questions.flatMap(\.filters).filter { $0.kinds == [1018] }
        #expect(asked.allSatisfy { $0.authors == nil }, "no relay learns who stands on a set")
    }

    /// A vote with work in it, found by trying.
    private func mined(_ person: TestPerson, _ option: String, on poll: Event, bits: Int) -> Event {
        let tags: [NostrCore.Tag] = [["e", poll.id.hex], ["response", option]]
        for nonce in 0..<100_000 {
            let worked = tags + [["nonce", "\(nonce)", "\(bits)"]]
            let id = canonicalID(
                pubkey: person.publicKey, createdAt: Timestamp(seconds: seconds(-40)), kind: 1018, tags: worked,
                content: "")
            if id.difficulty >= bits { return person.event("", kind: 1018, tags: worked, at: seconds(-40)) }
        }
        return vote(person, option, on: poll)
    }

    @Test("a vote goes to the poll's relays and to where its author reads, and can be changed")
    func voting() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let poll = poll()
        _ = await bench.store.save(
            [poll, bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]])], from: nil)
        let polls = try #require(bench.account.polls)
        try await bench.running {
            try await bench.eventually("it is known where Bob reads") {
                try await bench.account.people.person(bob.publicKey).readRelays.contains(relay("bob"))
            }
            let first = try await polls.vote(["a"], on: poll.id)
            #expect(first.kind == 1018 && first.content.isEmpty)
            #expect(first.tags == [["e", poll.id.hex], ["response", "a"]])
            #expect(try await standing(poll, bench)?.own == ["a"])
            let second = try await polls.vote(["b"], on: poll.id)
            #expect(second.createdAt > first.createdAt)
            let now = try #require(try await standing(poll, bench))
            #expect(now.own == ["b"] && now.everyone.votes == ["b": 1] && !now.isOwnRefused)
            for place in [relay("votes"), relay("bob")] {
                try await bench.eventually("it is offered there") {
                    bench.network.offers.contains { $0.relay == place && $0.event == second }
                }
            }
            #expect(!bench.network.offers.contains { $0.relay == relay("mine") })
        }
    }

    @Test("a vote that every relay refuses does not count, and the one before it stands")
    func refused() async throws {
        let bench = AccountBench()
        let poll = poll()
        _ = await bench.store.save([poll, vote(.alice, "b", on: poll)], from: nil)
        bench.network.set(relay("votes"), .refuses(Reason(.invalid, "no votes here")))
        let polls = try #require(bench.account.polls)
        try await bench.running {
            _ = try await polls.vote(["a"], on: poll.id)
            try await bench.eventually("it is told so") {
                bench.clock.advance(by: .seconds(60))
                return try await standing(poll, bench)?.isOwnRefused == true
            }
            #expect(try await standing(poll, bench)?.own == ["b"])
        }
    }

    @Test("what does not fit the poll is not published")
    func wrong() async throws {
        let bench = AccountBench()
        let open = poll()
        let ended = poll([["endsAt", "\(seconds(-10))"]], at: -90)
        _ = await bench.store.save([open, ended], from: nil)
        let polls = try #require(bench.account.polls)
        for options in [[], ["c"], ["a", "b"]] {
            await #expect(throws: AccountError(.wrongAnswer)) { _ = try await polls.vote(options, on: open.id) }
        }
        await #expect(throws: AccountError(.pollEnded)) { _ = try await polls.vote(["a"], on: ended.id) }
        let note = bob.event("no poll", at: seconds(-3))
        await #expect(throws: AccountError(.unknownEvent)) { _ = try await polls.vote(["a"], on: note.id) }
        let secret = NewPoll(
            question: "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5?", options: ["yes", "no"])
        await #expect(throws: AccountError(.holdsSecretKey)) { _ = try await polls.publish(secret) }
        let reader = AccountBench(canSign: false)
        _ = await reader.store.save([open], from: nil)
        await #expect(throws: AccountError(.readOnly)) { _ = try await reader.account.polls?.vote(["a"], on: open.id) }
    }

    @Test("a poll is published to where the account writes, with these relays in it")
    func asking() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let list = TestPerson.alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]])
        _ = await bench.store.save([list], from: nil)
        let polls = try #require(bench.account.polls)
        let end = Timestamp(seconds: seconds(3600))
        let event = try await polls.publish(
            NewPoll(question: "Tea? #tea", options: ["Yes", " No ", ""], choice: .multiple, endsAt: end))
        let poll = try #require(Poll(event))
        #expect(poll.options.map(\.label) == ["Yes", "No"] && poll.choice == .multiple && poll.endsAt == end)
        #expect(event.tags.contains(["t", "tea"]) && event.content == "Tea? #tea")
        for options in [["One"], ["Same", "Same"], (0..<11).map { "\($0)" }] {
            await #expect(throws: AccountError(.wrongOptions)) {
                _ = try await polls.publish(NewPoll(question: "?", options: options))
            }
        }
        await #expect(throws: AccountError(.empty)) {
            _ = try await polls.publish(NewPoll(question: " ", options: ["a", "b"]))
        }
        await #expect(throws: AccountError(.pollEnded)) {
            _ = try await polls.publish(
                NewPoll(question: "?", options: ["a", "b"], endsAt: Timestamp(seconds: seconds(-1))))
        }
        try await bench.running {
            try await bench.eventually("it is offered") { bench.network.offers.contains { $0.event == event } }
        }
        #expect(!poll.relays.isEmpty)
    }
}
