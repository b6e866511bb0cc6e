public import NostrCore
internal import NostrNIPs
internal import Synchronization

// What the person says to requests that wait.
extension LiveSigner {
    /// What waits for the person, oldest first.
    public func waiting() async throws -> [WaitingRequest] {
        try await ready()
        return state.withLock { state in state.waiting.all.compactMap { state.shown($0) } }
    }

    /// Decides requests; each that needs a second step is left alone unless `knowingLoss` is set.
    public func decide(_ ids: [EventID], _ verdict: Verdict, knowingLoss: Bool) async throws -> [EventID] {
        try await ready()
        var decided: [EventID] = []
        for id in ids {
            let guest = state.withLock { state -> WaitingRoom.Guest? in
                guard let guest = state.waiting[id], guest.hand != nil || !verdict.allows else { return nil }
                if verdict.allows, guest.report?.losesMuch ?? false, !knowingLoss { return nil }
                return state.waiting.take(id)
            }
            guard let guest else { continue }
            do {
                if try await decide(guest, verdict) { decided.append(id) }
                state.withLock { $0.waiting.putBack(id) }
            } catch {
                state.withLock { $0.waiting.putBack(id) }
                throw error
            }
        }
        tell(.waiting)
        if case .always = verdict { job.yield(.reconsider) }
        return decided
    }

    private func decide(_ guest: WaitingRoom.Guest, _ verdict: Verdict) async throws -> Bool {
        guard let hand = guest.hand else { return await refuseUnread(guest.kept) }
        if verdict.allows, let stranger = guest.stranger { try await welcome(stranger, granting: verdict.granted) }
        if case .always(let allow, let until) = verdict, let permission = hand.permission, permission.method.usesKey {
            try await choose(
                Grant(permission, allow ? .allow : .refuse, expires: until, made: now()), for: hand.app)
        }
        guard verdict.allows else {
            return post(await settle(hand, .refused(RefusalWords.person, by: .person)), hand)
        }
        let result: RequestResult
        do {
            result = try await self.result(of: hand, guest.report)
        } catch SigningFailure.locked {
            throw SigningServiceError(.locked, "Unlock the account first.")
        } catch {
            guard let answer = RequestAnswer(error) else { return false }
            return post(await settle(hand, answer), hand)
        }
        if let permission = hand.permission {
            state.withLock { $0.note(permission, of: hand.app, now: now()) }
        }
        return post(await settle(hand, .done(result, by: .person)), hand)
    }

    /// Hands an answer on; tells whether the request was answered.
    private func post(_ handled: Handled, _ hand: RequestInHand) -> Bool {
        switch handled {
        case .answer(let answer):
            job.yield(.deliver(answer))
            return true
        case .known: return hand.way == .direct
        case .dropped, .waiting, .failed: return false
        }
    }

    /// A no to what cannot even be read: the app hears nothing, since nothing can be encrypted for it.
    private func refuseUnread(_ kept: AdmittedRequest) async -> Bool {
        let title = state.withLock { $0.clients[kept.app]?.title } ?? kept.app.text
        let line = ActivityEntry(
            time: now(), account: account, app: kept.app, title: title, method: "", outcome: .refused, rule: .person,
            error: RefusalWords.person)
        // What could not be kept waits on.
        guard (try? await records.settle(kept, answer: nil, activity: line)) != nil else { return false }
        state.withLock { state in
            state.waiting.leave(kept.event)
            state.progress.set(kept.event, .over)
        }
        return true
    }

    /// Pairs an app of this device by the person's yes; what it did not ask for is not granted by the way.
    private func welcome(_ stranger: SignerClient, granting granted: [RemotePermission]) async throws {
        var stranger = stranger
        for permission in granted where permission.method.usesKey && stranger.requested.contains(permission) {
            stranger.choose(Grant(permission, .allow, made: now()))
        }
        let welcomed = stranger
        let isNew = state.withLock { state in
            guard state.clients[welcomed.app] == nil else { return false }
            state.clients[welcomed.app] = welcomed
            return true
        }
        guard isNew else { return }
        try await keeping { try await self.keep(welcomed.app) }
        try await keeping {
            try await self.noteLine(about: welcomed, "Paired", method: RemoteMethod.connect.rawValue, at: self.now())
        }
        tell(.clients)
    }

