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
            switch try await records.admit(kept) {
            case .new, .underWay:
                try await records.wait(
                    kept, why: .locked,
                    activity: ActivityEntry(
                        time: now(), account: account, app: app, title: title, method: "", outcome: .waiting,
                        rule: .locked))
            case .waiting: break
            case .answered:
                state.withLock { $0.progress.set(request.event.id, .over) }
                return .known
            }
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
        await rereadAll()
        tell(.waiting)
    }

    /// Takes a kept request through the pipeline once more.
    func tryAgain(_ guest: WaitingRoom.Guest) async {
        guard state.withLock({ $0.waiting.take(guest.kept.event) != nil }) else { return }
        let handled = if let hand = guest.hand { await decideAdmitted(hand) } else { await goOn(with: guest.kept) }
        state.withLock { state in
            guard state.waiting[guest.kept.event]?.isTaken == true else { return }
            state.waiting.putBack(guest.kept.event)
        }
        if case .answer(let answer) = handled { job.yield(.deliver(answer)) }
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
