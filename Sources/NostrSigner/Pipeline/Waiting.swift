internal import NostrCore
internal import NostrNIPs

/// A request is kept for the person, or for the key.
struct WaitingStep: Hashable, Sendable {
    /// As it is kept.
    let kept: AdmittedRequest
    /// The request; `nil` while it cannot be read.
    let request: IdentifiedRequest?
    /// Why it waits.
    let rule: Rule
    /// What signing would change.
    let report: ChangeReport?
    /// What its app is called.
    let title: String

    /// A request that was read.
    init(_ request: IdentifiedRequest, why rule: Rule, _ report: ChangeReport?, _ state: SignerState) {
        kept = request.kept
        self.request = request
        self.rule = rule
        self.report = report
        title = state.title(of: request)
    }

    /// A request that cannot be read before the key is there.
    init(unread kept: AdmittedRequest, _ state: SignerState) {
        self.kept = kept
        request = nil
        rule = .locked
        report = nil
        title = state.title(of: kept.app)
    }

    /// Its line in the log.
    func line(at time: Timestamp) -> ActivityEntry {
        request?.line(.waiting, by: rule, title: title, at: time)
            ?? ActivityEntry(
                time: time, account: kept.account, app: kept.app, title: title, method: "", outcome: .waiting,
                rule: rule)
    }

    /// Shows the request to the person, now that it is kept, and tells its app where to send them.
    ///
    /// - Parameter context: `nil` where no app is to be told.
    func next(
        _ outcome: Result<Void, any Error>, _ state: inout SignerState, _ context: StepContext?
    ) -> SigningStep {
        if case .failure(let error) = outcome { return fail(error, &state, context) }
        let pending = PendingRequest(
            kept: kept, request: request, rule: rule, report: report,
            stranger: state.clients[kept.app] == nil ? request?.stranger : nil)
        if let context { state.pending.insert(pending, at: context.uptime) } else { state.pending.insert(pending) }
        state.progress.set(kept.event, .waiting)
        state.announce(.waiting, .activity)
        guard rule != .locked, let request, let page = context?.approvalPage?(kept.event),
            case .relays(let client, let cipher) = request.replyPath
        else { return .end(.waiting) }
        return .seal(
            SealingStep(
                event: kept.event, response: .challenge(id: request.read.request.id, page: page), client: client,
                cipher: cipher, purpose: .challenge))
    }

    private func fail(_ error: any Error, _ state: inout SignerState, _ context: StepContext?) -> SigningStep {
        if case SignerRecordsError.tooManyWaiting = error, let request, let context {
            return .answer(request, .failed(WireError.tooManyWaiting, by: rule), state, context)
        }
        if let request { return .fail(request, error, &state) }
        state.progress.forget(kept.event)
        return .end(.failed)
    }
}