    private func choose(_ grant: Grant, for app: RequestingApp) async throws {
        let isPaired = state.withLock { state in
            state.clients[app]?.choose(grant)
            return state.clients[app] != nil
        }
        guard isPaired else { return }
        try await keeping { try await self.keep(app) }
        tell(.clients)
    }

    /// What waits may be allowed or refused by now: a choice was made, the signer goes on, trust changed.
    func reconsider() async {
        let guests = state.withLock { state in
            state.waiting.all.filter { guest in
                guard let permission = guest.hand?.permission, guest.stranger == nil else { return false }
                let policy = Policy(
                    settings: state.settings, client: state.clients[guest.kept.app],
                    uses: state.uses[guest.kept.app] ?? HourUses(), now: now(), minute: minute())
                let decision = guest.report.map { policy.decide(permission).weighing($0) } ?? policy.decide(permission)
                return !decision.asks
            }
        }
        for guest in guests { await tryAgain(guest) }
        if !guests.isEmpty { tell(.waiting) }
    }

    /// Refuses what nobody decided about in time.
    func dismissUnanswered(before moment: Timestamp) async {
        for guest in state.withLock({ $0.waiting.all }) where guest.kept.received < moment {
            guard state.withLock({ $0.waiting.take(guest.kept.event) != nil }) else { continue }
            if let hand = guest.hand {
                _ = post(await settle(hand, .refused(RefusalWords.of(.unanswered), by: .unanswered)), hand)
            } else {
                _ = await refuseUnread(guest.kept)
            }
            state.withLock { $0.waiting.putBack(guest.kept.event) }
        }
    }

    /// Publishes the version in force again, as the newest, instead of signing what waits; the request is refused.
    public func restore(insteadOf id: EventID) async throws {
        try await ready()
        guard let guest = state.withLock({ $0.waiting[id] }), let hand = guest.hand else {
            throw SigningServiceError(.unknownRequest, "This request does not wait any more.")
        }
        guard let current = guest.report?.current else {
            throw SigningServiceError(.nothingToRestore, "No version in force is known here.")
        }
        var moment = max(now(), current.createdAt + .seconds(1))
        if case .sign(let draft) = hand.action { moment = max(moment, min(draft.createdAt, now()) + .seconds(1)) }
        let draft = EventDraft(kind: current.kind, tags: current.tags, content: current.content, createdAt: moment)
        let event: Event
        do { event = try await withKey { try await $0.sign(draft) } } catch SigningFailure.locked {
            throw SigningServiceError(.locked, "Unlock the account first.")
        } catch {
            throw SigningServiceError(.unusable, "The key could not sign the version in force again.")
        }
        guard await versions.publish(event) else {
            throw SigningServiceError(.notReached, "The version in force could not be published again.")
        }
        _ = try await decide([id], .once(allow: false), knowingLoss: false)
    }
}

extension SignerState {
    /// A request that waits as the person sees it.
    func shown(_ guest: WaitingRoom.Guest) -> WaitingRequest? {
        guard let client = clients[guest.kept.app] ?? guest.stranger else { return nil }
        let content: WaitingRequest.Content =
            switch guest.hand?.action {
            case .sign(let draft)?:
                .sign(draft, guest.report ?? ChangeReport(headline: ActivityWords.summary(of: draft, nil)))
            case .encrypt(let text, let peer, let cipher)?: .encrypt(text, for: peer, cipher)
            case .decrypt(_, let peer, let cipher)?: .decrypt(from: peer, cipher)
            case .decryptZap(let event)?: .decryptZap(event.id)
            case .connect(let introduction)?: .connect(introduction.claims, introduction.permissions)
            case .tellKey(let permissions)?: .connect(client.claims, permissions)
            case nil, .ping, .describe, .switchRelays, .logout, .impossible: .locked
            }
        return WaitingRequest(
            id: guest.kept.event, client: client, method: guest.hand?.read.request.name ?? "", content: content,
            rule: guest.rule, received: guest.kept.received)
    }
}
