internal import NostrCore

/// A request is taken into the records, once, before anything is decided.
struct AdmissionStep: Hashable, Sendable {
    /// As it is kept.
    let kept: AdmittedRequest
    /// The request; `nil` for one that cannot be read while the key is locked.
    let request: IdentifiedRequest?

    /// Goes on with a request that is new; a repeated one gets the answer it got before.
    func next(
        _ outcome: Result<Admission, any Error>, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        guard let request else { return nextUnread(outcome, &state) }
        switch outcome {
        case .success(.new): return .decide(request, &state, context)
        case .success(.underWay), .success(.waiting), .success(.answered(nil)):
            state.progress.set(request.event, .over)
            return .end(.known)
        case .success(.answered(let content?)):
            guard case .relays(let client, _) = request.replyPath else {
                state.progress.set(request.event, .over)
                return .end(.known)
            }
            state.progress.set(request.event, .answered(undelivered: nil))
            return .end(.answer(state.outgoing(content, to: client, about: request.event)))
        case .failure(let error): return .fail(request, error, &state)
        }
    }

    private func nextUnread(_ outcome: Result<Admission, any Error>, _ state: inout SignerState) -> SigningStep {
        switch outcome {
        case .success(.new), .success(.underWay): return .wait(WaitingStep(unread: kept, state))
        case .success(.waiting): return WaitingStep(unread: kept, state).next(.success(()), &state, nil)
        case .success(.answered(let content)):
            // It is sent once the key is there, should the app ask again.
            state.progress.set(kept.event, content == nil ? .over : .answered(undelivered: content))
            return .end(.known)
        case .failure(SignerRecordsError.tooManyWaiting):
            // Nothing can be said to its app while the key is locked; it may ask again.
            state.progress.forget(kept.event)
            return .end(.dropped(.tooMany))
        case .failure:
            state.progress.forget(kept.event)
            return .end(.failed)
        }
    }
}
