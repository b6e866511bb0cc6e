import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("Relay session")
struct RelaySessionTests {
    let notes = Filter(kinds: [1])
    let note = TestPerson.alice.event("hello")

    // MARK: Connecting

    @Test("connects when somebody asks, closes when nobody has asked for a while")
    func demand() throws {
        var bench = try SessionBench()
        #expect(bench.session.tick(now: bench.now) == [])
        #expect(bench.fetch([notes]) == [.connect])
        #expect(bench.fetch([notes], as: QueryID(number: 2)) == [])
        let requests = bench.connect().requests
        #expect(requests.count == 2)
        for request in requests { _ = bench.receive(.eose(request.id)) }
        #expect(bench.session.nextDeadline == .seconds(30))
        #expect(bench.tick(after: .seconds(30)) == [.disconnect])
        #expect(bench.session.didDisconnect(nil, now: bench.now) == [])
        #expect(bench.session.statistics.failures == 0)
        #expect(bench.fetch([notes]) == [.connect])
    }

    @Test("waits longer after each failure, and starts small only after a connection that held")
    func waits() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.session.startConnecting()
        #expect(
            bench.session.didFailToConnect(.refused, now: bench.now) == [.interrupted(bench.query, .failed(.refused))])
        #expect(bench.session.statistics.state == .waiting(retryAfter: .seconds(1)))
        #expect(bench.tick(after: .milliseconds(999)) == [])
        #expect(bench.tick(after: .milliseconds(1)) == [.connect])
        // A connection that breaks at once does not reset the waits, and is not reported again and again.
        _ = bench.connect()
        #expect(bench.session.didDisconnect(nil, now: bench.now) == [])
        #expect(bench.session.statistics.state == .waiting(retryAfter: .seconds(2)))
        #expect(bench.tick(after: .seconds(2)) == [.connect])
        _ = bench.connect()
        bench.pass(.seconds(60))
        _ = bench.session.didDisconnect(.closed(code: 1006), now: bench.now)
        #expect(bench.session.statistics.state == .waiting(retryAfter: .seconds(1)))
        #expect(bench.session.statistics.failures == 3)
    }

    @Test("a relay in a private network that is allowed is tried at once, and its failures before count no more")
    func retriedNow() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.session.startConnecting()
        _ = bench.session.didFailToConnect(.privateAddress, now: bench.now)
        #expect(bench.session.statistics.awaitsPermission)
        #expect(bench.tick(after: .seconds(1)) == [])
        #expect(bench.session.retryNow(now: bench.now) == [.connect])
        #expect(!bench.session.statistics.awaitsPermission && bench.session.statistics.state == .idle)
        #expect(bench.session.statistics.lastProblem == nil)
        // While it is being dialled there is nothing more to do.
        _ = bench.session.startConnecting()
        #expect(bench.session.retryNow(now: bench.now) == [])
        _ = bench.session.didFailToConnect(.privateAddress, now: bench.now)
        #expect(bench.session.statistics.state == .waiting(retryAfter: .seconds(60)))
    }

    @Test("a relay that nobody wants is not tried because it is allowed, but has nothing to wait for")
    func retriedUnwanted() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        _ = bench.session.startConnecting()
        _ = bench.session.didFailToConnect(.privateAddress, now: bench.now)
        #expect(bench.session.retryNow(now: bench.now) == [])
        #expect(bench.fetch([notes]) == [.connect])
    }

    @Test(
        "a refusal that will not mend itself soon waits a minute",
        arguments: [
            TransportFailure.nameNotFound, .certificate(.untrusted), .handshake(status: 403),
        ])
    func refusals(failure: TransportFailure) throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.session.startConnecting()
        _ = bench.session.didFailToConnect(failure, now: bench.now)
        #expect(bench.session.statistics.state == .waiting(retryAfter: .seconds(60)))
    }

    @Test("a broken connection asks a one-shot query once more, then ends it by name")
    func oneRetry() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        #expect(bench.connect().requests.count == 1)
        #expect(bench.session.didDisconnect(.closed(code: nil), now: bench.now) == [])
        #expect(bench.tick(after: .seconds(1)) == [.connect])
        #expect(bench.connect().requests.count == 1)
        let actions = bench.session.didDisconnect(.closed(code: nil), now: bench.now)
        #expect(actions == [.ended(bench.query, .failed(.closed(code: nil)))])
    }

    @Test("a silent relay is pinged, one that answers is not")
    func pings() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.connect()
        bench.pass(.seconds(30))
        _ = bench.receive(.notice("still here"))
        #expect(bench.tick(after: .seconds(44)) == [])
        #expect(bench.tick(after: .seconds(1)) == [.ping])
        #expect(bench.tick(after: .seconds(44)) == [])
        #expect(bench.tick(after: .seconds(1)) == [.ping])
    }

    @Test("nothing is asked before there is a place, and a query cancelled meanwhile opens no socket")
    func cancelledInLine() throws {
        var bench = try SessionBench()
        #expect(bench.fetch([notes]) == [.connect])
        #expect(bench.session.cancel(bench.query, now: bench.now) == [])
        let connects = bench.session.startConnecting()
        #expect(!connects)
        _ = bench.fetch([notes])
        #expect(bench.tick(after: .seconds(10)) == [.ended(bench.query, .notAsked(.noFreeConnection))])
    }

    @Test(
        "a relay that was used and refuses by name is left alone, whatever it was",
        arguments: [
            TransportFailure.certificate(.untrusted), .handshake(status: 403),
        ])
    func refusesAfterUse(failure: TransportFailure) throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.connect()
        _ = bench.session.didDisconnect(failure, now: bench.now)
        #expect(bench.session.statistics.state == .waiting(retryAfter: .seconds(60)))
    }

    @Test(
        "a relay that was connected before is tried again within 45 seconds, for as long as it takes",
        arguments: [TransportFailure.refused, .nameNotFound, .handshake(status: 502), .timedOut])
    func waitsAfterUse(failure: TransportFailure) throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        _ = bench.connect()
        bench.pass(.seconds(100))
        _ = bench.session.didDisconnect(.closed(code: 1006), now: bench.now)
        var waits: [Duration] = []
        for _ in 0..<9 {
            guard case .waiting(let wait) = bench.session.statistics.state else { break }
            waits.append(wait)
            _ = bench.tick(after: wait)
            _ = bench.session.startConnecting()
            _ = bench.session.didFailToConnect(failure, now: bench.now)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 45, 45, 45].map { .seconds($0) })
    }

    // MARK: Changing

    @Test("a change sends what is new and leaves the rest open")
    func changeSendsLittle() throws {
        var bench = try SessionBench()
        let (a, b, c) = (Filter(kinds: [1]), Filter(kinds: [2]), Filter(kinds: [3]))
        _ = bench.subscribe([a, b])
        let first = try #require(bench.connect().requests.first)
        #expect(bench.receive(.eose(first.id)) == [.live(bench.query)])
        // As large as what is there would be merged; these two are twice as large as what comes.
        let more = bench.session.change(bench.query, [a, b, c], now: bench.now)
        #expect(more.requests.map(\.filters) == [[c]])
        #expect(more.closes.isEmpty)
        // What comes by either is delivered.
        #expect(bench.receive(note, first.id) == [.deliver(bench.query, note)])
        let second = try #require(more.requests.first)
        #expect(bench.receive(.eose(second.id)) == [.live(bench.query)])
        // One filter less: its REQ goes, and what was beside it is asked anew.
        let fewer = bench.session.change(bench.query, [a, c], now: bench.now)
        #expect(fewer.requests.map { Set($0.filters) } == [[a, c]])
        #expect(Set(fewer.closes) == [first.id, second.id])
        #expect(bench.session.change(bench.query, [a, c], now: bench.now) == [])
    }

    @Test("many small changes leave few REQs open")
    func changesAreGathered() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([Filter(kinds: [0])])
        var open = Set(bench.connect().requests.map(\.id))
        for count in 1...64 {
            let actions = bench.session.change(
                bench.query, (0...count).map { Filter(kinds: [Kind(UInt16($0))]) }, now: bench.now)
            open.formUnion(actions.requests.map(\.id))
            open.subtract(actions.closes)
            for request in actions.requests { _ = bench.receive(.eose(request.id)) }
            // Seven for the powers of two, and more only as no REQ carries more than ten filters.
            #expect(open.count <= 7 + count / 10)
        }
    }

    @Test("what was complete before the connection broke is not asked for from the start after a change")
    func changeWhileAway() throws {
        var bench = try SessionBench()
        let old = Timestamp(seconds: 1_600_000_000)
        _ = bench.subscribe([Filter(kinds: [1], since: old)])
        let first = try #require(bench.connect().requests.first)
        _ = bench.receive(.eose(first.id))
        let broke = bench.now.wall
        _ = bench.session.didDisconnect(.closed(code: nil), now: bench.now)
        _ = bench.session.change(
            bench.query, [Filter(kinds: [1], since: old), Filter(kinds: [2], since: old)], now: bench.now)
        #expect(bench.tick(after: .seconds(1)) == [.connect])
        let again = try #require(bench.connect().requests.first)
        #expect(again.filters.allSatisfy { $0.since == broke - bench.session.settings.requests.resumeOverlap })
    }

    // MARK: Limits

    @Test("no more subscriptions are open than the relay bears; the others wait their turn")
    func subscriptionLimit() throws {
        var limits = StatedLimits()
        limits.subscriptions = 2
        var bench = try SessionBench(limits: limits)
        for number in 1...5 { _ = bench.fetch([notes], as: QueryID(number: UInt64(number))) }
        var open = bench.connect().requests.map(\.id)
        #expect(open.count == 2)
        var ended = 0
        while let next = open.first {
            open.removeFirst()
            let actions = bench.receive(.eose(next))
            open += actions.requests.map(\.id)
            ended += actions.count { if case .ended(_, .complete) = $0 { true } else { false } }
            #expect(open.count <= 2)
        }
        #expect(ended == 5)
    }

    @Test("standing subscriptions leave places for the others, and who finds none is told")
    func standingLimit() throws {
        var limits = StatedLimits()
        limits.subscriptions = 4
        var bench = try SessionBench(limits: limits)
        for number in 1...4 { _ = bench.subscribe([notes], as: QueryID(number: UInt64(number))) }
        let actions = bench.connect()
        #expect(actions.requests.count == 3)
        #expect(actions.contains(.interrupted(QueryID(number: 4), .notAsked(.tooManySubscriptions))))
        #expect(bench.fetch([notes], as: QueryID(number: 5)).requests.count == 1)
        // When one goes, the fourth comes in.
        #expect(bench.session.cancel(QueryID(number: 1), now: bench.now).requests.count == 1)
    }

    @Test("the limit of a page is what the relay gives at most")
    func pageLimit() throws {
        var limits = StatedLimits()
        limits.limit = 70
        var bench = try SessionBench(limits: limits)
        _ = bench.fetch([notes, Filter(kinds: [0], limit: 5)])
        #expect(bench.connect().requests.flatMap(\.filters).map(\.limit) == [70, 5])
    }

    @Test("a full page is continued, and the query ends when the relay has no more")
    func pages() throws {
        var limits = StatedLimits()
        limits.limit = 2
        var bench = try SessionBench(limits: limits)
        _ = bench.fetch([notes])
        let first = try #require(bench.connect().requests.first)
        let events = (0..<3).map { TestPerson.bob.event("\($0)", at: 1000 - Int64($0)) }
        #expect(bench.receive(events[0], first.id) == [.deliver(bench.query, events[0])])
        _ = bench.receive(events[1], first.id)
        let actions = bench.receive(.eose(first.id))
        #expect(actions.closes == [first.id])
        let second = try #require(actions.requests.first)
        #expect(second.filters == [Filter(kinds: [1], until: Timestamp(seconds: 999), limit: 2)])
        _ = bench.receive(events[1], second.id)
        _ = bench.receive(events[2], second.id)
        let third = try #require(bench.receive(.eose(second.id)).requests.first)
        _ = bench.receive(events[2], third.id)
        #expect(bench.receive(.eose(third.id)).contains(.ended(bench.query, .complete)))
    }

    @Test("a standing subscription whose stored events were cut gets the rest before it is live")
    func standingPages() throws {
        var limits = StatedLimits()
        limits.limit = 2
        var bench = try SessionBench(limits: limits)
        _ = bench.subscribe([notes])
        let live = try #require(bench.connect().requests.first)
        #expect(live.filters == [notes])
        let events = (0..<3).map { TestPerson.bob.event("\($0)", at: 1000 - Int64($0)) }
        _ = bench.receive(events[0], live.id)
        _ = bench.receive(events[1], live.id)
        let rest = try #require(bench.receive(.eose(live.id)).requests.first)
        #expect(rest.filters == [Filter(kinds: [1], until: Timestamp(seconds: 999), limit: 2)])
        _ = bench.receive(events[1], rest.id)
        _ = bench.receive(events[2], rest.id)
        let last = try #require(bench.receive(.eose(rest.id)).requests.first)
        _ = bench.receive(events[2], last.id)
        #expect(bench.receive(.eose(last.id)).contains(.live(bench.query)))
    }

    // MARK: Refusals

    @Test("a subscription the relay closes ends a one-shot query by name")
    func closed() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        let reason = Reason(.restricted, "not you")
        #expect(bench.receive(.closed(request.id, reason)) == [.ended(bench.query, .closed(reason))])
    }

    @Test("a standing subscription the relay closes comes back later and later, then no more")
    func closedStanding() throws {
        var bench = try SessionBench()
        _ = bench.subscribe([notes])
        var request = try #require(bench.connect().requests.first)
        let reason = Reason(.blocked, "no")
        for (round, wait) in [120, 240, 480, 960].enumerated() {
            let actions = bench.receive(.closed(request.id, reason))
            #expect(actions == (round == 0 ? [.interrupted(bench.query, .closed(reason))] : []))
            #expect(bench.tick(after: .seconds(wait - 1)).requests.isEmpty)
            request = try #require(bench.tick(after: .seconds(1)).requests.first)
        }
        #expect(bench.receive(.closed(request.id, reason)) == [])
        #expect(bench.tick(after: .seconds(10_000)).requests.isEmpty)
    }

    @Test("a busy relay is asked again while there is time")
    func busy() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.closed(request.id, Reason(.rateLimited, "slow down"))) == [])
        #expect(bench.tick(after: .seconds(2)).requests.count == 1)
        // The next wait of 4 seconds fits, the one after would not.
        _ = bench.receive(.closed(request.id, Reason(.rateLimited, "")))
        #expect(bench.tick(after: .seconds(4)).requests.count == 1)
        let actions = bench.receive(.closed(request.id, Reason(.rateLimited, "")))
        #expect(actions == [.ended(bench.query, .closed(Reason(.rateLimited, "")))])
    }

    @Test("what was under way when a subscription closed is nobody's fault")
    func late() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        _ = bench.session.cancel(bench.query, now: bench.now)
        for _ in 0..<100 { #expect(bench.receive(note, request.id) == []) }
        #expect(bench.session.statistics.unasked == 0)
    }

    @Test("latency is the median from request to first answer")
    func latency() throws {
        var bench = try SessionBench()
        _ = bench.fetch([notes])
        _ = bench.connect()
        for milliseconds in [30, 10, 20] {
            let requests = bench.session.reading.asks.filter { $0.value.isOpen }.keys
            bench.pass(.milliseconds(milliseconds))
            for id in requests { _ = bench.receive(.eose(id)) }
            _ = bench.fetch([notes])
        }
        #expect(bench.session.statistics.latency == .milliseconds(20))
    }
}
