internal import AsyncPrimitives
internal import NostrCore
internal import NostrStore
internal import Synchronization

// Questions: judged, read from the store in turns with those of other clients, answered.
extension Connection {
    func answerQuestions() async {
        while let taken = work.next(atMost: 1) {
            for item in taken {
                switch item {
                case .answer(let question) where isWanted(question): await answer(question)
                case .count(let id, let filters) where isThere: await send(await count(id, filters), counted: filters)
                case .answer, .count: break
                }
            }
        }
    }

    private var isThere: Bool { state.withLock { !$0.hasLeft } }

    private func isWanted(_ question: ConnectionState.Question) -> Bool {
        state.withLock { $0.isOpen(question) }
    }

    private func answer(_ question: ConnectionState.Question) async {
        let client = context()
        if case .refuse(let reason) = await shared.policies.judge(asking: question.filters, by: client) {
            await send(state.withLock { $0.refused(question, reason) })
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
            let reason = reason(for: error)
            await send(state.withLock { $0.refused(question, reason) })
        }
    }

    private func reason(for error: any Error) -> Reason {
        if let ending = error as? QuestionEnding { return ending.reason }
        // A reading that was stopped although somebody waits for it: the relay ends.
        if error is CancellationError { return Reason(.error, "the relay is ending") }
        return shared.reason(for: error)
    }

    /// Sends what the store holds, a page at a time: the next one is read when the client has room for it.
    ///
    /// - Returns: what was sent, newest first; `nil` when the question was withdrawn or the client went.
    private func sendStored(_ question: ConnectionState.Question, to client: ClientContext) async throws -> [EventID]? {
        let filters = question.filters.filter { $0.limit != 0 }
        guard !filters.isEmpty else { return [] }
        let wanted: @Sendable () -> Bool = { self.isWanted(question) }
        var pages = AnswerPages(filters, of: shared.store, most: shared.limits.answer)
        let turns = shared.lanes.turns(for: filters)
        var budget = QuestionBudget(shared.limits)
        var sent: [EventID] = []
        while isWanted(question) {
            var frames: [(id: EventID, bytes: [UInt8])]?
            var isPaused = false
            try await turn(&budget, among: turns, isWanted: wanted) { limit in
                switch try await pages.next(bytes: outbox.room, until: limit) {
                case .end: break
                case .paused: isPaused = true
                case .page(let events):
                    // Within the turn, so that writing answers as JSON is shared fairly, too.
                    frames = events.filter { shared.policies.allowsSeeing($0, by: client) }
                        .map { ($0.id, Self.eventFrame(question.id, $0.unverified.json)) }
                }
            }
            if isPaused { continue }
            guard let frames else { return sent }
            guard await send(frames.map(\.bytes), of: question) else { return nil }
            sent += frames.map(\.id)
            if pages.isAtEnd { return sent }
        }
        return nil
    }

    /// - Returns: `false` when the question was withdrawn or the client went.
    private func send(_ frames: [[UInt8]], of question: ConnectionState.Question) async -> Bool {
        await outbox.counting(frames.reduce(0) { $0 + $1.count }) {
            for frame in frames {
                guard isWanted(question), await outbox.send(frame) else { return false }
            }
            return true
        }
    }

    /// The words of a COUNT are free before its answer is there, as the client may ask again when it hears it.
    private func send(_ answer: [RelayMessage], counted filters: [Filter]) async {
        state.withLock { $0.counted(filters) }
        await send(answer)
    }

    /// Counts what the client may see and nothing else, and refuses what would cost much.
    private func count(_ id: SubscriptionID, _ filters: [Filter]) async -> [RelayMessage] {
        let (client, policies) = (context(), shared.policies)
        if case .refuse(let reason) = await policies.judge(asking: filters, by: client) {
            return state.withLock { $0.challengeIfAsked(by: reason) } + [.closed(id, reason)]
        }
        let isSeen: @Sendable (Event) -> Bool = { policies.allowsSeeing($0, by: client) }
        var reading = CountReading(
            filters, lookingAt: shared.limits.counted, where: policies.see.isEmpty ? nil : isSeen)
        let turns = shared.lanes.turns(for: filters)
        var budget = QuestionBudget(shared.limits)
        do {
            while reading.outcome == nil {
                try await turn(&budget, among: turns, isWanted: { self.isThere }) { limit in
                    try await shared.store.read(&reading, until: limit)
                }
            }
            if case .count(let number)? = reading.outcome { return [.count(id, number, approximate: false)] }
            return [.closed(id, Reason(.restricted, "too much to count; ask for less"))]
        } catch {
            return [.closed(id, reason(for: error))]
        }
    }

    /// One turn of a question.
    ///
    /// - Parameters:
    ///   - budget: what the question may cost; less by what this turn did.
    ///   - turns: whose turns it waits for.
    ///   - isWanted: whether somebody waits for the answer; asked also while the store reads.
    /// - Throws: ``QuestionEnding``, or what the store throws.
    private func turn(
        _ budget: inout QuestionBudget, among turns: ReadingTurns, isWanted: @escaping @Sendable () -> Bool,
        _ body: (ReadingLimit) async throws -> Void
    ) async throws {
        guard budget.reading > .zero else { throw QuestionEnding.tooCostly }
        let (uptime, slice) = (shared.time.uptime, shared.limits.readingSlice)
        let asked = uptime()
        switch await turns.wait(as: asker, until: asked + budget.waiting) {
        case .begun: break
        case .late: throw QuestionEnding.late
        case .withdrawn: throw QuestionEnding.withdrawn
        }
        let began = uptime()
        budget.waiting -= began - asked
        let given = budget
        defer {
            let took = uptime() - began
            budget.reading -= took
            turns.end(of: asker, after: took)
        }
        guard isWanted() else { throw QuestionEnding.withdrawn }
        do {
            try await body(ReadingLimit { isWanted() ? given.sign(after: uptime() - began, slice: slice) : .stop })
        } catch let error as CancellationError {
            guard isWanted() else { throw QuestionEnding.withdrawn }
            guard uptime() - began < given.reading else { throw QuestionEnding.tooCostly }
            throw error
        }
    }
}
