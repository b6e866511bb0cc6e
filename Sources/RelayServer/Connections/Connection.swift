internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Drives one ``ConnectionState``: reads frames, has events checked and kept, answers questions, writes frames.
///
/// Three kinds of work run side by side, each behind a bounded queue, so that a client that does not read holds up only
/// itself: its frames are no longer read, and its live subscriptions end with CLOSED. A client that is silent has a task
/// that reads and one that writes; workers begin when there is work (``Workload``).
final class Connection: Sendable {
    enum Work {
        case answer(ConnectionState.Question)
        case count(SubscriptionID, [Filter])
    }

    private let number: UInt64
    private let peer: String
    let asker: Asker
    let shared: SharedParts
    let state: Mutex<ConnectionState>
    let outbox: Outbox
    private let published: Workload<UnverifiedEvent>
    let work: Workload<Work>

    /// Events of one connection checked and kept together.
    private let publishBatch = 256
    /// Frames taken out at once to be handed to the socket.
    private let sendBatch = 64
    /// Frames that are read before others get the processor.
    private let readBatch = 16
    private static let tooManyForgeries = Reason(
        .rateLimited, "too many events with wrong signatures; wait a moment")
    /// What a short question weighs among those that wait, in bytes.
    private let leastQuestion = 16 * 1024

    init(number: UInt64, peer: String, addresses: [RelayURL], shared: SharedParts) {
        self.number = number
        self.peer = peer
        asker = Asker(peer, connection: number)
        self.shared = shared
        state = Mutex(
            ConnectionState(limits: shared.limits, challenge: shared.makeChallenge(), addresses: addresses))
        outbox = Outbox(limits: shared.limits, all: shared.waiting)
        // One at a time keeps events in their order.
        published = Workload(capacity: 4 * shared.limits.answerBytes, most: 1)
        work = Workload(capacity: 4 * shared.limits.answerBytes, most: 3)
    }

    /// Serves the client until its frames end, it stops reading, or the task is cancelled.
    func serve<Frames: AsyncSequence & Sendable>(
        _ frames: Frames, send: @escaping @Sendable ([UInt8]) async throws -> Void,
        close: @escaping @Sendable () -> Void
    ) async where Frames.Element == [UInt8] {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await withDiscardingTaskGroup { workers in
                        await self.read(frames, startingIn: &workers)
                        self.clientLeft()
                    }
                    self.outbox.finish()
                }
                await write(to: send, closing: close)
                finishEverything()
                group.cancelAll()
            }
        } onCancel: {
            finishEverything()
        }
    }

    /// Hands the client an event that is new here, if it asked for such; never waits.
    ///
    /// - Parameter json: the event's JSON, made once for all clients.
    func deliver(_ event: Event, json: [UInt8]) {
        guard shared.policies.see.isEmpty || shared.policies.allowsSeeing(event, by: context()) else { return }
        state.withLock { state in
            for delivery in state.happened(event) {
                switch delivery {
                case .send(let id):
                    let frame = Self.eventFrame(id, json)
                    if !outbox.trySend(frame) { drop(id, from: &state) }
                case .fellBehind(let id):
                    drop(id, from: &state)
                }
            }
        }
    }

    /// Ends every live subscription, because events were missed on the way here.
    func missedEvents() {
        state.withLock { state in
            for id in state.subscriptions.keys { drop(id, from: &state) }
        }
    }

    private func drop(_ id: SubscriptionID, from state: inout ConnectionState) {
        state.drop(id)
        outbox.sendNow(RelayMessage.closed(id, Reason(.error, "fell behind; subscribe again")).json)
    }

    /// Withdraws all questions, those being read too, as nobody reads the answers.
    ///
    /// What was published is kept.
    private func clientLeft() {
        finishInput()
        state.withLock { $0.left() }
        shared.lanes.withdraw(asker)
    }

    private func finishInput() {
        published.finish()
        work.finish()
    }

    private func finishEverything() {
        clientLeft()
        outbox.finish()
    }

    func context() -> ClientContext {
        let authenticated = state.withLock { $0.authenticated }
        return ClientContext(connection: number, peer: peer, authenticated: authenticated, now: shared.time.now())
    }
}

// Reading and writing.
extension Connection {
    private func read<Frames: AsyncSequence & Sendable>(
        _ frames: Frames, startingIn workers: inout DiscardingTaskGroup
    ) async where Frames.Element == [UInt8] {
        await send(state.withLock { $0.opened(challengeNow: shared.challengesAtOnce) })
        var read = 0
        do {
            for try await frame in frames {
                // Frames that wait already come without a pause, and a flood of them would keep a processor to itself.
                read += 1
                if read.isMultiple(of: readBatch) { await Task.yield() }
                let now = shared.time.now()
                let actions = state.withLock { $0.received(frame, now: now) }
                guard await perform(actions, length: frame.count, startingIn: &workers) else { return }
            }
        } catch {
            shared.log.debug("connection broke", metadata: ["peer": "\(peer)", "error": "\(type(of: error))"])
        }
    }

