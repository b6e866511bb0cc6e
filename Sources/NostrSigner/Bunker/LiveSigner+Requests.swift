internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs

// What the person says to requests that wait, and requests whose callers wait for the answer.
extension LiveSigner {
    /// What waits for the person, oldest first.
    public func waiting() async throws -> [WaitingRequest] {
        try await ready()
        let asks = try await asksForPassphrase()
        return state.pending.all.compactMap { pending in
            var request = WaitingRequest(pending, state)
            if asks { request?.passphrase = passphraseNeed(of: pending) }
            return request
        }
    }

    /// How much waits and from whom, from memory alone.
    public func backlog() async throws -> SigningBacklog {
        try await ready()
        return SigningBacklog(
            clients: state.pending.all.compactMap { state.clients[$0.kept.app] ?? $0.stranger })
    }

    /// Decides requests; each that needs a second step is left alone unless `knowingLoss` is set.
    public func decide(_ ids: [EventID], _ verdict: RequestVerdict, knowingLoss: Bool) async throws -> [EventID] {
        try await decide(ids, verdict, knowingLoss: knowingLoss, typed: nil)
    }

    /// The same with the passphrase that was typed; one that is needed is checked before anything is decided.
    func decide(
        _ ids: [EventID], _ verdict: RequestVerdict, knowingLoss: Bool, typed: TypedPassphrase?
    ) async throws -> [EventID] {
        try await ready()
        let isConfirmed = ids.contains { state.pending[$0].map { needsPassphrase(verdict, about: $0) } ?? false }
        if isConfirmed { try await confirm(typed) }
        var decided: [EventID] = []
        for id in ids {
            guard let request = claim(id, verdict, knowingLoss: knowingLoss, isConfirmed: isConfirmed) else { continue }
            defer { state.pending.release(id) }
            if try await decide(request, verdict) { decided.append(id) }
        }
        announce(.waiting)
        if case .always = verdict { jobs.continuation.yield(.reconsider) }
        return decided
    }

    private func claim(
        _ id: EventID, _ verdict: RequestVerdict, knowingLoss: Bool, isConfirmed: Bool
    ) -> PendingRequest? {
        guard let pending = state.pending[id], pending.request != nil || !verdict.allows else { return nil }
        if verdict.allows, pending.report?.losesMuch ?? false, !knowingLoss { return nil }
        guard canBeKept(verdict, about: pending) else { return nil }
        // The passphrase may be asked for only since the person answered.
        guard isConfirmed || !needsPassphrase(verdict, about: pending) else { return nil }
        return state.pending.claim(id)
    }

    /// Whether a verdict for good can be kept; one that cannot is left alone, lest the person believe that it was.
    private func canBeKept(_ verdict: RequestVerdict, about pending: PendingRequest) -> Bool {
        guard case .always(let allow, _) = verdict else { return true }
        guard let request = pending.request, let permission = request.permission, permission.method.usesKey else {
            return false
        }
        // A refusal is kept with the app, so only for one that is paired; a yes pairs it first.
        return allow
            ? request.app.canBeAllowedAlways(permission, for: request.audience) : state.clients[request.app] != nil
    }

    private func decide(_ pending: PendingRequest, _ verdict: RequestVerdict) async throws -> Bool {
        guard let request = pending.request else { return await refuseUnread(pending.kept) }
        if verdict.allows, let stranger = pending.stranger {
            try await welcome(stranger, by: verdict)
        }
        if case .always(let allow, let until) = verdict, let permission = request.permission,
            permission.method.usesKey
        {
            let grant = Grant(
                permission, allow ? .allow : .refuse, for: request.audience, expires: until,
                made: environment.time.now())
            try await choose(grant, for: request.app)
        }
        guard verdict.allows else { return await refuse(request, WireError.person, by: .person) }
        let end = await drive(.perform(PerformingStep(request: request, rule: .person, report: pending.report)))
        if case .locked = end { throw SigningServiceError(.locked) }
        return finish(end, request)
    }

    /// Answers with a no; whether the app or caller was answered.
    private func refuse(_ request: IdentifiedRequest, _ text: String, by rule: Rule) async -> Bool {
        let end = await drive(.answer(request, .refused(text, by: rule), state, environment.context))
        return finish(end, request)
    }

    /// Hands an answer on; whether the request was answered.
    private func finish(_ end: RequestEnd, _ request: IdentifiedRequest) -> Bool {
        post(end)
        return switch end {
        case .answer: true
        case .known: request.replyPath == .direct
        case .dropped, .waiting, .locked, .failed: false
        }
    }

    /// A no to what cannot even be read: the app hears nothing, since nothing can be encrypted for it.
    private func refuseUnread(_ kept: AdmittedRequest) async -> Bool {
        let line = line(about: kept, .refused, by: .person, error: WireError.person)
        // What could not be kept waits on.
        guard (try? await records.settle(kept, answer: nil, activity: line)) != nil else { return false }
        state.pending.remove(kept.event)
        state.progress.set(kept.event, .over)
        return true
    }

    /// Pairs an app of this device by the person's yes; what it did not ask for is not granted by the way.
    private func welcome(_ stranger: SignerClient, by verdict: RequestVerdict) async throws {
        guard stranger.app.isKnown, state.clients[stranger.app] == nil else { return }
        var stranger = stranger
        stranger.trust = verdict.trust
        for permission in verdict.granted
        where stranger.app.canBeAllowedAlways(permission, for: nil) && permission.method.usesKey
            && stranger.requested.contains(permission)
        {
            stranger.choose(Grant(permission, .allow, made: environment.time.now()))
        }
        state.clients[stranger.app] = stranger
        try await keeping {
            try await keep(stranger.app)
            try await noteLine(
                about: stranger, .paired, method: RemoteMethod.connect.rawValue, at: environment.time.now())
        }
        announce(.clients)
    }

