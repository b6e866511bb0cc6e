internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

// Keeping requests for the person, or for the key.
extension LiveSigner {
    /// Keeps a request for the person.
    func wait(_ hand: RequestInHand, why rule: Rule, _ report: ChangeReport?) async -> Handled {
        let title = state.withLock { $0.clients[hand.app]?.title } ?? hand.appTitle
        do {
            try await records.wait(
                hand.kept, why: rule, activity: hand.line(.waiting, by: rule, title: title, at: now()))
        } catch SignerRecordsError.tooManyWaiting {
            return await settle(hand, .failed(RefusalWords.tooManyWaiting, by: rule))
        } catch {
            return failed(hand, error)
        }
        state.withLock { state in
            var stranger: SignerClient?
            if state.clients[hand.app] == nil { stranger = hand.stranger }
            state.waiting.seat(
                WaitingRoom.Guest(kept: hand.kept, hand: hand, rule: rule, report: report, stranger: stranger))
            state.progress.set(hand.event, .waiting)
        }
        tell(.waiting, .activity)
        return await challenge(hand, why: rule)
    }

    /// Tells the app where its person can decide, where there is such a page.
    private func challenge(_ hand: RequestInHand, why rule: Rule) async -> Handled {
        guard rule != .locked, let page = configuration.approvalPage?(hand.event),
            case .relays(let client, let cipher) = hand.way,
            let content = try? await sealed(.challenge(id: hand.read.request.id, page: page), for: client, cipher)
        else { return .waiting }  // Without the page the app just waits.
        job.yield(.deliver(outgoing(content, to: client, about: hand.event)))
        return .waiting
    }

    /// Keeps a request of a paired app that cannot be read while the key is locked; a few of strangers in memory.
    func keepUnread(_ request: VerifiedRequest) async -> Handled {
        let app = RequestingApp.remote(request.sender)
        let title = state.withLock { state -> String? in
            if let client = state.clients[app] { return client.title }
            if state.lockedStrangers.count < configuration.lockedStrangers { state.lockedStrangers.append(request) }
            state.progress.forget(request.event.id)
            return nil
        }
        guard let title else { return .waiting }
        let kept = AdmittedRequest(
            event: request.event.id, account: account, app: app, id: "", permission: nil,
            raw: String(decoding: request.event.json, as: UTF8.self), relay: request.relay, received: request.moment)
        do {
            guard try await records.admit(kept) == .new else {
                state.withLock { $0.progress.forget(request.event.id) }
                return .known
            }
            try await records.wait(
                kept, why: .locked,
                activity: ActivityEntry(
                    time: now(), account: account, app: app, title: title, method: "", outcome: .waiting, rule: .locked)
            )
        } catch {
            state.withLock { $0.progress.forget(request.event.id) }
            return .failed
        }
        state.withLock { state in
            state.waiting.seat(WaitingRoom.Guest(kept: kept, hand: nil, rule: .locked))
            state.progress.set(request.event.id, .waiting)
        }
        tell(.waiting, .activity)
        return .waiting
    }

    /// The key is there: what could not be read or done is tried again.
    func tryUnread(_ strangers: AsyncStream<[VerifiedRequest]>.Continuation) async {
        let (guests, unknown) = state.withLock { state in
            defer { state.lockedStrangers = [] }
            return (state.waiting.all.filter { $0.rule == .locked }, state.lockedStrangers)
        }
        if !unknown.isEmpty { strangers.yield(unknown) }
        for guest in guests { await tryAgain(guest) }
        if !guests.isEmpty { tell(.waiting) }
    }

    /// Takes a kept request through the pipeline once more.
    func tryAgain(_ guest: WaitingRoom.Guest) async {
        guard state.withLock({ $0.waiting.take(guest.kept.event) != nil }) else { return }
        let handled: Handled
        if let hand = guest.hand {
            handled = await decideAdmitted(hand)
        } else if let request = guest.kept.request(for: account) {
            state.withLock { $0.progress.forget(guest.kept.event) }
            handled = await handle(request)
        } else {
            handled = await discard(guest.kept)
        }
        state.withLock { state in
            guard state.waiting[guest.kept.event]?.isTaken == true else { return }
            // One that was answered under another event, or not at all: nothing waits any more.
            if case .known = handled {
                state.waiting.leave(guest.kept.event)
            } else {
                state.waiting.putBack(guest.kept.event)
            }
        }
        if case .answer(let answer) = handled { job.yield(.deliver(answer)) }
    }

    /// A kept request that cannot be read any more.
    private func discard(_ kept: AdmittedRequest) async -> Handled {
        let title = state.withLock { $0.clients[kept.app]?.title } ?? kept.app.text
        let line = ActivityEntry(
            time: now(), account: account, app: kept.app, title: title, method: "", outcome: .failed,
            rule: kept.raw.isEmpty ? .unanswered : .invalid, error: RefusalWords.of(.unanswered))
        // What stays behind is found again at the next start.
        try? await records.settle(kept, answer: nil, activity: line)
        state.withLock { $0.waiting.leave(kept.event) }
        return .known
    }

