import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// Gathering the home timeline, and keeping it live.
@Suite(.timeLimit(.minutes(10)))
struct HomeTests {
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    @Test("from nothing but a key, finds whom one follows, where they write, and what they wrote")
    func firstRun() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.put([bob.event("from bob", at: seconds(-60))], on: relay("bob"))
        bench.network.put([carol.event("from carol", at: seconds(-30))], on: relay("carol"))
        bench.network.put([TestPerson.dave.event("stranger", at: seconds(-10))], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("both notes arrive") { try await bench.home().count == 2 }
            let home = try await bench.home()
            #expect(home.map(\.event.content) == ["from carol", "from bob"])
            try await bench.eventually("bob has his name") {
                try await bench.home().last?.author.fields["name"] == "bob"
            }
        }
        let asked = bench.network.questions.filter { $0.relay == relay("bob") }
        #expect(asked.flatMap(\.filters).allSatisfy { $0.authors?.contains(carol.publicKey) != true })
    }

    @Test("the window is asked for whole, without a limit")
    func window() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("bob's relay is asked") {
                bench.network.questions.contains { $0.relay == relay("bob") }
            }
        }
        let filter = try #require(bench.network.questions.first { $0.relay == relay("bob") }?.filters.first)
        #expect(filter.since == Timestamp(seconds: seconds(-14 * 86_400)))
        #expect(filter.limit == nil)
        #expect(filter.kinds?.isSuperset(of: [1, 6, 16]) == true)
    }

    @Test("new notes arrive by themselves and are announced")
    func live() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("bob's relay is listened to") { bench.network.standing[relay("bob")] != nil }
            let changes = await bench.account.changes()
            let note = bob.event("now", at: seconds(1))
            bench.network.arrive(note, on: relay("bob"))
            for await change in changes {
                if change == .homeNote(note.id, author: bob.publicKey, createdAt: note.createdAt) { break }
            }
            #expect(try await bench.home().first?.event == note)
            let repost = bob.event("", kind: 6, tags: [["e", note.id.hex]], at: seconds(2))
            bench.network.arrive(repost, on: relay("bob"))
            let announced = AccountChange.homeNote(
                repost.id, author: bob.publicKey, createdAt: repost.createdAt, reposts: note.id)
            for await change in changes where change == announced { break }
        }
    }

    @Test("whoever follows nobody is told so at once, and that relays are still being asked only while they are")
    func followsNobody() async throws {
        let bench = AccountBench()
        let first = try await bench.account.timeline.page(.home, before: nil, limit: 50)
        #expect(first.followsNobody && first.notes.isEmpty)
        try await bench.running {
            try await bench.eventually("relays were asked") {
                try await !bench.account.timeline.page(.home, before: nil, limit: 50).isLoadingOlder
            }
            #expect(try await bench.account.timeline.page(.home, before: nil, limit: 50).followsNobody)
        }
    }

    @Test("a note that arrives late, dated two hours back, is seen at once")
    func lateNote() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("bob's relay is listened to") { bench.network.standing[relay("bob")] != nil }
            bench.network.arrive(bob.event("late", at: seconds(-7200)), on: relay("bob"))
            try await bench.eventually("it arrives") { try await bench.home().map(\.event.content) == ["late"] }
        }
    }

    @Test("relays beyond the connections are asked in turn, so that a note on one of them alone is found")
    func sweep() async throws {
        let bench = AccountBench { $0.routing.connections = 3 }
        bench.layOutPeople()
        let many = (1...9).map { relay("w\($0)") }
        bench.network.put(
            [bob.event(kind: 10_002, tags: many.map { ["r", $0.text, "write"] }, at: seconds(1))],
            on: relay("index"))
        bench.network.put([bob.event("hidden", at: seconds(-60))], on: many[5])
        try await bench.running {
            try await bench.eventually("it arrives") { try await bench.home().map(\.event.content) == ["hidden"] }
            #expect(!bench.network.standing.keys.contains(many[5]))
        }
        // The first six of a list, and no more.
        #expect(!bench.network.questions.contains { $0.relay == many[8] })
    }

    @Test("what answers or mentions oneself arrives at one's own relays, and touches the note")
    func mentions() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let own = alice.event("mine", at: seconds(-5))
        _ = await bench.store.save([own], from: nil)
        try await bench.running {
            try await bench.eventually("own relay is listened to for mentions") {
                bench.network.standing[relay("mine")]?.contains { $0.tags["p"] == [alice.publicKey.hex] } == true
            }
            let changes = await bench.account.changes()
            let answer = TestPerson.dave.event(
                "hello", tags: [["e", own.id.hex, "", "root"], ["p", alice.publicKey.hex]], at: seconds(2))
            bench.network.arrive(answer, on: relay("mine"))
            for await change in changes where change == .touched(own.id) { break }
            #expect(try await bench.account.timeline.thread(own.id, hints: []).replies.map(\.note.event) == [answer])
        }
    }

    @Test("what happened to oneself while the program did not run is asked for at the start")
    func whileAway() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let own = alice.event("mine", at: seconds(-90_000))
        let answer = TestPerson.dave.event(
            "late", tags: [["e", own.id.hex, "", "root"], ["p", alice.publicKey.hex]], at: seconds(-80_000))
        let reaction = alice.event("+", kind: 7, tags: [["e", answer.id.hex]], at: seconds(-70_000))
        bench.network.put([own, answer, reaction], on: relay("mine"))
        try await bench.running {
            try await bench.eventually("all of it is there") {
                await bench.store.query([Filter(ids: [own.id, answer.id, reaction.id])]).count == 3
            }
        }
    }

    @Test("a follow made on another device changes the routes and brings that person's notes")
    func otherDevice() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let dave = TestPerson.dave
        bench.network.put([dave.event(kind: 10_002, tags: [["r", "wss://dave.example"]])], on: relay("index"))
        bench.network.put([dave.event("from dave", at: seconds(-60))], on: relay("dave"))
        try await bench.running {
            try await bench.eventually("own relay is listened to") { bench.network.standing[relay("mine")] != nil }
            bench.network.arrive(
                alice.event(kind: 3, tags: [["p", dave.publicKey.hex]], at: seconds(3)), on: relay("mine"))
            try await bench.eventually("dave's note arrives") {
                try await bench.home().contains { $0.event.content == "from dave" }
            }
            try await bench.eventually("bob's relay is left") { bench.network.standing[relay("bob")] == nil }
        }
    }

    @Test("a relay list that moves moves the standing question with it")
    func moved() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("bob's relay is listened to") { bench.network.standing[relay("bob")] != nil }
            bench.network.arrive(
                bob.event(kind: 10_002, tags: [["r", "wss://new.example"]], at: seconds(3)), on: relay("bob"))
            try await bench.eventually("the new relay is listened to") {
                bench.network.standing[relay("new")] != nil && bench.network.standing[relay("bob")] == nil
            }
        }
    }

    @Test("a blocked relay is known to all connections and asked nothing")
    func blocked() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        _ = await bench.store.save([alice.event(kind: 10_006, tags: [["relay", "wss://bob.example"]])], from: nil)
        try await bench.running {
            try await bench.eventually("carol is read") { bench.network.standing[relay("carol")] != nil }
            #expect(bench.account.blockedRelays.current.relays == [relay("bob")])
        }
        #expect(!bench.network.questions.contains { $0.relay == relay("bob") })
    }

    @Test(
        "when a relay fails or refuses, the author's other relays are asked",
        arguments: [ScriptedNetwork.Behaviour.dead, .refuses(Reason(.restricted, "paid"))])
    func failover(behaviour: ScriptedNetwork.Behaviour) async throws {
        let bench = AccountBench()
        bench.network.put(
            [
                alice.event(kind: 3, tags: [["p", bob.publicKey.hex]]),
                bob.event(kind: 10_002, tags: [["r", "wss://a.example"], ["r", "wss://b.example"]]),
            ], on: relay("index"))
        bench.network.set(relay("a"), behaviour)
        bench.network.put([bob.event("here", at: seconds(-60))], on: relay("b"))
        try await bench.running {
            try await bench.eventually("the note arrives by the other relay") { try await bench.home().count == 1 }
            // It is counted after it is here.
            try await bench.eventually("it is counted") {
                try await bench.account.network.coverage().first?.received[relay("b")] == 1
            }
            let coverage = try #require(try await bench.account.network.coverage().first)
            #expect(coverage.asked.keys.contains(relay("a")))
            #expect(coverage.basis == .relayList)
        }
    }

    @Test("an author without a list is sought on indexers and elsewhere, and the coverage says so")
    func withoutList() async throws {
        let bench = AccountBench()
        bench.network.put([alice.event(kind: 3, tags: [["p", bob.publicKey.hex]])], on: relay("index"))
        bench.network.put([bob.event("found", at: seconds(-60))], on: relay("index"))
        try await bench.running {
            try await bench.eventually("the note arrives") { try await bench.home().count == 1 }
            try await bench.eventually("the question has ended") {
                try await bench.account.network.coverage().first?.asked[relay("index")] == .some(.some(.complete))
            }
            let coverage = try #require(try await bench.account.network.coverage().first)
            #expect(coverage.basis == .indexers)
            #expect(coverage.received == [relay("index"): 1])
        }
    }

    @Test("a silent relay holds nothing up, and is named when its deadline has passed")
    func silent() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        bench.network.set(relay("bob"), .silent)
        bench.network.put([carol.event("from carol", at: seconds(-30))], on: relay("carol"))
        try await bench.running {
            try await bench.eventually("carol's note is there at once") { try await bench.home().count == 1 }
            try await bench.eventually("bob's relay was asked") {
                try await bench.account.network.coverage().first { $0.person.key == bob.publicKey }?.asked[relay("bob")]
                    != nil
            }
            try await bench.eventually("the end is named") {
                bench.clock.advance(by: .seconds(1))
                let coverage = try await bench.account.network.coverage().first { $0.person.key == bob.publicKey }
                return coverage?.asked[relay("bob")] == .some(.some(.deadline))
            }
        }
    }

    @Test("older notes are asked of every relay below what is known, until there are none")
    func older() async throws {
        let bench = AccountBench { $0.homeWindow = .seconds(3600) }
        bench.layOutPeople()
        let old = (0..<400).map { bob.event("old \($0)", at: seconds(-100_000 - Int64($0))) }
        let veryOld = (0..<10).map { carol.event("very old \($0)", at: seconds(-900_000 - Int64($0))) }
        bench.network.put(old, on: relay("bob"))
        bench.network.put(veryOld, on: relay("carol"))
        try await bench.running {
            try await bench.eventually("both have given their window") {
                let isBobHeard = try await isHeard("bob", bench)
                return try await isHeard("carol", bench) && isBobHeard
            }
            let seen = try await bench.scrolled(.home)
            #expect(seen == (old + veryOld).map(\.id))
        }
    }

    @Test("somebody followed while older notes are asked for is asked too before that is all")
    func followedMeanwhile() async throws {
        let bench = AccountBench { $0.homeWindow = .seconds(3600) }
        let dave = TestPerson.dave
        bench.network.put(
            [
                alice.event(kind: 3, tags: [bob, dave].map { ["p", $0.publicKey.hex] }),
                alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]]),
                bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]]),
                carol.event(kind: 10_002, tags: [["r", "wss://carol.example"]]),
                dave.event(kind: 10_002, tags: [["r", "wss://dave.example"]]),
            ], on: relay("index"), relay("mine"))
        bench.network.put([carol.event("long ago", at: seconds(-900_000))], on: relay("carol"))
        try await bench.running {
            try await bench.eventually("both have given their window") {
                let isBobHeard = try await isHeard("bob", bench)
                return try await isHeard("dave", bench) && isBobHeard
            }
            bench.network.set(relay("bob"), .silent)
            try await bench.eventually("bob's relay is asked for older ones, and is in no hurry") {
                _ = try await bench.account.timeline.page(.home, before: nil, limit: 50)
                return bench.network.questions.contains { $0.relay == relay("bob") && $0.filters.first?.until != nil }
            }
            bench.network.arrive(
                alice.event(
                    kind: 3, tags: [bob, carol, dave].map { ["p", $0.publicKey.hex] }, at: seconds(5)),
                on: relay("mine"))
            try await bench.eventually("carol has given her window") { try await isHeard("carol", bench) }
            bench.network.set(relay("bob"), .answers)
            bench.clock.advance(by: bench.configuration.deadlines.timeline)
            let seen = try await bench.scrolled(.home)
            #expect(seen.count == 1)
        }
    }

    /// Whether a person's relay has given what it was asked at the start.
    private func isHeard(_ name: String, _ bench: AccountBench) async throws -> Bool {
        try await bench.records.value("authors wss://\(name).example", in: "coverage") != nil
    }

    @Test("after a restart, only what is missing is asked for, with a day of overlap")
    func restart() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("what bob's relay gave is kept") {
                try await bench.records.value("authors wss://bob.example", in: "coverage") != nil
            }
        }
        let again = AccountBench(records: bench.records)
        again.layOutPeople()
        _ = await again.store.save(await bench.store.query([Filter()]), from: nil)
        try await again.running {
            try await again.eventually("bob's relay is asked") {
                again.network.questions.contains { $0.relay == relay("bob") }
            }
        }
        let filter = try #require(again.network.questions.first { $0.relay == relay("bob") }?.filters.first)
        // By whole hours.
        #expect(filter.since == Timestamp(seconds: (seconds(-86_400)) / 3600 * 3600))
    }

    @Test("what came to a relay that could not be reached for days, while others could, is fetched over a restart")
    func relayWasAway() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("what bob's relay gave is kept") {
                try await bench.records.value("authors wss://bob.example", in: "coverage") != nil
            }
        }
        var records = bench.records
        // Two starts without bob's relay, days apart; in all that time carol's is there.
        for day in 1...2 {
            let without = AccountBench(records: records, after: .seconds(day * 3 * 86_400))
            without.layOutPeople()
            without.network.set(relay("bob"), .dead)
            try await without.running {
                try await without.eventually("carol's relay is heard until now") {
                    let until = try await without.records.value("until wss://carol.example", in: "coverage") ?? []
                    return Int64(String(decoding: until, as: UTF8.self)) == without.start.seconds
                }
            }
            records = without.records
        }
        let last = AccountBench(records: records, after: .seconds(9 * 86_400))
        last.layOutPeople()
        last.network.put([bob.event("while it was away", at: seconds(86_400))], on: relay("bob"))
        try await last.running {
            try await last.eventually("the note is here") {
                try await last.home().contains { $0.event.content == "while it was away" }
            }
        }
    }

    @Test("the report names every relay, whom it serves, and whether it is one's own")
    func relays() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("bob is read") { bench.network.standing[relay("bob")] != nil }
            let reports = try await bench.account.network.relays()
            #expect(reports.first { $0.relay == relay("bob") }?.authors == [bob.publicKey])
            #expect(reports.first { $0.relay == relay("mine") }?.isOwnWrite == true)
            #expect(reports.contains { $0.relay == relay("index") })
            let summary = await bench.account.network.connection()
            #expect(summary.wanted >= 3)
        }
    }
}