    private func choose(_ grant: Grant, for app: RequestingApp) async throws {
        guard state.clients[app] != nil else { return }
        state.clients[app]?.choose(grant)
        try await keeping { try await keep(app) }
        announce(.clients)
    }

    /// What waits may be allowed or refused by now: a choice was made, the signer goes on, trust changed.
    func reconsider() async {
        let (now, minute) = (environment.time.now(), environment.minute())
        let requests = state.pending.all.filter { pending in
            guard let request = pending.request, let permission = request.permission, pending.stranger == nil else {
                return false
            }
            let policy = state.policy(for: pending.kept.app, now: now, minute: minute)
            let decision = policy.decide(permission, for: request.audience)
            return !(pending.report.map { decision.weighing($0) } ?? decision).asks
        }
        for pending in requests { await tryAgain(pending) }
        if !requests.isEmpty { announce(.waiting) }
    }

    /// Refuses what the person did not decide about in time.
    func dismissUnanswered(before moment: Timestamp) async {
        for pending in state.pending.all where pending.kept.received < moment {
            guard state.pending.claim(pending.kept.event) != nil else { continue }
            if let request = pending.request {
                _ = await refuse(request, WireError.of(.unanswered), by: .unanswered)
            } else {
                _ = await refuseUnread(pending.kept)
            }
            state.pending.release(pending.kept.event)
        }
    }

    /// Publishes the version in force again, as the newest, instead of signing what waits; the request is refused.
    public func restore(insteadOf id: EventID) async throws {
        try await ready()
        guard let pending = state.pending[id], let request = pending.request else {
            throw SigningServiceError(.unknownRequest)
        }
        guard let current = pending.report?.current else { throw SigningServiceError(.nothingToRestore) }
        let now = environment.time.now()
        var moment = max(now, current.createdAt + .seconds(1))
        if case .sign(let draft) = request.action { moment = max(moment, min(draft.createdAt, now) + .seconds(1)) }
        let draft = EventDraft(kind: current.kind, tags: current.tags, content: current.content, createdAt: moment)
        let event: Event
        do { event = try await environment.key.use { try await $0.sign(draft) } } catch SigningFailure.locked {
            throw SigningServiceError(.locked)
        } catch {
            throw SigningServiceError(.cannotSign)
        }
        guard await environment.versions.publish(event) else { throw SigningServiceError(.notReached) }
        _ = try await decide([id], .once(allow: false), knowingLoss: false)
    }

    // MARK: Links

    /// Answers a request that came another way than by relays, from a caller who waits; the same policy decides.
    ///
    /// `get_public_key` of an app that is not known yet is asked about; its first parameter may name permissions, as
    /// `connect` has them.
    public func answer(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, deadline: Duration
    ) async throws -> DirectAnswer {
        try await ready()
        let received = environment.time.now()
        let identified = IdentifiedRequest(
            request, from: app, claims: claims, account: account, received: received)
        let isPaired = state.clients[app] != nil
        if case .impossible(let why) = identified.action, !isPaired { return .failed(why) }
        if isPaired, let permission = identified.permission, !permission.method.usesKey {
            state.clients[app]?.lastSeen = received
            return try await answerHarmless(identified)
        }
        let event = identified.event
        guard state.progress.begin(event, cameBy: nil) == nil,
            try await keeping({ try await records.admit(identified.kept) }) == .new
        else { return .refused(.repeated) }
        let (answers, caller) = AsyncStream.makeStream(of: DirectAnswer.self, bufferingPolicy: .bufferingOldest(1))
        callers[event] = caller
        let end = await drive(
            isPaired
                ? .decide(identified, &state, environment.context)
                : .askAboutStranger(identified, state, environment.context))
        if case .failed = end {
            callers[event] = nil
            throw SigningServiceError(.recordsUnusable)
        }
        return await next(of: answers, about: identified, deadline: deadline)
    }

    /// What needs no key, for an app that is paired.
    private func answerHarmless(_ request: IdentifiedRequest) async throws -> DirectAnswer {
        switch request.action {
        case .tellKey(let wishes):
            if state.noteWishes(wishes, of: request.app) { try await keeping { try await keep(request.app) } }
            return .done(account.hex, nil)
        case .connect: return .done("ack", nil)
        case .ping: return .done("pong", nil)
        case .logout:
            if let client = state.clients[request.app] {
                try await keeping { try await unpair(client, .loggedOut, by: .harmless) }
            }
            return .done("ack", nil)
        default: return .failed(WireError.notByLink)
        }
    }

    /// Waits for the answer; the deadline, or a caller who leaves, refuses.
    private func next(
        of answers: AsyncStream<DirectAnswer>, about request: IdentifiedRequest, deadline: Duration
    ) async -> DirectAnswer {
        let answer =
            await withDeadline(deadline, on: environment.time.clock) { await answers.first { _ in true } } ?? nil
        if let answer { return answer }
        callers[request.event] = nil
        guard state.pending.claim(request.event) != nil else { return .refused(.unanswered) }
        _ = await refuse(request, WireError.of(.unanswered), by: .unanswered)
        announce(.waiting)
        return .refused(.unanswered)
    }
}
