internal import Crypto
internal import NostrCore
public import NostrNIPs
internal import Synchronization

extension LiveSigner {
    /// Takes a request that came another way than by relays, from one who waits for the answer; the same policy decides.
    ///
    /// `get_public_key` of an app that is not known yet is asked about; its first parameter may name permissions, as
    /// `connect` has them.
    public func answer(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, deadline: Duration
    ) async throws -> DirectAnswer {
        try await ready()
        let received = now()
        let read = ReadRequest(request, now: received)
        var hand = RequestInHand(
            kept: AdmittedRequest(
                event: Self.event(for: request, from: app, of: account), account: account, app: app, id: request.id,
                permission: read.permission, raw: "", relay: nil, received: received),
            read: read, way: .direct)
        hand.claims = claims
        let isPaired = state.withLock { $0.clients[app] != nil }
        if case .impossible(let why) = read.action, !isPaired { return .failed(why) }
        if isPaired, let permission = read.permission, !permission.method.usesKey {
            state.withLock { $0.clients[app]?.lastSeen = received }
            if case .tellKey(let wishes) = read.action { try await keeping { try await noteWishes(wishes, of: app) } }
            return try await direct(hand)
        }
        let (answers, caller) = AsyncStream.makeStream(of: DirectAnswer.self, bufferingPolicy: .bufferingOldest(1))
        guard state.withLock({ $0.progress.begin(hand.event, cameBy: nil) }) == nil,
            try await keeping({ try await records.admit(hand.kept) }) == .new
        else { return .refused(.repeated) }
        state.withLock { $0.callers[hand.event] = caller }
        let handled = isPaired ? await decideAdmitted(hand) : await wait(hand, why: .notPaired, await report(of: hand))
        if case .failed = handled {
            state.withLock { _ = $0.callers.removeValue(forKey: hand.event) }
            throw SigningServiceError(.unusable, "The signer's records cannot be changed now.")
        }
        return await next(of: answers, about: hand, deadline: deadline)
    }

    private func report(of hand: RequestInHand) async -> ChangeReport? {
        if case .sign(let draft) = hand.action { await changeReport(of: draft) } else { nil }
    }

    /// What needs no key, for an app that is paired.
    private func direct(_ hand: RequestInHand) async throws -> DirectAnswer {
        switch hand.action {
        case .tellKey: return .done(account.hex, nil)
        case .connect: return .done("ack", nil)
        case .ping: return .done("pong", nil)
        case .logout:
            if let client = state.withLock({ $0.clients[hand.app] }) {
                try await keeping { try await unpair(client, "Logged out", by: .harmless) }
            }
            return .done("ack", nil)
        default: return .failed("This cannot be asked for by a link")
        }
    }

    /// Waits for the answer; the deadline, or a caller who leaves, refuses.
    private func next(
        of answers: AsyncStream<DirectAnswer>, about hand: RequestInHand, deadline: Duration
    ) async -> DirectAnswer {
        let answer = await withTaskGroup(of: DirectAnswer?.self) { group in
            group.addTask { await answers.first { _ in true } }
            group.addTask { [clock] in
                // Cancelled: somebody answered, or the caller left.
                try? await clock.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let answer { return answer }
        state.withLock { _ = $0.callers.removeValue(forKey: hand.event) }
        guard state.withLock({ $0.waiting.take(hand.event) }) != nil else { return .refused(.unanswered) }
        _ = await settle(hand, .refused(RefusalWords.of(.unanswered), by: .unanswered))
        tell(.waiting)
        return .refused(.unanswered)
    }

    /// What a request by a link is known by: a hash of who asks what.
    static func event(for request: RemoteRequest, from app: RequestingApp, of account: PublicKey) -> EventID {
        let text = JSONValue.array([.string(account.hex), .string(app.text), .string(request.json)]).text
        let digest = Array(SHA256.hash(data: Array(text.utf8)))
        do { return EventID(try Bytes32(digest.span)) } catch { preconditionFailure("a digest has 32 bytes: \(error)") }
    }
}
