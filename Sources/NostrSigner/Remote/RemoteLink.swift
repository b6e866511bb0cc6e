internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// The line to one signer elsewhere: requests go out to all its relays and again until they are answered, answers come in
/// by any of them and count once.
///
/// ``run()`` owns all work; a request waits for it, and for no longer than ``RemotePatience`` says.
actor RemoteLink {
    nonisolated let signer: PublicKey
    nonisolated let client: LocalSigner
    nonisolated let states = CurrentValue(RemoteSignerState.connecting)
    private(set) var relays: [RelayURL]
    private let network: any SignerNetwork
    private let time: Time<Timestamp>
    private let log: Logger
    private var dialogue: RemoteDialogue
    private var waiters: [String: AsyncStream<RemoteDialogue.Reply>.Continuation] = [:]
    private var subscription: (any LiveSubscription)?
    private let requests: AsyncStream<RemoteRequest>
    private let sending: AsyncStream<RemoteRequest>.Continuation

    /// How far back answers are asked for: a relay that keeps them for a moment makes up for a connection that broke.
    static let overlap: Duration = .seconds(120)
    private static let publishDeadline: Duration = .seconds(10)

    init(
        signer: PublicKey, client: LocalSigner, relays: [RelayURL], network: any SignerNetwork, time: Time<Timestamp>,
        patience: RemotePatience, log: Logger
    ) {
        self.signer = signer
        self.client = client
        self.relays = relays
        self.network = network
        self.time = time
        self.log = log
        dialogue = RemoteDialogue(patience: patience)
        // As many as requests are open and their repeats; each caller sends its own and then waits.
        (requests, sending) = AsyncStream.makeStream()
    }

    // MARK: Working

    /// Works until cancelled or ``end()``.
    func run() async {
        let subscription = await network.subscribe(questions(for: relays))
        self.subscription = subscription
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listen(to: subscription) }
            for await request in requests {
                group.addTask { await self.deliver(request) }
            }
            group.cancelAll()
        }
        self.subscription = nil
        await subscription.cancel()
        if client.isLocked { end() }
    }

    /// Ends ``run()``.
    nonisolated func hangUp() {
        sending.finish()
    }

    /// Refuses everything from now on and ends ``run()``.
    func end() {
        dialogue.end()
        for waiter in waiters.values { waiter.finish() }
        waiters = [:]
        sending.finish()
        publishState()
    }

    /// Sends to these relays from now on; still listens at the others until the next start, for answers under way.
    func move(to relays: [RelayURL]) async {
        let all = Array(Set(self.relays).union(relays))
        self.relays = relays
        dialogue.use(all)
        await subscription?.change(to: questions(for: all))
    }

    // MARK: Asking

    /// Asks, and returns the result.
    ///
    /// - Throws: ``SigningFailure``, `PayloadError` when the request is too long to be encrypted, or
    ///   `CancellationError`.
    func ask(_ request: RemoteRequest) async throws -> String {
        guard let method = request.method else { throw SigningFailure.wrongAnswer }
        if client.isLocked { throw SigningFailure.locked }
        let (answers, waiter) = AsyncStream.makeStream(of: RemoteDialogue.Reply.self)
        waiters[request.id] = waiter
        dialogue.ask(request.id, method, at: time.uptime())
        defer {
            waiters[request.id] = nil
            dialogue.drop(request.id)
            publishState()
        }
        return try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { try await Self.first(of: answers) }
            group.addTask { throw await self.pursue(request) }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    private static func first(of answers: AsyncStream<RemoteDialogue.Reply>) async throws -> String {
        for await reply in answers {
            switch reply {
            case .answer(let result): return result
            case .failure(let failure): throw failure
            case .challenge, .nothing: break
            }
        }
        try Task.checkCancellation()
        throw SigningFailure.locked
    }

    /// Sends a request again and again; returns why it gave up.
    private func pursue(_ request: RemoteRequest) async -> any Error {
        while !Task.isCancelled {
            switch dialogue.step(request.id, at: time.uptime()) {
            case .send(let moment):
                sending.yield(request)
                await time.pause(until: moment)
            case .wait(let moment):
                await time.pause(until: moment)
            case .giveUp(let failure):
                publishState()
                return failure
            }
            // It may have been silent for long enough now to say so.
            publishState()
        }
        return CancellationError()
    }

    /// Sends a request in a fresh event to every relay.
    ///
    /// NIP-46 says nothing of sending again, and answers are events that no relay keeps. The same event once more would
    /// reach nobody: relays drop what they have passed on, and a signer that knows events by their ids is silent about
    /// one it has answered. The request keeps its id, by which a signer that remembers requests, as ours does, gives
    /// the same answer and asks its person once. One that remembers only events may ask twice; so the pauses grow, and
    /// a signer that sent its person to a page is not asked again.
    private func deliver(_ request: RemoteRequest) async {
        let event: Event
        do {
            let payload = try await client.encrypt(request.json, for: signer, by: .nip44)
            event = try await client.sign(RemoteSigning.draft(payload, to: signer, now: time.now()))
        } catch {
            waiters[request.id]?.yield(.failure((error as? SigningFailure) ?? .cannotEncrypt))
            return
        }
        await withDiscardingTaskGroup { group in
            for relay in relays {
                group.addTask {
                    let outcome = await self.network.publish(event, to: relay, deadline: Self.publishDeadline)
                    await self.note(outcome, of: request.id, at: relay)
                }
            }
        }
    }

    private func note(_ outcome: PublishOutcome, of id: String, at relay: RelayURL) {
        switch outcome {
        // Some relays pass an ephemeral event on and never say so.
        case .accepted, .timedOut: dialogue.delivered(id)
        case .rejected, .tooLong, .unauthenticated, .failed, .blocked, .shuttingDown:
            log.debug("a relay did not take a request", metadata: ["relay": "\(relay)", "why": "\(outcome)"])
        }
    }

    // MARK: Receiving

    private func questions(for relays: [RelayURL]) -> [RelayURL: [Filter]] {
        let filter = Filter(
            kinds: [RemoteSigning.kind], tags: ["p": [client.publicKey.hex]], since: time.now() - Self.overlap)
        return Dictionary(relays.map { ($0, [filter]) }) { first, _ in first }
    }

    private func listen(to subscription: any LiveSubscription) async {
        for await update in subscription.updates {
            switch update {
            case .events(let events, _): for event in events { await receive(event) }
            case .live(let relay): dialogue.relay(relay, isLive: true)
            case .interrupted(let relay, _): dialogue.relay(relay, isLive: false)
            }
            publishState()
        }
    }

    private func receive(_ event: Event) async {
        guard event.pubkey == signer, RemoteSigning.isAddressed(event, to: client.publicKey) else { return }
        guard let response = await RemoteSigning.response(in: event, for: client) else {
            log.debug("an answer of the signer could not be read")
            return
        }
        let reply = dialogue.receive(response, at: time.uptime())
        if reply != .nothing { waiters[response.id]?.yield(reply) }
    }

    // MARK: State

    private func publishState() {
        states.set(dialogue.state(at: time.uptime()))
    }
}

extension RemoteSigning {
    /// The response in an event; `nil` when it cannot be read.
    static func response(in event: Event, for client: LocalSigner) async -> RemoteResponse? {
        let cipher: ContentCipher = isLegacy(event.content) ? .nip04 : .nip44
        // What cannot be read answers nothing.
        guard let text = try? await client.decrypt(event.content, from: event.pubkey, by: cipher) else { return nil }
        return try? RemoteResponse(json: Array(text.utf8))
    }
}
