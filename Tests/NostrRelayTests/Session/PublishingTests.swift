import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("events that are not offered")
struct PublishingTests {
    private let note = TestPerson.alice.event("hello")
    private let id = PublishID(number: 7)

    @Test("the end of the pool refuses nothing in a person's name")
    func shutdown() throws {
        var bench = try SessionBench()
        _ = bench.session.publish(id, note, until: .seconds(10), now: bench.now)
        _ = bench.connect()
        #expect(bench.session.shutDown().contains(.published(id, .shuttingDown)))
        let late = bench.session.publish(PublishID(number: 8), note, until: .seconds(10), now: bench.now)
        #expect(late == [.published(PublishID(number: 8), .shuttingDown)])
        #expect(bench.session.block(false, now: bench.now) == [])
        #expect(bench.fetch([Filter(kinds: [1])]) == [.ended(bench.query, .notAsked(.shuttingDown))])
    }

    @Test("a relay that the person blocks is offered nothing")
    func blocked() throws {
        var bench = try SessionBench()
        _ = bench.session.publish(id, note, until: .seconds(10), now: bench.now)
        #expect(bench.session.block(true, now: bench.now) == [.published(id, .blocked)])
        #expect(bench.session.publish(id, note, until: .seconds(10), now: bench.now) == [.published(id, .blocked)])
    }

    @Test("what is longer than a relay says it takes is not offered, and the limit is told")
    func tooLong() throws {
        var limits = StatedLimits()
        (limits.messageBytes, limits.isMessageLengthStated) = (1024, true)
        var bench = try SessionBench(limits: limits)
        let long = TestPerson.alice.event(String(repeating: "a", count: 2000))
        let actions = bench.session.publish(id, long, until: .seconds(10), now: bench.now)
        #expect(actions == [.published(id, .tooLong(limit: 1024))])
    }
}
