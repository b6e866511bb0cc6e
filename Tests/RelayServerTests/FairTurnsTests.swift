import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import RelayServer
import Synchronization
import Testing

@Suite("Questions of many clients", .timeLimit(.minutes(10)))
struct FairTurnsTests {
    @Test("read the store in turns: a flood does not hold up who asks once, and never has all readers")
    func flood() async throws {
        let store = HeldStore()
        let relay = server(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                let client = connect(to: relay, as: "127.0.0.\(2 + number)", in: &group)
                for question in 0..<20 { client.send(.req(try sub("\(question)"), [Filter(kinds: [1])])) }
            }
            // Of each connection three questions at a time; two of all of them read.
            await store.waitForReaders(2)
            await waitForQuestions(28, at: relay)
            let honest = connect(to: relay, as: "127.0.0.1", in: &group)
            honest.send(.req(try sub("mine"), [Filter(kinds: [7])]))
            await waitForQuestions(29, at: relay)
            store.letHeldGo()
            await store.waitForReaders(2)
            // The two that read ended together, so that the next two began together, in either order.
            #expect(store.asked.count == 4 && store.asked.suffix(2).contains(7))
            store.letGo()
            #expect(await honest.receive() == .eose(try sub("mine")))
            #expect(store.mostAtOnce == 2)
            group.cancelAll()
        }
    }

    @Test("that name their events are read beside wide ones, one at a time")
    func lookups() async throws {
        let store = HeldStore()
        let relay = server(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let wide = connect(to: relay, as: "127.0.0.2", in: &group)
            for question in 0..<3 { wide.send(.req(try sub("\(question)"), [Filter(kinds: [1])])) }
            await store.waitForReaders(2)
            let id = try EventID(hex: String(repeating: "ab", count: 32))
            let honest = connect(to: relay, as: "127.0.0.3", in: &group)
            for question in 0..<2 {
                honest.send(.req(try sub("\(question)"), [Filter(ids: [id], kinds: [7])]))
            }
            await store.waitForReaders(3)
            await waitForQuestions(2, at: relay)
            store.letGo()
            let heard = [await honest.receive(), await honest.receive()]
            #expect(heard.contains(.eose(try sub("0"))))
            #expect(heard.contains(.eose(try sub("1"))))
            #expect(store.mostAtOnce == 3)
            group.cancelAll()
        }
    }

    @Test("are not read any more once the client has left")
    func leaving() async throws {
        let store = HeldStore()
        let relay = server(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let client = connect(to: relay, as: "127.0.0.2", in: &group)
            for question in 0..<20 { client.send(.req(try sub("\(question)"), [Filter(kinds: [1])])) }
            await store.waitForReaders(2)
            // The third of the questions that are answered at a time: with nobody waiting, the end would not be seen.
            await waitForQuestions(1, at: relay)
            client.hangUp()
            await waitForQuestions(0, at: relay)
            #expect(store.isWanted == [false, false])
            store.letGo()
            try await group.waitForAll()
        }
        #expect(store.asked.count == 2)
    }

    @Test("are closed by name when they cost too much, or wait too long")
    func limits() async throws {
        let clock = ManualClock()
        let store = HeldStore()
        let relay = server(store, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let slow = connect(to: relay, as: "127.0.0.2", in: &group)
            slow.send(.req(try sub("a"), [Filter(kinds: [1])]))
            slow.send(.count(try sub("b"), [Filter(kinds: [1])]))
            await store.waitForReaders(2)
            let late = connect(to: relay, as: "127.0.0.3", in: &group)
            late.send(.req(try sub("c"), [Filter(kinds: [1])]))
            await waitForQuestions(1, at: relay)
            clock.advance(by: .seconds(31))
            store.letGo()
            let costly = Reason(.error, "this takes too long to answer; ask for less")
            let closed = [await slow.receive(), await slow.receive()]
            #expect(closed.contains(.closed(try sub("a"), costly)))
            #expect(closed.contains(.closed(try sub("b"), costly)))
            let busy = Reason(.rateLimited, "too many questions wait here; ask again later")
            #expect(await late.receive() == .closed(try sub("c"), busy))
            group.cancelAll()
        }
    }

    private func server(_ store: HeldStore, clock: any Clock<Duration> = ManualClock()) -> RelayServer {
        RelayServer(store: store, information: RelayInformation(), clock: clock, now: { testNow })
    }

    private func connect(
        to relay: RelayServer, as peer: String, in group: inout ThrowingTaskGroup<Void, any Error>
    ) -> TestClient {
        let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
        let (messages, heard) = AsyncStream.makeStream(of: RelayMessage.self)
        group.addTask {
            await relay.serve(
                frames: frames, send: { heard.yield(try RelayMessage(json: $0)) }, close: {}, peer: peer)
            heard.finish()
        }
        return TestClient(toRelay: toRelay, fromRelay: messages)
    }

    /// Waits until so many questions wait for their turn.
    private func waitForQuestions(_ count: Int, at relay: RelayServer) async {
        while relay.waitingQuestions != count, !Task.isCancelled { await relay.questionChanges.wait() }
    }
}

