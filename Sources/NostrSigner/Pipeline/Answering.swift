internal import NostrCore
internal import NostrNIPs

// Performed → answered: the response is encrypted, put into the records where it must be, and only then sent.
extension SigningStep {
    /// Answers a request that is in the records: the answer is kept before it is sent.
    static func answer(
        _ request: IdentifiedRequest, _ outcome: RequestOutcome, _ state: SignerState, _ context: StepContext
    ) -> SigningStep {
        let record = RecordingStep(request: request, outcome: outcome, content: nil, title: state.title(of: request))
        guard case .relays = request.replyPath else { return .record(record) }
        return reply(
            outcome, to: request, purpose: .answer(record),
            readsLongForm: state.clients[request.app]?.readsLongForm ?? false)
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

// MARK: Recording

/// An answer goes into the records with its line in the log, in one step, before anybody hears it.
///
/// What a loss of power may take back is said in `docs/decisions/0010-signer-records.md`.
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

    /// Hands the answer on, now that it is in the records.
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
