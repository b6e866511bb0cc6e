internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// Brings answers to apps: each in a fresh event, again and again until a relay takes it.
actor AnswerSender {
    /// How one relay did since the start.
    struct Figures: Hashable, Sendable {
        var taken = 0
        var refused = 0
        var inFlight = 0
    }

    /// What became of an event at relays.
    struct Offered: Sendable {
        /// Those that took it.
        var takers: [RelayURL] = []
        /// Whether another try may do better: the person did not forbid contact with all of them.
        var mayTryAgain = false
    }

    let environment: SignerEnvironment
    private var figures: [RelayURL: Figures] = [:]
    /// When answers were last sent, by the ends of their contents.
    private var lastSent: [String: Timestamp] = [:]
    private static let answersRemembered = 4096

    init(_ environment: SignerEnvironment) {
        self.environment = environment
    }

    /// How a relay did.
    func figures(of relay: RelayURL) -> Figures { figures[relay] ?? Figures() }

    /// Sends an answer until a relay takes it.
    ///
    /// - Parameter whenTaken: called as soon as a relay has taken it.
    /// - Returns: whether one did.
    func deliver(_ answer: OutgoingAnswer, whenTaken: @Sendable () async -> Void) async -> Bool {
        var offered = await send(answer, whenTaken)
        for pause in environment.configuration.pauses.resend {
            guard offered.takers.isEmpty, offered.mayTryAgain else { break }
            // Cancelled: the program ends; the app asks again, and gets the same answer.
            guard (try? await environment.time.clock.sleep(for: pause)) != nil else { return false }
            offered = await send(answer, whenTaken)
        }
        return !offered.takers.isEmpty
    }

    /// Sends an answer once.
    private func send(_ answer: OutgoingAnswer, _ whenTaken: @Sendable () async -> Void) async -> Offered {
        let draft = EventDraft(
            kind: RemoteSigning.kind, tags: [["p", answer.client.hex]], content: answer.content,
            createdAt: nextMoment(for: answer.content))
        // A key that is locked again by now counts as a relay that took nothing: there is another try.
        guard let event = try? await environment.key.use({ try await $0.sign(draft) }) else {
            return Offered(mayTryAgain: true)
        }
        let limit = environment.configuration.limits.answersPerRelay
        let free = answer.relays.filter { figures(of: $0).inFlight < limit }
        return await publish(event, to: free.isEmpty ? answer.relays : free, whenTaken: whenTaken)
    }

    /// Offers an event to relays at once, and keeps their figures.
    ///
    /// - Parameter whenTaken: called as soon as a relay has taken it.
    func publish(
        _ event: Event, to relays: [RelayURL], whenTaken: @Sendable () async -> Void = {}
    ) async -> Offered {
        for relay in relays { figures[relay, default: Figures()].inFlight += 1 }
        return await withTaskGroup(of: (RelayURL, PublishOutcome).self) { group in
            for relay in relays {
                group.addTask { [environment] in
                    let deadline = environment.configuration.deadlines.publish
                    return (relay, await environment.network.publish(event, to: relay, deadline: deadline))
                }
            }
            var offered = Offered()
            for await (relay, outcome) in group {
                offered.mayTryAgain = offered.mayTryAgain || outcome != .blocked
                let isTaken = if case .accepted = outcome { true } else { false }
                note(relay, isTaken: isTaken)
                guard isTaken else { continue }
                offered.takers.append(relay)
                if offered.takers.count == 1 { await whenTaken() }
            }
            return offered
        }
    }

    private func note(_ relay: RelayURL, isTaken: Bool) {
        figures[relay]?.inFlight -= 1
        if isTaken { figures[relay]?.taken += 1 } else { figures[relay]?.refused += 1 }
    }

    /// The moment for the next event that carries an answer: later than the last one's, so that no relay takes it for
    /// the same event.
    private func nextMoment(for content: String) -> Timestamp {
        let now = environment.time.now()
        // The end of a payload is as good as random, whatever the cipher.
        let key = String(content.suffix(48))
        let moment = max(now, lastSent[key].map { $0 + .seconds(1) } ?? now)
        if lastSent.count >= Self.answersRemembered { lastSent.removeAll(keepingCapacity: true) }
        lastSent[key] = moment
        return moment
    }
}
