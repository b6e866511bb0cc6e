internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

// Driving requests through the pipeline.
extension LiveSigner {
    /// Performs the work of steps until there is none left.
    func drive(_ first: SigningStep) async -> RequestEnd {
        var step = first
        while true {
            flushSignals()
            if case .end(let end) = step { return end }
            step = await perform(step)
        }
    }

    /// Performs the work of one step; the outcome gives the next.
    private func perform(_ step: SigningStep) async -> SigningStep {
        switch step {
        case .open(let step):
            let outcome = await environment.open(step.request)
            return step.next(outcome, &state, environment.context)
        case .checkSecret(let step):
            let outcome = await outcome { try await openSecret() }
            return step.next(outcome, &state, environment.context)
        case .renewSecret(let step):
            let outcome = await outcome { _ = try await renewSecret(trust: .medium) }
            return step.next(outcome, &state, environment.context)
        case .keepApp(let step):
            let outcome = await outcome { try await keepApp(of: step) }
            return step.next(outcome, &state)
        case .admit(let step):
            let outcome = await environment.admit(step.kept)
            return step.next(outcome, &state, environment.context)
        case .explain(let step):
            let report = await environment.explain(step.draft)
            return step.next(report, &state, environment.context)
        case .wait, .perform, .seal, .record, .depart: return await finish(step)
        case .end: return step
        }
    }

    /// The steps from what was decided to the answer.
    private func finish(_ step: SigningStep) async -> SigningStep {
        switch step {
        case .wait(let step):
            let outcome = await environment.wait(step)
            return step.next(outcome, &state, environment.context)
        case .perform(let step):
            let outcome = await environment.perform(step)
            return step.next(outcome, &state, environment.context)
        case .seal(let step):
            let outcome = await environment.seal(step)
            return step.next(outcome, &state)
        case .record(let step):
            let outcome = await environment.record(step)
            return step.next(outcome, &state, environment.context)
        case .depart(let step):
            let outcome = await outcome { try await unpair(step.client, .loggedOut, by: .harmless) }
            return step.next(outcome, &state)
        default: return step
        }
    }

    private func outcome<Value>(_ work: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    private func keepApp(of step: AppKeepingStep) async throws {
        try await keep(step.request.app)
        if let paired = step.paired {
            try await noteLine(about: paired, .paired, method: RemoteMethod.connect.rawValue, at: paired.connected)
        }
    }

    /// Tells others what the last steps want told.
    func flushSignals() {
        let signals = state.signals
        guard !signals.isEmpty else { return }
        state.signals = []
        for signal in signals {
            switch signal {
            case .changed(let change): watchers.send(change)
            case .received(let relay, let moment):
                listening[relay, default: ListeningFigures()].requests += 1
                listening[relay]?.lastRequest = moment
            case .keep(let app): jobs.continuation.yield(.keep(app))
            case .relaysChanged: relayChanges.continuation.yield()
            case .answered(let request, let answer):
                let caller = callers.removeValue(forKey: request)
                caller?.yield(answer)
                caller?.finish()
            case .deliver(let answer): jobs.continuation.yield(.deliver(answer))
            case .trouble(let problem):
                logger.error("a request could not be kept", metadata: ["problem": "\(problem)"])
            }
        }
    }

    // MARK: Answers

    /// Drives a request and leaves its answer to ``run()``.
    func driveAndPost(_ step: SigningStep) async {
        post(await drive(step))
    }

    /// Leaves an answer to ``run()``, which sends it.
    func post(_ end: RequestEnd) {
        if case .answer(let answer) = end { jobs.continuation.yield(.deliver(answer)) }
    }

    /// Sends an answer until a relay takes it; whether one did.
    @discardableResult
    func deliver(_ answer: OutgoingAnswer) async -> Bool {
        if await sender.deliver(answer, whenTaken: { await self.didDeliver(answer.request) }) { return true }
        // Cancelled: the program ends.
        guard !Task.isCancelled else { return false }
        state.progress.set(answer.request, .answered(undelivered: answer.content))
        logger.warning(
            "no relay took the answer to an app",
            metadata: ["app": "\(answer.client.hex.prefix(8))", "relays": "\(answer.relays.count)"])
        return false
    }

    private func didDeliver(_ request: EventID) {
        state.progress.didDeliver(request)
    }
}
