internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Drives one ``ConnectionState``: reads frames, has events checked and kept, answers questions, writes frames.
///
/// Three kinds of work run side by side, each behind a bounded queue, so that a client that does not read holds up only
/// itself: its frames are no longer read, and its live subscriptions end with CLOSED.
final class Connection: Sendable {
    private enum Work {
        case answer(ConnectionState.Question)
        case count(SubscriptionID, [Filter])
    }

    private enum Ending {
        case reader, workers, writer
    }

    private let number: UInt64
    private let peer: String
    private let shared: SharedParts
    private let state: Mutex<ConnectionState>
    private let outbox: Outbox
    private let published: BoundedQueue<UnverifiedEvent>
    private let work: BoundedQueue<Work>

    /// Questions of one connection answered at the same time.
    private let answerers = 3
    /// Events of one connection checked and kept together.
    private let publishBatch = 256
    /// Frames handed to the socket under one deadline.
    private let sendBatch = 64
    /// What a short question weighs among those that wait, in bytes.
    private let leastQuestion = 16 * 1024

    init(number: UInt64, peer: String, addresses: [RelayURL], shared: SharedParts) {
        self.number = number
        self.peer = peer
        self.shared = shared
        state = Mutex(
            ConnectionState(limits: shared.limits, challenge: shared.makeChallenge(), addresses: addresses))
        outbox = Outbox(limits: shared.limits, all: shared.waiting)
        published = BoundedQueue(capacity: 4 * shared.limits.answerBytes)
        work = BoundedQueue(capacity: 4 * shared.limits.answerBytes)
    }

