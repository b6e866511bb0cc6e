public import NostrCore
internal import NostrNIPs
internal import Synchronization

/// What became of an event that came.
public enum TakenRequest: Hashable, Sendable {
    /// It is no request to be answered.
    case dropped(RequestRejection)
    /// It was answered; whether a relay took the answer.
    case answered(delivered: Bool)
    /// It waits for the person, or for the key.
    case waiting
    /// Somebody is at it, or it was answered before.
    case known
    /// It could not be kept or done; the app asks again.
    case failed
}

/// What a step of the pipeline leaves to be done.
enum Handled: Sendable {
    case dropped(RequestRejection)
    case answer(OutgoingAnswer)
    case waiting
    case known
    case failed
}

extension LiveSigner {
    /// Takes one event that came, by a relay or a push, to its end: checks it, decides, does it, and sends the answer.
    ///
    /// For whoever does not ``run()``: a process that was woken for one request.
    @concurrent
    public func take(_ event: UnverifiedEvent, cameBy relay: RelayURL?) async -> TakenRequest {
        let verified: VerifiedRequest
        do throws(RequestRejection) {
            verified = try VerifiedRequest(
                ReceivedRequest(event: event, relay: relay, moment: now()), for: account)
        } catch {
            return .dropped(error)
        }
        guard await load() else { return .failed }
        switch await handle(verified) {
        case .dropped(let why): return .dropped(why)
        case .answer(let answer): return .answered(delivered: await deliver(answer))
        case .waiting: return .waiting
        case .known: return .known
        case .failed: return .failed
        }
    }

    /// Handles a request and leaves its answer to ``run()``.
    @concurrent
    func handleAndPost(_ request: VerifiedRequest) async {
        if case .answer(let answer) = await handle(request) { job.yield(.deliver(answer)) }
    }

    /// One request from its verified event to its answer.
    func handle(_ request: VerifiedRequest) async -> Handled {
        let id = request.event.id
        if let known = state.withLock({ $0.progress.begin(id, cameBy: request.relay) }) {
            guard case .answered(let content?) = known.phase else { return .known }
            return .answer(outgoing(content, to: request.sender, about: id))
        }
        do {
            let decrypted = try await withKey { try await request.decrypted(by: $0) }
            return await handle(decrypted)
        } catch let rejection as RequestRejection {
            state.withLock { $0.progress.set(id, .over) }
            return .dropped(rejection)
        } catch SigningFailure.locked {
            return await keepUnread(request)
        } catch {
            state.withLock { $0.progress.forget(id) }
            return .failed
        }
    }

    /// Reads a decrypted request, and tells harmless ones from those that are kept.
    func handle(_ decrypted: DecryptedRequest) async -> Handled {
        let request = decrypted.verified
        let read: ReadRequest
        do throws(RemoteMessageError) { read = try decrypted.read() } catch {
            return await answerUnreadable(error, decrypted)
        }
        let app = RequestingApp.remote(request.sender)
        let client = state.withLock { state in
            note(request, in: &state)
            return state.clients[app]
        }
        let hand = RequestInHand(
            kept: AdmittedRequest(
                event: request.event.id, account: account, app: app, id: read.request.id, permission: read.permission,
                raw: String(decoding: request.event.json, as: UTF8.self), relay: request.relay,
                received: request.moment),
            read: read, way: .relays(request.sender, decrypted.cipher))
        if case .connect(let introduction) = read.action {
            return await connect(hand, introduction, client, made: request.event.createdAt)
        }
        guard let client else { return await answerStranger(hand) }
        if let result = harmless(hand, client) { return await reply(.done(result, by: .harmless), to: hand) }
        if case .logout = read.action { return await logOut(hand, client, made: request.event.createdAt) }
        return await admitAndDecide(hand)
    }

    /// Notes that an app was heard of, and where.
    private func note(_ request: VerifiedRequest, in state: inout SignerState) {
        if let relay = request.relay {
            state.relays[relay, default: SignerState.RelayFigures()].requests += 1
            state.relays[relay]?.lastRequest = request.moment
        }
        state.clients[.remote(request.sender)]?.lastSeen = request.moment
    }

    /// What is answered without the key; `nil` for everything else.
    private func harmless(_ hand: RequestInHand, _ client: SignerClient) -> RequestResult? {
        switch hand.action {
        case .ping: RequestResult(text: "pong", summary: "")
        case .tellKey: RequestResult(text: account.hex, summary: "")
        case .describe:
            RequestResult(
                text: JSONValue.array(Self.methods.map { .string($0.rawValue) }).text, summary: "")
        case .switchRelays: RequestResult(text: relaysToSwitchTo(client, hand), summary: "")
        default: nil
        }
    }

    /// The methods of NIP-46.
    static let methods = RemoteMethod.allCases.filter { $0 != .decryptZapEvent }

    // MARK: Keeping and deciding

    /// Takes a request in once, decides, and does what was decided.
    func admitAndDecide(_ hand: RequestInHand) async -> Handled {
        do {
            switch try await records.admit(hand.kept) {
            case .new: break
            case .underWay, .waiting:
                state.withLock { $0.progress.set(hand.event, .over) }
                return .known
            case .answered(let content): return again(content, hand)
            }
        } catch {
            return failed(hand, error)
        }
        return await decideAdmitted(hand)
    }

    /// Goes on with a request that is in the records.
    func decideAdmitted(_ hand: RequestInHand) async -> Handled {
        if case .impossible(let why) = hand.action { return await settle(hand, .failed(why, by: .invalid)) }
        guard let permission = hand.permission else {
            return await settle(hand, .failed("Unsupported method", by: .invalid))
        }
        var decision = state.withLock {
            $0.decide(permission, of: hand.app, now: now(), minute: minute())
        }
        var report: ChangeReport?
        if case .sign(let draft) = hand.action, ChangeReport.isNeeded(for: draft.kind) || decision.asks {
            report = await changeReport(of: draft)
            decision = report.map { decision.weighing($0) } ?? decision
        }
        switch decision {
        case .allow(let rule): return await perform(hand, by: rule, report)
        case .refuse(let rule): return await settle(hand, .refused(RefusalWords.of(rule), by: rule))
        case .ask(let rule): return await wait(hand, why: rule, report)
        }
    }

    /// Does what was allowed, and answers.
    func perform(_ hand: RequestInHand, by rule: Rule, _ report: ChangeReport?) async -> Handled {
        do {
            let result = try await result(of: hand, report)
            return await settle(hand, .done(result, by: rule))
        } catch {
            if let answer = RequestAnswer(error) { return await settle(hand, answer) }
            guard !Task.isCancelled else { return .failed }
            return await wait(hand, why: .locked, report)
        }
    }

    /// Does it.
    ///
    /// - Throws: whatever ``RequestAnswer/init(_:)`` has words for.
    func result(of hand: RequestInHand, _ report: ChangeReport?) async throws -> RequestResult {
        let action = hand.action
        return try await withKey { try await action.perform(with: $0, report) }
    }
}

extension RequestInHand {
    /// What to call an app that is not paired.
    var appTitle: String {
        var client = SignerClient(app: app, account: kept.account, connected: kept.received)
        client.claims = claims
        return client.title
    }
}

extension Decision {
    var asks: Bool { if case .ask = self { true } else { false } }
}
