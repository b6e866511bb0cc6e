import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

/// What an account remembers of its own questions: what was asked lately, how far back, how relays did.
struct MemoryOfQuestionsTests {
    let now = Timestamp(seconds: 1_700_000_000)

    @Test("the same question is asked again only after its pause")
    func freshness() {
        var freshness = RecentQuestions()
        let question = RecentQuestions.Question.search("heron")
        let asks1 = freshness.shouldAsk(question, now: now)
        #expect(asks1)
        let asks2 = freshness.shouldAsk(question, now: now + .seconds(29))
        #expect(!asks2)
        let asks3 = freshness.shouldAsk(question, now: now + .seconds(30))
        #expect(asks3)
    }

    @Test("what was not found twice rests for a quarter of an hour, unless it was found after all")
    func negative() {
        var freshness = RecentQuestions()
        let question = RecentQuestions.Question.person(TestPerson.bob.publicKey)
        let asks4 = freshness.shouldAsk(question, now: now)
        #expect(asks4)
        let asks5 = freshness.shouldAsk(question, now: now + .seconds(30))
        #expect(asks5)
        let asks6 = freshness.shouldAsk(question, now: now + .seconds(600))
        #expect(!asks6)
        freshness.wasAnswered(question)
        let asks7 = freshness.shouldAsk(question, now: now + .seconds(600))
        #expect(asks7)
    }

    @Test("the memory of questions is bounded")
    func bounded() {
        var freshness = RecentQuestions()
        for number in 0..<50_000 {
            let asks8 = freshness.shouldAsk(.person(person(number)), now: now)
            #expect(asks8)
        }
        #expect(freshness.count <= 20_000)
    }

    @Test("a stretch reaches as far down as the relay that was cut off latest")
    func stretch() {
        var tally = StretchTally(limit: 3)
        tally.count((0..<3).map { TestPerson.bob.event("\($0)", at: 100 - $0) }, from: relay("a"))
        tally.count((0..<3).map { TestPerson.bob.event("\($0)", at: 50 - $0) }, from: relay("b"))
        tally.count([TestPerson.bob.event("x", at: 10)], from: relay("c"))
        tally.count((0..<3).map { TestPerson.bob.event("\($0)", at: 500 - $0) }, from: relay("late"))
        for name in ["a", "b", "c"] { tally.didComplete(relay(name)) }
        #expect(tally.reach == Timestamp(seconds: 98))
    }

    @Test("a stretch in which no relay was cut off is the last")
    func lastStretch() {
        var tally = StretchTally(limit: 3)
        tally.count([TestPerson.bob.event("x", at: 10)], from: relay("a"))
        tally.didComplete(relay("a"))
        tally.didComplete(relay("b"))
        #expect(tally.reach == nil)
    }

    @Test("a horizon survives the disk, and garbage on the disk is none")
    func horizon() {
        let horizon = Horizon(since: Timestamp(seconds: 5), until: Timestamp(seconds: 9))
        #expect(Horizon(record: horizon.record) == horizon)
        for garbage in ["", "5", "a b", "1 2 3"] { #expect(Horizon(record: Array(garbage.utf8)) == nil) }
    }

    @Test("a relay rests after a refusal, after two late answers, and shortly when it asks for a pause")
    func health() {
        let relay = relay("a")
        let late = now + .seconds(601)
        var health = RelayHealth()
        health.questionEnded(.deadline, at: relay, now: now)
        #expect(!health.isUnreadable(relay, now: now))
        health.questionEnded(.deadline, at: relay, now: now)
        #expect(health.isUnreadable(relay, now: now))
        #expect(!health.isUnreadable(relay, now: late))
        health.questionEnded(.complete, at: relay, now: now)
        #expect(!health.isUnreadable(relay, now: now))
        health.questionEnded(.closed(Reason(.rateLimited, "")), at: relay, now: now)
        #expect(health.isUnreadable(relay, now: now + .seconds(29)))
        #expect(!health.isUnreadable(relay, now: now + .seconds(30)))
        health.questionEnded(.notAsked(.noFreeConnection), at: relay, now: late)
        #expect(!health.isUnreadable(relay, now: late))
    }

    @Test("a distrusted relay is not asked, but written to; a connected one is preferred, a slow one less")
    func preference() {
        var forger = RelayStatistics()
        forger.connects = 1
        forger.distrusted = RelayStatistics.Distrust(bad: 60, all: 90, pause: .seconds(300))
        var near = RelayStatistics()
        near.connects = 1
        near.state = .connected
        var far = near
        far.latency = .seconds(4)
        var health = RelayHealth()
        health.observe([relay("forger"): forger, relay("near"): near, relay("far"): far], now: now)
        #expect(health.isUnreadable(relay("forger"), now: now))
        #expect(!health.isDown(relay("forger"), now: now))
        #expect(health.preference(for: relay("near")) > health.preference(for: relay("unknown")))
        #expect(health.preference(for: relay("near")) > health.preference(for: relay("far")))
    }

    @Test("what failed is asked again six times, what came counts once per relay")
    func ledger() {
        let bob = TestPerson.bob.publicKey
        var plan = ReadPlan()
        plan.assign(bob, ReadPlan.Assignment(relays: [relay("a")], basis: .relayList))
        var ledger = CoverageLedger()
        for _ in 0..<7 {
            #expect(ledger.unasked(plan.relays) == [relay("a"): [bob]])
            ledger.ask([bob], of: relay("a"))
            #expect(ledger.unasked(plan.relays).isEmpty)
            #expect(ledger.isOpen([bob], at: relay("a")))
            ledger.end([bob], of: relay("a"), .failed(.refused))
            ledger.forgetFailures(at: relay("a"))
        }
        #expect(ledger.unasked(plan.relays).isEmpty)
        let note = TestPerson.bob.event("x")
        _ = ledger.receive([note, note], from: relay("a"))
        _ = ledger.receive([note], from: relay("b"))
        #expect(ledger.received(of: bob) == [relay("a"): 1, relay("b"): 1])
    }
}
