import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import RelayServer
import Synchronization
import Testing

@Suite("A relay's limits", .timeLimit(.minutes(10)))
struct LimitTests {
    let alice: Author

    init() throws { alice = try Author(1) }

    @Test("refuse more subscriptions and filters than allowed, by name")
    func subscriptionsAndFilters() async throws {
        var limits = RelayLimits()
        limits.subscriptions = 1
        limits.filters = 2
        try await withRelay(limits: limits) { clients in
            let (a, b) = (try sub("a"), try sub("b"))
            clients[0].send(.req(a, [Filter()]))
            #expect(await clients[0].receive() == .eose(a))
            clients[0].send(.req(b, [Filter()]))
            #expect(await clients[0].receive() == .closed(b, Reason(.rateLimited, "at most 1 subscriptions")))
            clients[0].send(.req(a, [Filter(), Filter(), Filter()]))
            #expect(await clients[0].receive() == .closed(a, Reason(.invalid, "at most 2 filters")))
        }
    }

    @Test("bound what a question lists and searches for, all its filters together, and say which bound it is")
    func costOfQuestions() async throws {
        var limits = RelayLimits()
        limits.listedValues = 3
        limits.searchWords = 3
        try await withRelay(limits: limits) { clients in
            let a = try sub("a")
            let lists: [[Filter]] = [
                [Filter(kinds: [1, 2, 3, 4])],
                [Filter(kinds: [1, 2]), Filter(authors: [alice.publicKey], kinds: [3])],
                [Filter(tags: ["t": ["1", "2"], "e": ["3", "4"]])],
            ]
            for filters in lists {
                let reason = Reason(.invalid, "at most 3 values in the lists of a question")
                clients[0].send(.req(a, filters))
                #expect(await clients[0].receive() == .closed(a, reason))
                clients[0].send(.count(a, filters))
                #expect(await clients[0].receive() == .closed(a, reason))
            }
            clients[0].send(.req(a, [Filter(search: "one two"), Filter(search: "three fo*")]))
            #expect(
                await clients[0].receive()
                    == .closed(a, Reason(.invalid, "at most 3 words to search for in a question")))
            clients[0].send(.req(a, [Filter(search: "one two one ONE"), Filter(kinds: [1, 2, 3], search: "tw*")]))
            #expect(await clients[0].receive() == .eose(a))
        }
    }

    @Test("bound the words that one client has searched for at a time; a search is over with its answer")
    func wordsAtATime() async throws {
        var limits = RelayLimits()
        limits.searchWords = 3
        let gate = Gate()
        let policies = RelayPolicies(ask: [
            { filters, _ in
                if filters.contains(where: { $0.search == "one two" }) { await gate.pass() }
                return .accept
            }
        ])
        try await withRelay(policies: policies, limits: limits) { clients in
            let (a, b) = (try sub("a"), try sub("b"))
            clients[0].send(.req(a, [Filter(search: "one two")]))
            clients[0].send(.req(b, [Filter(search: "three four")]))
            #expect(
                await clients[0].receive() == .closed(b, Reason(.rateLimited, "at most 3 words searched for at a time"))
            )
            clients[0].send(.req(b, [Filter(search: "three")]))
            #expect(await clients[0].receive() == .eose(b))
            await gate.open()
            #expect(await clients[0].receive() == .eose(a))
            clients[0].send(.req(b, [Filter(search: "three four five")]))
            #expect(await clients[0].receive() == .eose(b))
        }
    }

    @Test("bound the words of what one client has counted at a time, together with what it searches for")
    func wordsCountedAtATime() async throws {
        var limits = RelayLimits()
        limits.searchWords = 3
        let gate = Gate()
        let policies = RelayPolicies(ask: [
            { filters, _ in
                if filters.contains(where: { $0.search == "one two" }) { await gate.pass() }
                return .accept
            }
        ])
        let tooMany = Reason(.rateLimited, "at most 3 words searched for at a time")
        try await withRelay(policies: policies, limits: limits) { clients in
            let (a, b) = (try sub("a"), try sub("b"))
            clients[0].send(.count(a, [Filter(search: "one two")]))
            clients[0].send(.count(b, [Filter(search: "three four")]))
            #expect(await clients[0].receive() == .closed(b, tooMany))
            clients[0].send(.req(b, [Filter(search: "three four")]))
            #expect(await clients[0].receive() == .closed(b, tooMany))
            clients[0].send(.count(b, [Filter(search: "three")]))
            #expect(await clients[0].receive() == .count(b, 0, approximate: false))
            await gate.open()
            #expect(await clients[0].receive() == .count(a, 0, approximate: false))
            clients[0].send(.count(b, [Filter(search: "three four five")]))
            #expect(await clients[0].receive() == .count(b, 0, approximate: false))
        }
    }

    @Test("name the unit of a bound that a message breaks")
    func unitsOfBounds() async throws {
        try await withRelay { clients in
            let kinds = Array(repeating: "1", count: 10_001).joined(separator: ",")
            clients[0].send(raw: "[\"REQ\",\"a\",{\"kinds\":[\(kinds)]}]")
            guard case .closed(_, let values)? = await clients[0].receive() else {
                Issue.record("too many values get CLOSED")
                return
            }
            #expect(values.text.hasPrefix("more than 10000 values in a list at byte "))
            clients[0].send(raw: "[\"REQ\",\"a\"" + String(repeating: ",{}", count: 101) + "]")
            guard case .closed(_, let filters)? = await clients[0].receive() else {
                Issue.record("too many filters get CLOSED")
                return
            }
            #expect(filters.text.hasPrefix("more than 100 filters at byte "))
        }
    }

    @Test("lower the limit of a filter", arguments: [(nil, 3), (2, 2), (100, 4), (0, 0)] as [(Int?, Int)])
    func storedEvents(asked: Int?, sent: Int) async throws {
        var limits = RelayLimits()
        limits.defaultLimit = 3
        limits.limit = 4
        let store = MemoryEventStore(now: { testNow })
        _ = await store.save((0..<6).map { alice.sign("\($0)") }, from: nil)
        try await withRelay(store: store, limits: limits) { clients in
            let home = try sub("home")
            clients[0].send(.req(home, [Filter(limit: asked)]))
            #expect(await clients[0].receiveAnswer(home).count == sent + 1)
        }
    }

    @Test("refuse events that are too long or from the future")
    func events() async throws {
        var limits = RelayLimits()
        limits.contentLength = 4
        let (long, early) = (alice.sign("12345"), alice.sign("1", at: testNow.seconds + 86_400))
        try await withRelay(limits: limits) { clients in
            #expect(
                await clients[0].publish(long)
                    == .ok(long.id, accepted: false, Reason(.invalid, "content longer than 4 characters")))
            #expect(
                await clients[0].publish(early)
                    == .ok(early.id, accepted: false, Reason(.invalid, "created_at is too far in the future")))
        }
    }

    @Test("answer what cannot be parsed where its sender waits for it")
    func brokenFrames() async throws {
        let id = alice.sign("x").id
        try await withRelay { clients in
            let client = clients[0]
            client.send(raw: "[\"REQ\",\"home\",{\"kinds\":\"one\"}]")
            guard case .closed(try sub("home"), let reason)? = await client.receive() else {
                Issue.record("a broken REQ gets CLOSED")
                return
            }
            #expect(reason.prefix == .invalid)
            client.send(raw: "[\"EVENT\",{\"id\":\"\(id.hex)\",\"kind\":1}]")
            guard case .ok(id, accepted: false, let refusal)? = await client.receive() else {
                Issue.record("a broken EVENT gets OK false")
                return
            }
            #expect(refusal.prefix == .invalid)
            client.send(raw: "good morning")
            guard case .notice? = await client.receive() else {
                Issue.record("noise gets NOTICE")
                return
            }
        }
    }

    @Test("hang up on a client that only makes noise")
    func noise() async throws {
        var limits = RelayLimits()
        limits.invalidMessages = 3
        try await withRelay(limits: limits) { clients in
            for _ in 0..<4 { clients[0].send(raw: "noise") }
            var heard = 0
            while let message = await clients[0].receive() {
                guard case .notice = message else { break }
                heard += 1
            }
            #expect(heard == 4)
        }
    }

    @Test("end the live subscription of a client that does not read, with CLOSED, and hold no more than allowed")
    func slowReader() async throws {
        var limits = RelayLimits()
        limits.waitingBytes = 2000
        var information = RelayInformation()
        information.name = "Test"
        let store = MemoryEventStore(now: { testNow })
        let relay = RelayServer(
            store: store, information: information, limits: limits, clock: ManualClock(), now: { testNow })
        let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
        let (otherFrames, fromWatcher) = AsyncStream.makeStream(of: [UInt8].self)
        let (watched, toWatcher) = AsyncStream.makeStream(of: RelayMessage.self)
        let watcher = TestClient(toRelay: fromWatcher, fromRelay: watched)
        let (answered, gate) = (Gate(), Gate())
        let heard = Heard()
        let (home, last) = (try sub("home"), try sub("last"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await relay.run() }
            group.addTask {
                await relay.serve(
                    frames: frames,
                    send: { frame in
                        let message = try RelayMessage(json: frame)
                        heard.messages.withLock { $0.append(message) }
                        switch message {
                        case .eose: await answered.pass()
                        case .event: await gate.pass()
                        case .closed: toRelay.finish()
                        default: break
                        }
                    }, close: {}, peer: "slow")
            }
            group.addTask {
                await relay.serve(
                    frames: otherFrames, send: { toWatcher.yield(try RelayMessage(json: $0)) }, close: {},
                    peer: "watcher")
            }
            watcher.send(.req(last, [Filter(kinds: [20_001])]))
            #expect(await watcher.receive() == .eose(last))
            toRelay.yield(ClientMessage.req(home, [Filter(kinds: [1])]).json)
            await answered.waitForSomeone()
            await answered.open()
            // What comes through after EOSE shows that the subscription is live.
            _ = await store.save([alice.sign("first")], from: nil)
            await gate.waitForSomeone()
            for number in 0..<50 { _ = await store.save([alice.sign("note \(number)")], from: nil) }
            let signal = alice.sign("signal", kind: 20_001)
            _ = await store.save([signal], from: nil)
            // The relay hands on one event after the other: all notes have come as far as they can.
            #expect(await watcher.receive() == .event(last, signal.unverified))
            await gate.open()
            await group.next()
            group.cancelAll()
        }
        let messages = heard.messages.withLock { $0 }
        #expect(messages.count < 20)
        #expect(messages.contains(.closed(home, Reason(.error, "fell behind; subscribe again"))))
    }

    @Test("disconnect a client that takes nothing at all")
    func deafClient() async throws {
        var limits = RelayLimits()
        limits.sendDeadline = .milliseconds(20)
        var information = RelayInformation()
        information.name = "Test"
        let relay = RelayServer(
            store: MemoryEventStore(now: { testNow }), information: information, limits: limits, now: { testNow })
        let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
        toRelay.yield(Array("noise".utf8))
        let (never, closing) = AsyncStream.makeStream(of: Never.self)
        await relay.serve(
            frames: frames,
            send: { _ in
                for await _ in never {}
                throw CancellationError()
            }, close: { closing.finish() }, peer: "deaf")
        #expect(relay.connectionCount == 0)
    }

    @Test("no frame makes a relay trap, whatever its bytes")
    func neverTraps() async throws {
        var random = SplitMix(state: 7)
        let note = alice.sign("seed \"text\" \\ ü")
        let seeds = [
            ClientMessage.event(note.unverified), .req(try sub("home"), [Filter(kinds: [1], limit: 3)]),
            .count(try sub("n"), [Filter(authors: [alice.publicKey])]), .close(try sub("home")),
            .auth(note.unverified),
        ].map(\.json)
        var limits = RelayLimits()
        limits.invalidMessages = .max
        let frames = (0..<5000).map { _ in mutated(seeds.randomElement(using: &random) ?? [], using: &random) }
        var information = RelayInformation()
        information.name = "Test"
        let relay = RelayServer(
            store: MemoryEventStore(now: { testNow }), information: information, limits: limits, now: { testNow })
        let (stream, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
        for frame in frames { toRelay.yield(frame) }
        toRelay.finish()
        let heard = Heard()
        await relay.serve(
            frames: stream,
            send: { frame in
                let message = try RelayMessage(json: frame)
                heard.messages.withLock { $0.append(message) }
            }, close: {}, peer: "noise")
        #expect(heard.messages.withLock { $0.count } > 1000)
    }
}

/// What a relay said, for sends that no test client takes.
private final class Heard: Sendable {
    let messages = Mutex<[RelayMessage]>([])
}

/// Changes a few bytes: flips, cuts, repeats.
private func mutated(_ bytes: [UInt8], using random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(bytes[at], at: at)
        default: bytes.removeLast(min(bytes.count, 1 + at / 4))
        }
    }
    return bytes
}

/// Small seeded randomness.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Holds back whoever passes until it is opened.
private actor Gate {
    private var isOpen = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        for watcher in watchers { watcher.resume() }
        watchers = []
        guard !isOpen else { return }
        await withCheckedContinuation { held.append($0) }
    }

    func waitForSomeone() async {
        guard held.isEmpty else { return }
        await withCheckedContinuation { watchers.append($0) }
    }

    func open() {
        isOpen = true
        for waiting in held { waiting.resume() }
        held = []
    }
}
