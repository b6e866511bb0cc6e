internal import NostrCore
internal import NostrNIPs

// Identified → decided: the policy says whether it is done, refused or asked about.
extension SigningStep {
    /// Decides about a request that is in the records.
    static func decide(
        _ request: IdentifiedRequest, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        if case .impossible(let why) = request.action {
            return answer(request, .failed(why, by: .invalid), state, context)
        }
        guard let permission = request.permission else {
            return answer(request, .failed(WireError.unknownMethod, by: .invalid), state, context)
        }
        let decision = state.decide(
            permission, for: request.audience, of: request.app, now: context.now, minute: context.minute())
        if case .sign(let draft) = request.action, ChangeReport.isNeeded(for: draft.kind) || decision.asks {
            return .explain(ExplanationStep(request: request, draft: draft, decision: decision))
        }
        return decided(request, decision, nil, state, context)
    }

    /// Asks the person about an app that is not paired and waits for the answer itself.
    static func askAboutStranger(
        _ request: IdentifiedRequest, _ state: SignerState, _ context: StepContext
    ) -> SigningStep {
        let policy = state.policy(for: request.app, now: context.now, minute: 0)
        if let permission = request.permission, policy.isRefusedToSite(permission, for: request.audience) {
            return answer(request, .refused(WireError.of(.grant), by: .grant), state, context)
        }
        if case .sign(let draft) = request.action {
            return .explain(ExplanationStep(request: request, draft: draft, decision: .ask(.notPaired)))
        }
        return .wait(WaitingStep(request, why: .notPaired, nil, state))
    }

    /// Goes where a decision leads.
    fileprivate static func decided(
        _ request: IdentifiedRequest, _ decision: Decision, _ report: ChangeReport?, _ state: SignerState,
        _ context: StepContext
    ) -> SigningStep {
        switch decision {
        case .allow(let rule): .perform(PerformingStep(request: request, rule: rule, report: report))
        case .refuse(let rule): answer(request, .refused(WireError.of(rule), by: rule), state, context)
        case .ask(let rule): .wait(WaitingStep(request, why: rule, report, state))
        }
    }
}

/// What signing would change is found out, before it is signed or shown to the person.
struct ExplanationStep: Hashable, Sendable {
    let request: IdentifiedRequest
    let draft: EventDraft
    /// What the policy says without knowing.
    let decision: Decision

    /// Decides again, knowing what would be lost.
    func next(_ report: ChangeReport, _ state: inout SignerState, _ context: StepContext) -> SigningStep {
        .decided(request, decision.weighing(report), report, state, context)
    }
}

extension Decision {
    /// Whether the person is asked.
    var asks: Bool { if case .ask = self { true } else { false } }

    /// The decision once it is known what the event would change: what drops more than a handful of entries, or may do
    /// so because the version in force is unknown, is never signed without the person.
    func weighing(_ report: ChangeReport) -> Decision {
        guard case .allow = self, report.losesMuch || report.isBlind else { return self }
        return .ask(.losesEntries)
    }
}