    // MARK: At the start

    /// Seats what waited when the program ended; it is read as soon as the key is there.
    func loadWaiting() async throws {
        for kept in try await records.waiting(of: account) {
            state.withLock { state in
                guard state.waiting[kept.request.event] == nil else { return }
                _ = state.progress.begin(kept.request.event, cameBy: kept.request.relay)
                state.progress.set(kept.request.event, .waiting)
                state.waiting.seat(
                    WaitingRoom.Guest(kept: kept.request, hand: nil, rule: kept.rule ?? .trust))
            }
        }
    }

    /// Reads again what waits, and works through what a crash left unanswered.
    func resume() async {
        for guest in state.withLock({ $0.waiting.all }) where guest.hand == nil { await reread(guest) }
        do {
            for kept in try await records.unfinished(of: account) {
                let isUnderWay = state.withLock {
                    $0.progress.begin(kept.request.event, cameBy: kept.request.relay) != nil
                }
                if isUnderWay { continue }
                await finishAfterCrash(kept.request)
            }
        } catch {
            logger.error("what was left undone could not be read", metadata: ["problem": "\(error)"])
        }
        tell(.waiting)
    }

    /// Reads a request that waited before the program started.
    private func reread(_ guest: WaitingRoom.Guest) async {
        guard let hand = await readAgain(guest.kept) else {
            if guest.kept.request(for: account) == nil { _ = await discard(guest.kept) }
            return
        }
        if guest.rule == .locked { return await tryAgain(guest) }
        var report: ChangeReport?
        if case .sign(let draft) = hand.action { report = await changeReport(of: draft) }
        state.withLock { state in
            guard state.waiting[guest.kept.event] != nil else { return }
            var seated = guest
            seated.hand = hand
            seated.report = report
            state.waiting.seat(seated)
        }
    }

    private func finishAfterCrash(_ kept: AdmittedRequest) async {
        guard let hand = await readAgain(kept) else {
            guard let request = kept.request(for: account) else {
                _ = await discard(kept)
                return
            }
            state.withLock { $0.progress.forget(kept.event) }
            // Locked, most likely: it waits for the key from here on.
            if case .answer(let answer) = await keepUnfinished(request, kept) { job.yield(.deliver(answer)) }
            return
        }
        if case .answer(let answer) = await decideAdmitted(hand) { job.yield(.deliver(answer)) }
    }

    /// An unfinished request whose key is locked.
    private func keepUnfinished(_ request: VerifiedRequest, _ kept: AdmittedRequest) async -> Handled {
        let title = state.withLock { $0.clients[kept.app]?.title } ?? kept.app.text
        do {
            try await records.wait(
                kept, why: .locked,
                activity: ActivityEntry(
                    time: now(), account: account, app: kept.app, title: title, method: "", outcome: .waiting,
                    rule: .locked))
        } catch {
            return .failed
        }
        state.withLock { state in
            _ = state.progress.begin(kept.event, cameBy: kept.relay)
            state.progress.set(kept.event, .waiting)
            state.waiting.seat(WaitingRoom.Guest(kept: kept, hand: nil, rule: .locked))
        }
        return .waiting
    }

    /// Decrypts and parses a kept request; `nil` while the key is locked, or for good when it is broken.
    private func readAgain(_ kept: AdmittedRequest) async -> RequestInHand? {
        guard let request = kept.request(for: account) else { return nil }
        // Both failures mean that it cannot be read now.
        guard let decrypted = try? await withKey({ try await request.decrypted(by: $0) }),
            let read = try? decrypted.read()
        else { return nil }
        var kept = kept
        if kept.id.isEmpty {
            kept.id = read.request.id
            kept.permission = read.permission
        }
        return RequestInHand(kept: kept, read: read, way: .relays(request.sender, decrypted.cipher))
    }
}

extension AdmittedRequest {
    /// The request as it came by a relay; `nil` for one that came by a link, or is damaged.
    ///
    /// Its moment is when it came, so that a long wait does not make it too old.
    func request(for account: PublicKey) -> VerifiedRequest? {
        // What cannot be read is reported by the caller.
        guard let event = try? UnverifiedEvent(json: Array(raw.utf8)) else { return nil }
        return try? VerifiedRequest(
            ReceivedRequest(event: event, relay: relay, moment: received), for: account)
    }
}

extension RequestInHand {
    /// Its app as it would be paired.
    var stranger: SignerClient {
        var client = SignerClient(app: app, account: kept.account, connected: kept.received)
        client.claims = claims
        client.trust = .low
        if case .tellKey(let permissions) = action { client.requested = permissions }
        if case .connect(let introduction) = action { client.requested = introduction.permissions }
        return client
    }
}
