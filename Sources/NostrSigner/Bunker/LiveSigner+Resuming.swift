internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

// Going on with what was kept: after a start, and when the key is there again.
extension LiveSigner {
    /// A request that was kept before it was read, or by a process before this one.
    func goOn(with kept: AdmittedRequest) async -> Handled {
        guard let request = kept.request(for: account) else { return await discard(kept) }
        if !kept.id.isEmpty {
            guard let hand = await readAgain(kept) else { return .failed }
            return await decideAdmitted(hand)
        }
        // Never read: what it asks may have been answered under another event, or may need no keeping at all.
        state.withLock { $0.progress.forget(kept.event) }
        let handled = await handle(request)
        switch handled {
        case .waiting, .failed: break
        case .answer, .dropped, .known: await closeUnread(kept)
        }
        return handled
    }

    /// What was kept unread and turned out to need no keeping, a `ping` say, or to be a repeat, is done with.
    private func closeUnread(_ kept: AdmittedRequest) async {
        do {
            // One that was admitted with its id is settled by now, or waits under it.
            let isLeft = try await records.waiting(of: account) + records.unfinished(of: account)
            guard isLeft.contains(where: { $0.request.event == kept.event && $0.request.id.isEmpty }) else { return }
            let title = state.withLock { $0.clients[kept.app]?.title } ?? kept.app.text
            let line = ActivityEntry(
                time: now(), account: account, app: kept.app, title: title, method: "", outcome: .done, rule: .harmless)
            try await records.settle(kept, answer: nil, activity: line)
        } catch {
            logger.warning("a request could not be closed", metadata: ["problem": "\(error)"])
        }
        state.withLock { $0.waiting.leave(kept.event) }
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

    /// Reads again what waits, and works through what a crash left unanswered.
    func resume() async {
        await rereadAll()
        let left = state.withLock { state in
            defer { state.leftUndone = [] }
            return state.leftUndone
        }
        for kept in left { await finish(kept) }
        tell(.waiting)
    }

    /// Works on what was admitted and is in nobody's hands.
    func finishUnfinished() async {
        do {
            for kept in try await records.unfinished(of: account).map(\.request) {
                let isOurs = state.withLock { state in
                    guard state.progress.phase(of: kept.event) != .underWay else { return false }
                    _ = state.progress.begin(kept.event, cameBy: kept.relay)
                    state.progress.set(kept.event, .underWay)
                    return true
                }
                if isOurs { await finish(kept) }
            }
        } catch {
            state.withLock { $0.hasUnfinished = true }
        }
    }

    /// Reads what waited before the program started, as far as the key lets it.
    func rereadAll() async {
        for guest in state.withLock({ $0.waiting.all }) where guest.hand == nil { await reread(guest) }
    }

    /// Reads a request that waited before the program started.
    private func reread(_ guest: WaitingRoom.Guest) async {
        if guest.rule == .locked || guest.kept.request(for: account) == nil { return await tryAgain(guest) }
        guard let hand = await readAgain(guest.kept) else { return }
        var report: ChangeReport?
        if case .sign(let draft) = hand.action { report = await changeReport(of: draft) }
        state.withLock { state in
            guard let seated = state.waiting[guest.kept.event], seated.hand == nil else { return }
            var read = seated
            read.hand = hand
            read.report = report
            state.waiting.seat(read)
        }
    }

    private func finish(_ kept: AdmittedRequest) async {
        var handled = await goOn(with: kept)
        // The key is locked, most likely: it waits for the key from here on.
        if case .failed = handled { handled = await keepUnfinished(kept) }
        if case .answer(let answer) = handled { job.yield(.deliver(answer)) }
    }

    /// An unfinished request whose key is locked.
    private func keepUnfinished(_ kept: AdmittedRequest) async -> Handled {
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
