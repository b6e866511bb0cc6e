internal import NostrCore
internal import NostrNIPs

// `connect` pairs an app that has the secret, greets one that is paired, and refuses the rest.
//
// Source: NIP-46, "Direct connection initiated by remote-signer".
extension SigningStep {
    /// Begins with a `connect`: without a secret in it, none needs to be opened.
    static func connect(
        _ request: IdentifiedRequest, _ introduction: RequestedAction.Introduction, _ state: inout SignerState,
        _ context: StepContext
    ) -> SigningStep {
        // Before the secret is looked at: whoever means another signer was not let in here.
        if introduction.isMeantForAnother(than: context.account) {
            guard state.clients[request.app] != nil || state.mayAnswerStranger(now: context.now) else {
                return over(request.event, .tooMany, &state)
            }
            return reply(.refused(WireError.otherSigner, by: .invalid), to: request)
        }
        let check = SecretCheckStep(request: request, introduction: introduction)
        return introduction.secret == nil ? check.next(.success(nil), &state, context) : .checkSecret(check)
    }
}

/// The secret an app brings is compared with the one that lets the next app in.
struct SecretCheckStep: Hashable, Sendable {
    let request: IdentifiedRequest
    let introduction: RequestedAction.Introduction

    /// Decides with the signer's secret, which is used up by this whatever happens next.
    func next(
        _ secret: Result<InvitationSecret?, any Error>, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        if case .failure(let error) = secret { return .fail(request, error, &state) }
        if let shown = introduction.secret, let invitation = state.secret, shown.isSame(as: invitation.text) {
            state.secret = nil
            return .renewSecret(
                SecretRenewalStep(request: request, introduction: introduction, trust: invitation.trust))
        }
        if state.clients[request.app] != nil {
            return AppKeepingStep.greet(request, introduction, &state)
        }
        guard state.mayAnswerStranger(now: context.now) else { return .over(request.event, .tooMany, &state) }
        return .reply(.refused(WireError.wrongSecret, by: .notPaired), to: request)
    }
}

/// The secret is used up: a new one takes its place before anything else.
struct SecretRenewalStep: Hashable, Sendable {
    let request: IdentifiedRequest
    let introduction: RequestedAction.Introduction
    /// How far the secret lets its app be trusted.
    let trust: TrustLevel

    /// Pairs the app, or greets it when it was paired before.
    func next(
        _ outcome: Result<Void, any Error>, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        if case .failure(let error) = outcome { return .fail(request, error, &state) }
        guard state.clients[request.app] == nil else {
            state.announce(.settings)
            return AppKeepingStep.greet(request, introduction, &state)
        }
        var client = SignerClient(app: request.app, account: context.account, connected: context.now)
        client.trust = trust
        client.claims = introduction.claims
        client.requested = introduction.permissions
        client.grants = Policy.grantsByTrust(to: client, settings: state.settings, now: client.connected)
        client.answersAck = introduction.signer == nil
        client.lastSeen = client.connected
        // It found us by our relays, and stays there when ours change.
        client.relays = Array(
            Set(state.settings.relays).union(state.progress.relays(of: request.event)).sorted().prefix(10))
        state.clients[request.app] = client
        return .keepApp(AppKeepingStep(request: request, introduction: introduction, paired: client))
    }
}

/// An app that was paired now, or asks for more than before, is kept.
struct AppKeepingStep: Hashable, Sendable {
    let request: IdentifiedRequest
    let introduction: RequestedAction.Introduction
    /// The app when it is new; then the log says so.
    let paired: SignerClient?

    /// Answers the `connect`, now that the app is in the records.
    func next(_ outcome: Result<Void, any Error>, _ state: inout SignerState) -> SigningStep {
        if case .failure(let error) = outcome { return .fail(request, error, &state) }
        if paired != nil {
            state.signals.append(.relaysChanged)
            state.announce(.clients, .settings, .activity)
        }
        return Self.answer(request, introduction, state)
    }

    /// A paired app connects again; what it asks for now is kept, its claims are not.
    static func greet(
        _ request: IdentifiedRequest, _ introduction: RequestedAction.Introduction, _ state: inout SignerState
    ) -> SigningStep {
        guard state.noteWishes(introduction.permissions, of: request.app) else {
            return answer(request, introduction, state)
        }
        return .keepApp(AppKeepingStep(request: request, introduction: introduction, paired: nil))
    }

    private static func answer(
        _ request: IdentifiedRequest, _ introduction: RequestedAction.Introduction, _ state: SignerState
    ) -> SigningStep {
        let answersAck = state.clients[request.app]?.answersAck ?? false
        let word = answersAck ? "ack" : introduction.secret ?? "ack"
        return .reply(.done(RequestResult(text: word), by: .harmless), to: request)
    }
}

extension String {
    /// Compares in a time that tells nothing about where two texts differ.
    func isSame(as other: String) -> Bool {
        let mine = Array(utf8), theirs = Array(other.utf8)
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
