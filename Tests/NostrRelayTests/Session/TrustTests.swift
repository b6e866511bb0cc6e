import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("What is believed of a relay")
struct TrustTests {
    private let notes = Filter(kinds: [1])
    private let note = TestPerson.bob.event("hello")
    private let stray = TestPerson.alice.event("{}", kind: 0)
    private let why = RelayEnding.notAsked(
        .distrusted(RelayStatistics.Distrust(bad: 51, all: 51, pause: .seconds(300))))

    @Test("a few bad events are dropped and counted, and nothing else happens", arguments: [4, 50])
    func few(number: Int) throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        for _ in 0..<number { #expect(bench.session.didReceiveForged(now: bench.now) == []) }
        #expect(bench.session.statistics.forged == number)
        #expect(bench.session.statistics.distrusted == nil)
        #expect(bench.receive(note, request.id) == [.deliver(bench.query, note)])
    }

    @Test("a small share of bad events is borne, however many they are")
    func smallShare() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        for _ in 0..<400 {
            for _ in 0..<4 { #expect(bench.receive(note, request.id).count == 1) }
            #expect(bench.session.didReceiveForged(now: bench.now) == [])
        }
        #expect(bench.session.statistics.distrusted == nil)
    }

    @Test("slow drops are borne: what counts is the rate")
    func slow() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.connect()
        for _ in 0..<500 {
            #expect(bench.session.didReceiveUnreadable(now: bench.now) == [])
            bench.pass(.seconds(2))
        }
        #expect(bench.session.statistics.unreadable == 500)
    }

    @Test("a flood of events nobody asked for ends questions, and they are asked again later")
    func flood() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        for _ in 0..<50 { #expect(bench.receive(stray, request.id) == []) }
        #expect(bench.receive(stray, request.id) == [.send(.close(request.id)), .ended(bench.query, why), .disconnect])
        #expect(
            bench.session.statistics.distrusted
                == RelayStatistics.Distrust(bad: 51, all: 51, pause: .seconds(300)))
        #expect(bench.session.didDisconnect(nil, now: bench.now) == [])
        #expect(bench.fetch([notes]) == [.ended(bench.query, why)])
        #expect(bench.session.nextDeadline == .seconds(300))
        _ = bench.tick(after: .seconds(300))
        #expect(bench.session.statistics.distrusted == nil)
        #expect(bench.fetch([notes]) == [.connect])
    }

    @Test("a standing subscription waits and is resumed, also one that was opened meanwhile")
    func standing() throws {
        var bench = try SessionBench()
        let later = QueryID(number: 2)
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.eose(request.id)) == [.live(bench.query)])
        let flood = (0..<51).flatMap { _ in bench.session.didReceiveForged(now: bench.now) }
        #expect(flood == [.send(.close(request.id)), .interrupted(bench.query, why), .disconnect])
        #expect(bench.session.didDisconnect(nil, now: bench.now) == [])
        #expect(bench.subscribe([notes], as: later) == [.interrupted(later, why)])
        #expect(bench.tick(after: .seconds(299)) == [])
        #expect(bench.tick(after: .seconds(1)) == [.connect])
        let again = bench.connect().requests
        #expect(again.count == 2)
        // What was missed is asked for, with the overlap of every resumed subscription.
        #expect(
            again.first?.filters.first?.since == Timestamp(seconds: 1_700_000_000)
                - bench.session.settings.requests.resumeOverlap)
    }

    @Test("what we write goes out all the same")
    func writing() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.connect()
        for _ in 0..<51 { _ = bench.session.didReceiveForged(now: bench.now) }
        _ = bench.session.didDisconnect(nil, now: bench.now)
        let offer = PublishID(number: 9)
        let deadline = bench.now.uptime + .seconds(10)
        #expect(bench.session.publish(offer, note, until: deadline, now: bench.now) == [.connect])
        #expect(bench.connect() == [.send(.event(note.unverified))])
        #expect(
            bench.receive(.ok(note.id, accepted: true, Reason(nil, ""))) == [
                .published(offer, .accepted(Reason(nil, "")))
            ]
        )
    }

    @Test("each pause is twice as long, to a limit, and starts small again after a good while")
    func pauses() throws {
        var bench = try SessionBench()
        var pauses: [Duration] = []
        for round in 0..<9 {
            if round == 8 { bench.pass(.seconds(4 * 3600 + 1)) }
            for _ in 0..<51 { _ = bench.session.didReceiveForged(now: bench.now) }
            let pause = try #require(bench.session.statistics.distrusted?.pause)
            pauses.append(pause)
            _ = bench.tick(after: pause)
        }
        #expect(pauses == [300, 600, 1200, 2400, 4800, 9600, 14_400, 14_400, 300].map { .seconds($0) })
    }
}