    /// Serves the client until its frames end, it stops reading, or the task is cancelled.
    func serve<Frames: AsyncSequence & Sendable>(
        _ frames: Frames, send: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async where Frames.Element == [UInt8] {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Ending.self) { group in
                group.addTask { await self.read(frames) }
                group.addTask { await self.workThrough() }
                group.addTask { await self.write(to: send) }
                for await ending in group {
                    switch ending {
                    case .reader: finishInput()
                    case .workers: outbox.finish()
                    case .writer:
                        finishEverything()
                        group.cancelAll()
                    }
                }
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

    private func finishInput() {
        published.finish()
        work.finish()
    }

    private func finishEverything() {
        finishInput()
        outbox.finish()
    }

    private func context() -> ClientContext {
        let authenticated = state.withLock { $0.authenticated }
        return ClientContext(connection: number, peer: peer, authenticated: authenticated, now: shared.time.now())
    }
}

// Reading and writing.
extension Connection {
    private func read<Frames: AsyncSequence & Sendable>(_ frames: Frames) async -> Ending
    where Frames.Element == [UInt8] {
        _ = await perform(state.withLock { $0.opened(challengeNow: shared.challengesAtOnce) }, length: 0)
        do {
            for try await frame in frames {
                let now = shared.time.now()
                let actions = state.withLock { $0.received(frame, now: now) }
                guard await perform(actions, length: frame.count) else { return .writer }
            }
        } catch {
            shared.log.debug("connection broke", metadata: ["peer": "\(peer)", "error": "\(type(of: error))"])
        }
        return .reader
    }

    /// - Returns: `false` when the connection is to end.
    private func perform(_ actions: [ConnectionState.Action], length: Int) async -> Bool {
        for action in actions {
            switch action {
            case .send(let message): await send(message)
            case .publish(let event): await published.send(event, weight: length)
            case .answer(let question): await work.send(.answer(question), weight: max(length, leastQuestion))
            case .count(let id, let filters): await work.send(.count(id, filters), weight: max(length, leastQuestion))
            case .authenticate(let event): await authenticate(event)
            case .disconnect: return false
            }
        }
        return true
    }

    /// Done while reading, so that a question sent right after it finds the client authenticated.
    private func authenticate(_ event: UnverifiedEvent) async {
        guard let result = await shared.verification.check([event]).first else { return }
        let now = shared.time.now()
        let actions = state.withLock { $0.authenticate(result, claimed: event.id, now: now) }
        _ = await perform(actions, length: 0)
    }

    private func send(_ message: RelayMessage) async {
        await outbox.send(message.json)
    }

    private func write(to send: @escaping @Sendable ([UInt8]) async throws -> Void) async -> Ending {
        while let frames = await outbox.next(atMost: sendBatch) {
            do {
                try await withDeadline(
                    shared.limits.sendDeadline, on: shared.time.clock,
                    throwing: DeadlinePassed(after: shared.limits.sendDeadline)
                ) {
                    for frame in frames {
                        try await send(frame)
                        self.outbox.didSend(frame)
                    }
                }
            } catch {
                shared.log.debug("client does not read", metadata: ["peer": "\(peer)", "error": "\(type(of: error))"])
                return .writer
            }
        }
        return .writer
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

// Events and questions.
extension Connection {
    private func workThrough() async -> Ending {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepPublished() }
            for _ in 0..<answerers { group.addTask { await self.answerQuestions() } }
        }
        return .workers
    }

    private func keepPublished() async {
        while let events = await published.receiveUntilFinished(atMost: publishBatch) {
            for message in await keep(events) { await send(message) }
        }
    }

    /// Verifies, judges and keeps events together; the answers come in their order, after the store's commit.
    private func keep(_ events: [UnverifiedEvent]) async -> [RelayMessage] {
        var answers: [RelayMessage?] = []
        var accepted: [Event] = []
        for (claimed, result) in zip(events, await shared.verification.check(events)) {
            switch result {
            case .failure(let rejection):
                answers.append(.ok(claimed.id, accepted: false, rejection.reason))
            case .success(let event):
                if case .refuse(let reason) = await judge(event) {
                    _ = await perform(state.withLock { $0.challengeIfAsked(by: reason) }, length: 0)
                    answers.append(.ok(event.id, accepted: false, reason))
                } else {
                    accepted.append(event)
                    answers.append(nil)
                }
            }
        }
        var kept = await save(accepted)[...]
        return answers.compactMap { $0 ?? kept.popFirst() }
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

    private func answerQuestions() async {
        while let taken = await work.receiveUntilFinished(atMost: 1) {
            for item in taken {
                switch item {
                case .answer(let question): await answer(question)
                case .count(let id, let filters): await count(id, filters)
                }
            }
        }
    }

    private func answer(_ question: ConnectionState.Question) async {
        let client = context()
        if case .refuse(let reason) = await shared.policies.judge(asking: question.filters, by: client) {
            _ = await perform(state.withLock { $0.refused(question, reason) }, length: 0)
            return
        }
        do {
            guard let sent = try await sendStored(question, to: client), state.withLock({ $0.searched(question) })
            else { return }
            await send(.eose(question.id))
            for event in state.withLock({ $0.finished(question, stored: sent) }) {
                await outbox.send(Self.eventFrame(question.id, event.unverified.json))
            }
        } catch {
            let reason = shared.reason(for: error)
            _ = await perform(state.withLock { $0.refused(question, reason) }, length: 0)
        }
    }

    /// Sends what the store holds, a page at a time: the next one is read when the client has room for it.
    ///
    /// - Returns: what was sent, newest first; `nil` when the question was withdrawn or the client went.
    private func sendStored(_ question: ConnectionState.Question, to client: ClientContext) async throws -> [EventID]? {
        let filters = question.filters.filter { $0.limit != 0 }
        guard !filters.isEmpty else { return [] }
        var pages = AnswerPages(filters, of: shared.store, most: shared.limits.answer)
        var sent: [EventID] = []
        while state.withLock({ $0.isOpen(question) }) {
            guard let page = try await pages.next(bytes: outbox.room) else { return sent }
            let bytes = page.reduce(0) { $0 + $1.roughBytes }
            let isThere = await outbox.counting(bytes) {
                for event in page where shared.policies.allowsSeeing(event, by: client) {
                    guard state.withLock({ $0.isOpen(question) }),
                        await outbox.send(Self.eventFrame(question.id, event.unverified.json))
                    else { return false }
                    sent.append(event.id)
                }
                return true
            }
            guard isThere else { return nil }
        }
        return nil
    }

    /// Counts what the client may see and nothing else, and refuses what would cost much.
    private func count(_ id: SubscriptionID, _ filters: [Filter]) async {
        let (client, policies) = (context(), shared.policies)
        if case .refuse(let reason) = await policies.judge(asking: filters, by: client) {
            let challenge = state.withLock { $0.challengeIfAsked(by: reason) }
            _ = await perform(challenge + [.send(.closed(id, reason))], length: 0)
            return
        }
        let isSeen: @Sendable (Event) -> Bool = { policies.allowsSeeing($0, by: client) }
        do {
            let number = try await shared.store.count(
                filters, lookingAt: shared.limits.counted, where: policies.see.isEmpty ? nil : isSeen)
            if let number {
                await send(.count(id, number, approximate: false))
            } else {
                await send(.closed(id, Reason(.restricted, "too much to count; ask for less")))
            }
        } catch {
            await send(.closed(id, shared.reason(for: error)))
        }
    }
}
