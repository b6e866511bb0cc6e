internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs

// Going on with what was kept: after a start, and when the key is there again.
extension LiveSigner {
    /// Reads again what waits, and works through what a crash left unanswered.
    func resume() async {
        await rereadAll()
        let left = unfinished
        unfinished = []
        for kept in left { await finish(kept) }
        announce(.waiting)
    }

    /// Works on what was admitted and is not being worked on.
    func finishUnfinished() async {
        guard let kept = try? await records.unfinished(of: account).map(\.request) else {
            // The disk may be well the next time.
            state.hasUnfinished = true
            return
        }
        for kept in kept where state.progress.phase(of: kept.event) != .underWay {
            _ = state.progress.begin(kept.event, cameBy: kept.relay)
            state.progress.set(kept.event, .underWay)
            await finish(kept)
        }
    }

    /// The key is there: what could not be read or done is tried again.
    func tryUnread(_ strangers: AsyncStream<[VerifiedRequest]>.Continuation) async {
        let unknown = state.lockedStrangers
        state.lockedStrangers = []
        if !unknown.isEmpty { strangers.yield(unknown) }
        for pending in state.pending.all where pending.rule == .locked { await tryAgain(pending) }
        await rereadAll()
        announce(.waiting)
    }

    /// Takes a kept request through the pipeline once more.
    func tryAgain(_ pending: PendingRequest) async {
        guard state.pending.claim(pending.kept.event) != nil else { return }
        let end =
            if let request = pending.request {
                await drive(.decide(request, &state, environment.context))
            } else {
                await goOn(with: pending.kept)
            }
        state.pending.release(pending.kept.event)
        post(end)
    }

    /// Reads what waited before the program started, as far as the key lets it.
    private func rereadAll() async {
        for pending in state.pending.all where pending.request == nil { await reread(pending) }
    }

    private func reread(_ pending: PendingRequest) async {
        if pending.rule == .locked || pending.kept.request(for: account) == nil { return await tryAgain(pending) }
        guard let request = await readAgain(pending.kept) else { return }
        var report: ChangeReport?
        if case .sign(let draft) = request.action { report = await environment.explain(draft) }
        guard var read = state.pending[pending.kept.event], read.request == nil else { return }
        read.request = request
        read.report = report
        state.pending.insert(read)
    }

    private func finish(_ kept: AdmittedRequest) async {
        var end = await goOn(with: kept)
        if case .failed = end {
            // The key is locked, most likely: it waits for the key from here on.
            _ = state.progress.begin(kept.event, cameBy: kept.relay)
            end = await drive(.wait(WaitingStep(unread: kept, state)))
        }
        post(end)
    }

    /// Goes on with a request that was kept before it was read, or by a process before this one.
    private func goOn(with kept: AdmittedRequest) async -> RequestEnd {
        guard let request = kept.request(for: account) else { return await discard(kept) }
        if !kept.id.isEmpty {
            guard let read = await readAgain(kept) else { return .failed }
            return await drive(.decide(read, &state, environment.context))
        }
        // Never read: what it asks may have been answered under another event, or may need no keeping at all.
        state.progress.forget(kept.event)
        let end = await drive(.receive(request, &state))
        switch end {
        case .waiting, .failed, .locked: break
        case .answer, .dropped, .known: await closeUnread(kept)
        }
        return end
    }

    /// Decrypts and parses a kept request; `nil` while the key is locked, or for good when it is broken.
    private func readAgain(_ kept: AdmittedRequest) async -> IdentifiedRequest? {
        guard let request = kept.request(for: account), case .success(let opened) = await environment.open(request),
            case .success(let read) = opened.content
        else { return nil }
        return IdentifiedRequest(kept: kept, read: read, replyPath: .relays(request.sender, opened.cipher))
    }

    /// What was kept unread and turned out to need no keeping, a `ping` say, or to be a repeat, is done with.
    private func closeUnread(_ kept: AdmittedRequest) async {
        do {
            // A request that was admitted with its id is settled by now, or waits under it.
            let isLeft = try await records.waiting(of: account) + records.unfinished(of: account)
            guard isLeft.contains(where: { $0.request.event == kept.event && $0.request.id.isEmpty }) else { return }
            try await records.settle(kept, answer: nil, activity: line(about: kept, .done, by: .harmless))
        } catch {
            logger.warning("a request could not be closed", metadata: ["problem": "\(error)"])
        }
        state.pending.remove(kept.event)
    }

    /// A kept request that cannot be read any more.
    private func discard(_ kept: AdmittedRequest) async -> RequestEnd {
        let line = line(
            about: kept, .failed, by: kept.raw.isEmpty ? .unanswered : .invalid, error: WireError.of(.unanswered))
        // What stays behind is found again at the next start.
        try? await records.settle(kept, answer: nil, activity: line)
        state.pending.remove(kept.event)
        return .known
    }

    /// A line of the log about a request that was not read.
    func line(
        about kept: AdmittedRequest, _ outcome: ActivityEntry.Outcome, by rule: Rule, error: String? = nil
    ) -> ActivityEntry {
        ActivityEntry(
            time: environment.time.now(), account: account, app: kept.app, title: state.title(of: kept.app), method: "",
            outcome: outcome, rule: rule, error: error)
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
