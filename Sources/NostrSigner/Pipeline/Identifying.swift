internal import NostrCore
internal import NostrNIPs

// Opened → identified → admitted: who asks, whether the request is worth keeping, and whether it is new.
extension SigningStep {
    /// The methods of NIP-46.
    private static let methods = RemoteMethod.allCases.filter { $0 != .decryptZapEvent }

    /// Finds the app of an opened request; harmless requests are answered at once, the others are admitted.
    static func identify(
        _ opened: OpenedRequest, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        let verified = opened.verified
        let read: ReadRequest
        switch opened.content {
        case .success(let content): read = content
        case .failure(let error): return explainUnreadable(error, opened, &state)
        }
        let request = IdentifiedRequest(verified, read, cipher: opened.cipher, account: context.account)
        let client = state.clients[request.app]
        state.clients[request.app]?.lastSeen = verified.moment
        if opened.isLongForm, client?.readsLongForm == false { state.noteLongForm(of: request.app) }
        if let relay = verified.relay { state.signals.append(.received(relay, verified.moment)) }
        if case .connect(let introduction) = read.action {
            return connect(request, introduction, &state, context)
        }
        guard let client else { return refuseStranger(request, &state, context) }
        if let result = harmless(request, client, state) {
            return reply(.done(result, by: .harmless), to: request)
        }
        if case .logout = read.action {
            return logOut(request, client, made: verified.event.createdAt, &state)
        }
        return .admit(AdmissionStep(kept: request.kept, request: request))
    }

    /// What is answered without the key; `nil` for everything else.
    private static func harmless(
        _ request: IdentifiedRequest, _ client: SignerClient, _ state: SignerState
    ) -> RequestResult? {
        switch request.action {
        case .ping: RequestResult(text: "pong")
        case .tellKey: RequestResult(text: request.kept.account.hex)
        case .describe:
            RequestResult(text: JSONValue.array(methods.map { .string($0.rawValue) }).text)
        case .switchRelays:
            RequestResult(text: state.relaysToSwitchTo(client, request.event))
        default: nil
        }
    }

    /// Tells an app that is not paired so, unless too many are told already.
    private static func refuseStranger(
        _ request: IdentifiedRequest, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        // An app that logs out is out; and no stranger learns by it who is paired.
        if case .logout = request.action { return over(request.event, .tooMany, &state) }
        guard state.mayAnswerStranger(now: context.now) else { return over(request.event, .tooMany, &state) }
        return reply(.refused(WireError.notPaired, by: .notPaired), to: request)
    }

    /// Tells a paired app that its request makes no sense, where it says which one.
    private static func explainUnreadable(
        _ error: RemoteMessageError, _ opened: OpenedRequest, _ state: inout SignerState
    ) -> SigningStep {
        let request = opened.verified
        let response: RemoteResponse
        switch error {
        case .noMethod(let id): response = RemoteResponse(id: id, error: WireError.noMethod)
        case .tooManyParameters(let id): response = RemoteResponse(id: id, error: WireError.tooManyParameters)
        case .notAnObject, .noID: return over(request.event.id, .unreadable, &state)
        }
        guard state.clients[.remote(request.sender)] != nil else {
            return over(request.event.id, .unreadable, &state)
        }
        return .seal(
            SealingStep(
                event: request.event.id, response: response, client: request.sender, cipher: opened.cipher,
                purpose: .reply))
    }

    /// Ends a request without a word to its sender.
    static func over(_ id: EventID, _ why: RequestRejection, _ state: inout SignerState) -> SigningStep {
        state.progress.set(id, .over)
        return .end(.dropped(why))
    }
}

// MARK: Admitting

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
