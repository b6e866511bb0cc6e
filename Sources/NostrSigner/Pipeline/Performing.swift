internal import NostrCore
internal import NostrNIPs

/// What was allowed is done with the key.
struct PerformingStep: Hashable, Sendable {
    let request: IdentifiedRequest
    /// What allowed it.
    let rule: Rule
    /// What signing changes.
    let report: ChangeReport?

    /// Answers with the result; a locked key makes the request wait, or is told to the person who just said yes.
    func next(
        _ outcome: Result<RequestResult, any Error>, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        switch outcome {
        case .success(let result):
            if rule == .person, let permission = request.permission {
                state.note(permission, of: request.app, now: context.now)
            }
            return .answer(request, .done(result, by: rule), state, context)
        case .failure(let error):
            if let answer = RequestOutcome(error) { return .answer(request, answer, state, context) }
            if error is CancellationError { return .end(.failed) }
            return rule == .person ? .end(.locked) : .wait(WaitingStep(request, why: .locked, report, state))
        }
    }
}

extension RequestedAction {
    /// Does with the key what was allowed.
    ///
    /// - Throws: ``SigningFailure``, ``RequestFailure``, or why the cipher refused.
    func perform(with signer: some EventSigner, _ report: ChangeReport? = nil) async throws -> RequestResult {
        switch self {
        case .sign(let draft):
            let event = try await signer.sign(draft)
            guard event.isSigned(draft, by: signer.publicKey) else { throw RequestFailure.signedOtherwise }
            return RequestResult(
                text: String(decoding: event.json, as: UTF8.self), event: event,
                fact: .signed(SigningSummary(of: draft, report)))
        case .encrypt(let text, let peer, let cipher):
            return RequestResult(
                text: try await signer.encrypt(text, for: peer, by: cipher), fact: .encrypted)
        case .decrypt(let payload, let peer, let cipher):
            return RequestResult(
                text: try await signer.decrypt(payload, from: peer, by: cipher), fact: .decrypted)
        case .decryptZap(let zap):
            let message = try await signer.decryptZap(zap)
            return RequestResult(
                text: String(decoding: message.json, as: UTF8.self), fact: .readPrivateZap)
        case .tellKey: return RequestResult(text: signer.publicKey.hex, fact: .toldKey)
        case .connect, .ping, .describe, .switchRelays, .logout, .impossible: throw RequestFailure.unsupported
        }
    }
}

extension SigningSummary {
    /// What a signature did; for what replaces something, what it changed.
    fileprivate init(of draft: EventDraft, _ report: ChangeReport?) {
        if let report, ChangeReport.isNeeded(for: draft.kind) {
            self = report.summary
        } else {
            self.init(of: draft)
        }
    }
}

/// Why something that was allowed was not done.
enum RequestFailure: Error, Hashable, Sendable {
    /// This signer cannot do it.
    case unsupported
    /// The signer gave another event than was asked for.
    case signedOtherwise
}

extension Event {
    fileprivate func isSigned(_ draft: EventDraft, by key: PublicKey) -> Bool {
        pubkey == key && kind == draft.kind && tags == draft.tags && createdAt == draft.createdAt
            && content.utf8.elementsEqual(draft.content.utf8)
    }
}

extension RequestOutcome {
    /// What an app is told of a failure; `nil` for one that is over when the key is there again.
    init?(_ failure: any Error) {
        switch failure {
        case SigningFailure.locked: return nil
        case SigningFailure.timedOut: self = .failed(WireError.timedOut, by: .unanswered)
        case SigningFailure.refused: self = .refused(WireError.person, by: .person)
        case let signing as SigningFailure: self = .failed(WireError.of(signing), by: .invalid)
        case RequestFailure.unsupported: self = .failed(WireError.cannotDo, by: .invalid)
        case RequestFailure.signedOtherwise: self = .failed(WireError.signedOtherwise, by: .invalid)
        case let payload as PayloadError: self = .failed(WireError.of(payload), by: .invalid)
        case is PrivateZapError: self = .failed(WireError.noPrivateZap, by: .invalid)
        case is CancellationError: return nil
        default: self = .failed(WireError.failed, by: .invalid)
        }
    }
}
