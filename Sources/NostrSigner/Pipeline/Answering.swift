internal import NostrCore
internal import NostrNIPs

// Performed → answered: the response is encrypted, kept where it must be, and only then sent.
extension SigningStep {
    /// Answers a request that is in the records: the answer is kept before it is sent.
    static func answer(
        _ request: IdentifiedRequest, _ outcome: RequestOutcome, _ state: SignerState, _ context: StepContext
    ) -> SigningStep {
        let record = RecordingStep(request: request, outcome: outcome, content: nil, title: state.title(of: request))
        guard case .relays(let client, _) = request.replyPath else { return .record(record) }
        return reply(
            outcome, to: request, purpose: .answer(record), readsLongForm: state.longFormReaders.contains(client))
    }

    /// Answers without keeping: what costs nothing to do again.
    static func reply(
        _ outcome: RequestOutcome, to request: IdentifiedRequest, purpose: SealingStep.Purpose = .reply,
        readsLongForm: Bool = false
    ) -> SigningStep {
        guard case .relays(let client, let cipher) = request.replyPath else { return .end(.known) }
        return .seal(
            SealingStep(
                event: request.event, response: outcome.response(to: request.read.request.id), client: client,
                cipher: cipher, purpose: purpose, readsLongForm: readsLongForm))
    }

    /// The disk or the key failed: the request may come again, and what was admitted is found at the next start.
    static func fail(_ request: IdentifiedRequest, _ error: any Error, _ state: inout SignerState) -> SigningStep {
        state.fail(request.event, error)
        return .end(.failed)
    }
}

/// A response is encrypted for its app, as the request was.
struct SealingStep: Hashable, Sendable {
    /// What the response is.
    enum Purpose: Hashable, Sendable {
        /// The answer to a request that is in the records.
        case answer(RecordingStep)
        /// The answer to a request that is not kept.
        case reply
        /// The answer to an app that is forgotten now.
        case farewell(IdentifiedRequest, SignerClient)
        /// The page where the person can decide, while the request waits (NIP-46, "Auth Challenges").
        case challenge
    }

    /// The event of the request.
    let event: EventID
    let response: RemoteResponse
    /// The app.
    let client: PublicKey
    let cipher: ContentCipher
    let purpose: Purpose
    /// Whether the app is known to read NIP-44's long form.
    var readsLongForm = false

    /// Goes on with the encrypted response.
    func next(_ outcome: Result<String, any Error>, _ state: inout SignerState) -> SigningStep {
        switch (outcome, purpose) {
        case (.success(let content), .answer(var record)):
            record.content = content
            return .record(record)
        case (.success(let content), .reply):
            state.progress.set(event, .answered(undelivered: nil))
            return .end(.answer(state.outgoing(content, to: client, about: event)))
        case (.success(let content), .farewell(let request, let leaving)):
            state.progress.set(event, .answered(undelivered: nil))
            return .depart(
                DepartureStep(
                    request: request, client: leaving, farewell: state.outgoing(content, to: client, about: event)))
        case (.success(let content), .challenge):
            state.signals.append(.deliver(state.outgoing(content, to: client, about: event)))
            return .end(.waiting)
        case (.failure(PayloadError.tooLong), .answer(var record)) where record.outcome.result != nil:
            // A text the app cannot read would never reach it: it is told so, and what was done stays in the log as failed.
            record.outcome = .failed(WireError.answerTooLong, by: .invalid)
            return SigningStep.reply(record.outcome, to: record.request, purpose: .answer(record))
        // Without the page the app just waits.
        case (.failure, .challenge): return .end(.waiting)
        case (.failure(SigningFailure.locked), .answer(let record)):
            return .wait(WaitingStep(record.request, why: .locked, nil, state))
        case (.failure(let error), _):
            state.fail(event, error)
            return .end(.failed)
        }
    }
}