/// An empty store whose readings wait until they are let go.
private final class HeldStore: EventStore {
    private struct State {
        var isOpen = false
        var asked: [Kind] = []
        var now = 0
        var mostAtOnce = 0
        var limits: [ReadingLimit] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let inner = MemoryEventStore(now: { testNow })

    /// What was asked, in the order of reading: the first kind of the first filter.
    var asked: [Kind] { state.withLock { $0.asked } }
    /// How many readings there were at the same time.
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }
    /// Whether somebody waits for the readings begun so far.
    var isWanted: [Bool] { state.withLock { $0.limits.map { $0.sign() != .stop } } }

    func waitForReaders(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.held.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Lets those that read now go; who reads next is held again.
    func letHeldGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for reader in held { reader.resume() }
    }

    /// Lets everybody go, also who comes later.
    func letGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isOpen = true
            return state.held
        }
        for reader in held { reader.resume() }
    }

    func read(_ reading: inout AnswerReading, until limit: ReadingLimit) async throws {
        try await pass(reading.filters, limit)
        reading.answer = StoredAnswer(events: [], rest: [])
    }

    func read(_ reading: inout CountReading, until limit: ReadingLimit) async throws {
        try await pass(reading.filters, limit)
        reading.outcome = .count(0)
    }

    private func pass(_ filters: [Filter], _ limit: ReadingLimit) async throws {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let ready = state.withLock { state in
                state.asked.append(filters.first?.kinds?.first ?? 0)
                state.limits.append(limit)
                state.now += 1
                state.mostAtOnce = max(state.mostAtOnce, state.now)
                if state.isOpen { return [continuation] }
                state.held.append(continuation)
                let count = state.held.count
                defer { state.watchers.removeAll { $0.count <= count } }
                return state.watchers.filter { $0.count <= count }.map(\.continuation)
            }
            for waiting in ready { waiting.resume() }
        }
        state.withLock { $0.now -= 1 }
        if limit.sign() == .stop { throw CancellationError() }
    }

    func save(_ events: [Event], from relay: RelayURL?) async throws -> [SaveOutcome] {
        await inner.save(events, from: relay)
    }
    func query(_ filters: [Filter]) async throws -> [Event] { await inner.query(filters) }
    func count(_ filters: [Filter]) async throws -> Int { await inner.count(filters) }
    func relays(of id: EventID) async throws -> Set<RelayURL> { await inner.relays(of: id) }
    func changes() async -> AsyncStream<StoreChange> { await inner.changes() }
    func dropExpired(now: Timestamp) async throws -> Int { await inner.dropExpired(now: now) }
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async throws -> [EventID: [Kind: Int]] {
        await inner.referenceCounts(to: ids, kinds: kinds)
    }
}
