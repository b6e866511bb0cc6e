internal import NostrCore
internal import NostrNIPs

/// An answer is kept with its line in the log, in one step, before anybody hears it.
struct RecordingStep: Hashable, Sendable {
    let request: IdentifiedRequest
    var outcome: RequestOutcome
    /// The encrypted response; `nil` where the caller of a link waits for it.
    var content: String?
    /// What its app is called.
    let title: String

    /// The line in the log.
    func line(at time: Timestamp) -> ActivityEntry {
        request.line(
            outcome.outcome, by: outcome.rule, title: title, at: time, result: outcome.result, error: outcome.error)
    }

    /// Hands the answer on, now that it is durable.
    func next(
        _ kept: Result<Void, any Error>, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        if case .failure(let error) = kept { return .fail(request, error, &state) }
        state.progress.set(request.event, .answered(undelivered: nil))
        state.pending.remove(request.event)
        state.clients[request.app]?.requests += 1
        state.clients[request.app]?.lastSeen = context.now
        state.announce(.activity)
        state.signals.append(.answered(request.event, outcome.direct))
        guard let content, case .relays(let client, _) = request.replyPath else { return .end(.known) }
        return .end(.answer(state.outgoing(content, to: client, about: request.event)))
    }
}
