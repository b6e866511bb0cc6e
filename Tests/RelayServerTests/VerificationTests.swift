import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import RelayServer

@Suite("Checking events of many clients", .timeLimit(.minutes(10)))
struct VerificationTests {
    private let eve = Asker("127.0.0.2", connection: 1)
    private let bob = Asker("127.0.0.3", connection: 2)

    private func events(_ count: Int) -> [UnverifiedEvent] {
        (0..<count).map { TestPerson.eve.event("\($0)").unverified }
    }

    @Test("takes the next batch from whoever has had the fewest checks")
    func fairBatches() async {
        let gate = BatchGate()
        let queue = VerificationQueue(portion: 4, batch: 4) { batch in
            await gate.pass(batch.count)
            return await verify(batch)
        }
        await withTaskGroup(of: Void.self) { group in
            // Three floods, of which one is being checked and two wait.
            for connection in 10..<13 as Range<UInt64> {
                let (flood, asker) = (events(40), Asker("127.0.0.2", connection: connection))
                group.addTask { _ = await queue.check(flood, of: asker) }
            }
            while await queue.waitingCount < 2 { await queue.arrivals.wait() }
            let (one, bob) = (events(1), bob)
            group.addTask { _ = await queue.check(one, of: bob) }
            while await queue.waitingCount < 3 { await queue.arrivals.wait() }
            gate.open()
            await group.waitForAll()
        }
        // Bob comes next, before the floods that waited already; a portion of one fills his batch up.
        #expect(gate.log.prefix(2) == [4, 5])
    }

    @Test("is refused, by name, to a client whose events were forged, until its allowance has filled up again")
    func forgeries() async throws {
        let clock = ManualClock()
        var limits = RelayLimits()
        limits.forgedEvents = TokenRate(burst: 3, refill: .seconds(1))
        let relay = RelayServer(
            store: MemoryEventStore(now: { testNow }), information: RelayInformation(), limits: limits, clock: clock,
            now: { testNow })
        await withThrowingTaskGroup(of: Void.self) { group in
            let eve = connect(to: relay, in: &group)
            let bob = connect(to: relay, in: &group)
            let honest = TestPerson.bob.event("honest", at: testNow.seconds)
            let refusal = Reason(.rateLimited, "too many events with wrong signatures; wait a moment")
            let forged = (0..<20).map { number in
                var event = TestPerson.eve.event("\(number)", at: testNow.seconds).unverified
                event.content += "!"
                return event
            }
            for event in forged { eve.send(.event(event)) }
            let wrong = Reason(.invalid, "the id is not the hash of the event")
            for (number, event) in forged.enumerated() {
                #expect(await eve.receive() == .ok(event.id, accepted: false, number < 3 ? wrong : refusal))
            }
            #expect(await bob.publish(honest) == .ok(honest.id, accepted: true, fine))
            clock.advance(by: .seconds(1))
            let late = TestPerson.eve.event("true", at: testNow.seconds)
            #expect(await eve.publish(late) == .ok(late.id, accepted: true, fine))
            group.cancelAll()
        }
    }

    @Test("counts forgeries by connection, and by network on the internet")
    func whose() {
        let limit = ForgeryLimit(TokenRate(burst: 4, refill: .seconds(1))) { .zero }
        limit.found(4, of: eve)
        #expect(limit.room(for: eve) == 0)
        // Behind a proxy on this machine there are many.
        #expect(limit.room(for: Asker("127.0.0.2", connection: 9)) == 4)
        for connection in 20..<28 as Range<UInt64> { limit.found(4, of: Asker("8.8.8.8", connection: connection)) }
        #expect(limit.room(for: Asker("8.8.8.8", connection: 99)) == 0)
        #expect(limit.room(for: Asker("8.8.4.4", connection: 99)) == 4)
    }

    private func connect(to relay: RelayServer, in group: inout ThrowingTaskGroup<Void, any Error>) -> TestClient {
        let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
        let (messages, heard) = AsyncStream.makeStream(of: RelayMessage.self)
        group.addTask {
            await relay.serve(
                frames: frames, send: { heard.yield(try RelayMessage(json: $0)) }, close: {}, peer: "127.0.0.1")
            heard.finish()
        }
        return TestClient(toRelay: toRelay, fromRelay: messages)
    }
}

/// Holds batches back until it is opened, and writes down how large they are.
private final class BatchGate: Sendable {
    private struct State {
        var isOpen = false
        var log: [Int] = []
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var log: [Int] { state.withLock { $0.log } }

    func pass(_ count: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let goesOn = state.withLock { state in
                state.log.append(count)
                if !state.isOpen { state.held.append(continuation) }
                return state.isOpen
            }
            if goesOn { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isOpen = true
            return state.held
        }
        for waiting in held { waiting.resume() }
    }
}
