import NostrCore

extension RelaySession {
    /// How far the relay knows who we are.
    ///
    /// Source: NIP-42.
    enum Authentication: Hashable {
        /// It has not asked.
        case unasked
        /// It has asked.
        case challenged(String)
        /// The signer is at it.
        case signing(String)
        /// Signed and sent; its OK decides.
        case sent(EventID, since: Duration)
        /// It knows.
        case accepted
        /// We do not say, and why; `nil` when the relay does not believe us.
        case refused(AuthenticationFailure?)

        func due(after wait: Duration) -> Duration? {
            if case .sent(_, let since) = self { since + wait } else { nil }
        }

        /// Whether an `auth-required` may still be answered on this connection.
        func mayHelp(_ consent: AuthenticationConsent) -> Bool {
            switch self {
            case .accepted, .refused: false
            case .unasked, .challenged, .signing, .sent: consent != .never
            }
        }
    }

    /// Challenges that are signed on one connection.
    static let mostSignatures = 8

    mutating func didReceiveChallenge(_ challenge: String, _ now: Moment) -> [SessionAction] {
        statistics.authenticates = true
        switch authentication {
        case .signing, .sent: return []
        // A relay that asks again and again gets no signature each time.
        case .accepted where activity.signatures >= Self.mostSignatures: return []
        case .refused where activity.signatures >= Self.mostSignatures: return []
        case .unasked, .challenged, .accepted, .refused: authentication = .challenged(challenge)
        }
        // A relay we never answer could still learn that we are silent, nothing more.
        let isNeeded =
            reading.asks.values.contains { $0.needsAuthentication != nil }
            || writing.publishes.values.contains {
                if case .needsAuthentication = $0.state { true } else { false }
            }
        return consent == .allow || isNeeded ? authenticate(now) : []
    }

    /// The person decided anew, or what signs is there again: what the relay refused for that is asked again.
    ///
    /// Where the answer to its challenge was a no, it takes a fresh connection to be asked once more.
    mutating func consents(_ consent: AuthenticationConsent, now: Moment) -> [SessionAction] {
        let wasForbidden = self.consent == .never
        self.consent = consent
        guard consent != .never else {
            // What it was told it knows until the connection ends.
            if authentication == .accepted || authentication.due(after: .zero) != nil { return close() }
            return asksWaiting.flatMap { awaitConsent($0) }
        }
        // A relay that does not believe us would not the next time, and a signer may have to ask its person.
        if case .refused(let failure) = authentication, failure == .notSigned || wasForbidden { return close() }
        let isNeeded = askAgain(now)
        return (consent == .allow || isNeeded ? authenticate(now) : []) + proceed(now)
    }

    /// Lets a standing question rest until the relay may know who asks; any other has a deadline of its own.
    private mutating func awaitConsent(_ id: SubscriptionID) -> [SessionAction] {
        guard let ask = reading.asks[id], ask.isLive else { return [] }
        reading.asks[id]?.state = .awaitsConsent(until: nil)
        return interrupt(ask.query, .closed(Reason(.authRequired, "")))
    }

    /// Takes up what the relay refused because it might not learn who reads.
    ///
    /// - Returns: whether something of it waits for the challenge to be answered.
    private mutating func askAgain(_ now: Moment) -> Bool {
        let refused = reading.asks.filter { if case .awaitsConsent = $0.value.state { true } else { false } }
        for id in refused.keys.sorted(by: { $0.text < $1.text }) {
            reading.asks[id]?.refusals = 0
            switch authentication {
            case .challenged, .signing, .sent: reading.asks[id]?.state = .needsAuthentication(since: now.uptime)
            case .unasked, .accepted, .refused:
                reading.asks[id]?.state = .inLine
                reading.line.append(id)
            }
        }
        return !refused.isEmpty || !asksWaiting.isEmpty || !publishesWaiting.isEmpty
    }

    /// Begins to sign, if there is a challenge and it is not being signed.
    mutating func authenticate(_ now: Moment) -> [SessionAction] {
        guard consent != .never, case .challenged(let challenge) = authentication else { return [] }
        authentication = .signing(challenge)
        activity.signatures += 1
        return [.sign(challenge: challenge)]
    }

    /// The signer answered; `nil` when the person or the signer refused.
    mutating func didSign(_ event: Event?, challenge: String, now: Moment) -> [SessionAction] {
        guard authentication == .signing(challenge), case .connected = link else { return [] }
        guard let event, consent != .never else { return failAuthentication(.notSigned, now) }
        authentication = .sent(event.id, since: now.uptime)
        return [.send(.auth(event.unverified))]
    }

    /// The relay answered: everything that waited for it goes on, or ends.
    mutating func didAuthenticate(_ accepted: Bool, _ reason: Reason, _ now: Moment) -> [SessionAction] {
        guard accepted else { return refuseWaiting(.closed(reason), .rejected(reason), nil, now) }
        authentication = .accepted
        for id in asksWaiting {
            reading.asks[id]?.state = .inLine
            reading.line.append(id)
        }
        for id in publishesWaiting {
            writing.publishes[id]?.state = .inLine
            writing.line.append(id)
        }
        return proceed(now)
    }

    /// The relay will not learn who we are on this connection: everything that waited for it ends.
    private mutating func failAuthentication(_ failure: AuthenticationFailure, _ now: Moment) -> [SessionAction] {
        refuseWaiting(.unauthenticated(failure), .unauthenticated(failure), failure, now)
    }

    private mutating func refuseWaiting(
        _ ending: RelayEnding, _ outcome: PublishOutcome, _ failure: AuthenticationFailure?, _ now: Moment
    ) -> [SessionAction] {
        authentication = .refused(failure)
        var actions = asksWaiting.flatMap { refuse($0, ending, now) }
        for id in publishesWaiting {
            writing.publishes[id] = nil
            actions.append(.published(id, outcome))
        }
        return actions + proceed(now)
    }

    private var asksWaiting: [SubscriptionID] {
        reading.asks.filter { $0.value.needsAuthentication != nil }.keys.sorted { $0.text < $1.text }
    }

    private var publishesWaiting: [PublishID] {
        writing.publishes.filter { if case .needsAuthentication = $0.value.state { true } else { false } }
            .keys.sorted { $0.number < $1.number }
    }

    mutating func expireAuthentication(_ now: Moment) -> [SessionAction] {
        let wait = settings.requests.authenticationWait
        if let due = authentication.due(after: wait), due <= now.uptime { return failAuthentication(.noAnswer, now) }
        guard authentication == .unasked else { return [] }
        let waited = reading.asks.values.compactMap(\.needsAuthentication).contains { $0 + wait <= now.uptime }
        return waited ? failAuthentication(.noChallenge, now) : []
    }
}

extension RelaySession.Ask {
    /// Since when it waits for authentication, if so.
    var needsAuthentication: Duration? {
        if case .needsAuthentication(let since) = state { since } else { nil }
    }
}