    /// - Returns: `false` when the connection is to end.
    private func perform(
        _ actions: [ConnectionState.Action], length: Int, startingIn workers: inout DiscardingTaskGroup
    ) async -> Bool {
        for action in actions {
            switch action {
            case .send(let message): await send(message)
            case .publish(let event):
                if published.add(event, weight: length) { workers.addTask { await self.keepPublished() } }
                await published.waitWhileFull()
            case .answer(let question):
                await begin(.answer(question), length: length, startingIn: &workers)
            case .count(let id, let filters):
                await begin(.count(id, filters), length: length, startingIn: &workers)
            case .authenticate(let event): await authenticate(event)
            case .disconnect: return false
            }
        }
        return true
    }

    private func begin(_ one: Work, length: Int, startingIn workers: inout DiscardingTaskGroup) async {
        if work.add(one, weight: max(length, leastQuestion)) { workers.addTask { await self.answerQuestions() } }
        await work.waitWhileFull()
    }

    /// Done while reading, so that a question sent right after it finds the client authenticated.
    private func authenticate(_ event: UnverifiedEvent) async {
        guard let result = await check([event]).first else {
            await send(.ok(event.id, accepted: false, Self.tooManyForgeries))
            return
        }
        let now = shared.time.now()
        await send(state.withLock { $0.authenticate(result, claimed: event.id, now: now) })
    }

    func send(_ message: RelayMessage) async {
        await outbox.send(message.json)
    }

    func send(_ messages: [RelayMessage]) async {
        for message in messages { await send(message) }
    }

    private func write(
        to send: @escaping @Sendable ([UInt8]) async throws -> Void, closing close: @escaping @Sendable () -> Void
    ) async {
        while let frames = await outbox.next(atMost: sendBatch) {
            do {
                for frame in frames {
                    let sent: Void? = try await shared.sendDeadline.run(endingLate: close) { try await send(frame) }
                    if sent == nil { throw DeadlinePassed(after: shared.limits.sendDeadline) }
                    outbox.didSend(frame)
                }
            } catch {
                shared.log.debug("client does not read", metadata: ["peer": "\(peer)", "error": "\(type(of: error))"])
                return
            }
        }
    }

    static func eventFrame(_ id: SubscriptionID, _ json: [UInt8]) -> [UInt8] {
        var frame = Array("[\"EVENT\",".utf8)
        frame.reserveCapacity(json.count + 80)
        frame.append(contentsOf: quotedJSON(id.text).utf8)
        frame.append(UInt8(ascii: ","))
        frame.append(contentsOf: json)
        frame.append(UInt8(ascii: "]"))
        return frame
    }
}

// Events.
extension Connection {
    private func keepPublished() async {
        while let events = published.next(atMost: publishBatch) {
            for message in await keep(events) { await send(message) }
        }
    }

    /// Verifies, judges and keeps events together; the answers come in their order, after the store's commit.
    private func keep(_ events: [UnverifiedEvent]) async -> [RelayMessage] {
        var answers: [RelayMessage?] = []
        var accepted: [Event] = []
        let checked = await check(events)
        for (claimed, result) in zip(events, checked) {
            switch result {
            case .failure(let rejection):
                answers.append(.ok(claimed.id, accepted: false, rejection.reason))
            case .success(let event):
                if case .refuse(let reason) = await judge(event) {
                    await send(state.withLock { $0.challengeIfAsked(by: reason) })
                    answers.append(.ok(event.id, accepted: false, reason))
                } else {
                    accepted.append(event)
                    answers.append(nil)
                }
            }
        }
        for unchecked in events.dropFirst(checked.count) {
            answers.append(.ok(unchecked.id, accepted: false, Self.tooManyForgeries))
        }
        var kept = await save(accepted)[...]
        return answers.compactMap { $0 ?? kept.popFirst() }
    }

    /// Checks ids and signatures, until the client's allowance of forgeries is used up.
    ///
    /// - Returns: the results of the first events; of all, where the allowance held.
    private func check(_ events: [UnverifiedEvent]) async -> [Result<Event, EventRejection>] {
        var results: [Result<Event, EventRejection>] = []
        while results.count < events.count {
            // Each could be forged, so that no more are checked than may be.
            let room = shared.forgeries.room(for: asker)
            guard room > 0 else { break }
            let some = Array(events[results.count...].prefix(room))
            let checked = await shared.verification.check(some, of: asker)
            shared.forgeries.found(checked.count { if case .failure = $0 { true } else { false } }, of: asker)
            results += checked
        }
        return results
    }

    private func judge(_ event: Event) async -> Verdict {
        if event.carriesProtectedEvent {
            return .refuse(Reason(.blocked, "a protected event is not passed on inside another"))
        }
        return await shared.policies.judge(publishing: event, by: context())
    }

    private func save(_ events: [Event]) async -> [RelayMessage] {
        guard !events.isEmpty else { return [] }
        do {
            let outcomes = try await shared.store.save(events, from: nil)
            return zip(events, outcomes).map { event, outcome in outcome.answer(to: event.id) }
        } catch {
            let reason = shared.reason(for: error)
            return events.map { .ok($0.id, accepted: false, reason) }
        }
    }
}
