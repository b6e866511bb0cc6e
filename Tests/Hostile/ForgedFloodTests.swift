import Logging
import NostrCore
import NostrRelay
import NostrTesting
import Testing
import WebSocketNIO

@Suite("Forged events on a relay that checks nothing", .serialized, .timeLimit(.minutes(10)))
struct ForgedFloodTests {
    private let honest = TestPerson.bob.event("honest", at: attackMoment.seconds)

    /// Notes that say something else than their author signed.
    private func forged(_ count: Int) -> [UnverifiedEvent] {
        (0..<count).map { number in
            var event = TestPerson.eve.event("\(number)", at: attackMoment.seconds).unverified
            event.content += " and more"
            return event
        }
    }

    @Test("do not keep the relay from being read and written, when there are a few")
    func few() async throws {
        try await withCarelessRelay(forged(4) + [honest.unverified]) { pool, relay in
            let (events, ending) = await read(pool, relay)
            #expect(events == [honest])
            #expect(ending == .complete)
            #expect(await pool.statistics()[relay]?.forged == 4)
            #expect(await pool.statistics()[relay]?.distrusted == nil)
            let own = TestPerson.alice.event("mine", at: attackMoment.seconds)
            #expect(await pool.publish(own, to: relay, deadline: .seconds(300)) == .accepted(Reason(nil, "")))
        }
    }

    @Test("end reading for a while, when they are a flood, and what is written goes out all the same")
    func flood() async throws {
        try await withCarelessRelay(forged(300)) { pool, relay in
            let (events, ending) = await read(pool, relay)
            #expect(events.isEmpty)
            guard case .notAsked? = ending else {
                Issue.record("the question ends by name: \(String(describing: ending))")
                return
            }
            #expect(await pool.statistics()[relay]?.distrusted?.pause == .seconds(300))
            let own = TestPerson.alice.event("mine", at: attackMoment.seconds)
            #expect(await pool.publish(own, to: relay, deadline: .seconds(300)) == .accepted(Reason(nil, "")))
        }
    }

    private func read(_ pool: RelayPool, _ relay: RelayURL) async -> ([Event], RelayEnding?) {
        var (found, ending): ([Event], RelayEnding?) = ([], nil)
        for await update in await pool.fetch([relay: [Filter(kinds: [1])]], deadline: .seconds(300)) {
            switch update {
            case .events(let events, _): found += events
            case .ended(_, let how): ending = how
            }
        }
        return (found, ending)
    }

    /// Runs a relay that answers every question with these events and takes everything, and a pool.
    private func withCarelessRelay(
        _ events: [UnverifiedEvent], _ body: @escaping (RelayPool, RelayURL) async throws -> Void
    ) async throws {
        let logger = Logger(label: "hostile")
        let server = try await WebSocketServer.bind(logger: logger)
        let relay = try RelayURL("ws://127.0.0.1:\(server.port)")
        let pool = RelayPool(transport: try WebSocketTransport(), wall: { attackMoment }, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask {
                await server.run { connection in
                    do { try await answer(connection, with: events) } catch {
                        // The pool has closed the connection.
                    }
                }
            }
            defer { group.cancelAll() }
            try await body(pool, relay)
        }
    }
}

private func answer(_ connection: WebSocketConnection, with events: [UnverifiedEvent]) async throws {
    for try await frame in connection.incoming {
        switch try ClientMessage(json: frame) {
        case .req(let id, _):
            for event in events { try await connection.send(RelayMessage.event(id, event).json) }
            try await connection.send(RelayMessage.eose(id).json)
        case .event(let event):
            try await connection.send(RelayMessage.ok(event.id, accepted: true, Reason(nil, "")).json)
        case .close, .auth, .count: break
        }
    }
}
