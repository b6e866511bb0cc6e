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
        /// We do not say, or it does not believe us.
        case refused(Reason)

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

    mutating func didReceiveChallenge(_ challenge: String, _ now: Moment) -> [SessionAction] {
        switch authentication {
        case .signing, .sent: return []
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

    /// The person decided anew; a relay that was refused gets its answer on a fresh connection.
    mutating func consents(_ consent: AuthenticationConsent, now: Moment) -> [SessionAction] {
        self.consent = consent
        if consent != .never, case .refused = authentication { return close() }
        return consent == .allow ? authenticate(now) : []
    }

    /// Begins to sign, if there is a challenge and it is not being signed.
    mutating func authenticate(_ now: Moment) -> [SessionAction] {
        guard consent != .never, case .challenged(let challenge) = authentication else { return [] }
        authentication = .signing(challenge)
        return [.sign(challenge: challenge)]
    }

    /// The signer answered; `nil` when the person or the signer refused.
    mutating func didSign(_ event: Event?, challenge: String, now: Moment) -> [SessionAction] {
        guard authentication == .signing(challenge), case .connected = link else { return [] }
        guard let event else { return didAuthenticate(false, Reason(.authRequired, "not answered"), now) }
        authentication = .sent(event.id, since: now.uptime)
        return [.send(.auth(event.unverified))]
    }

    /// The relay answered: everything that waited for it goes on, or ends.
    mutating func didAuthenticate(_ accepted: Bool, _ reason: Reason, _ now: Moment) -> [SessionAction] {
        authentication = accepted ? .accepted : .refused(reason)
        var actions: [SessionAction] = []
        for id in reading.asks.keys.sorted(by: { $0.text < $1.text }) where reading.asks[id]?.needsAuthentication != nil
        {
            if accepted {
                reading.asks[id]?.state = .inLine
                reading.line.append(id)
            } else {
                actions += refuse(id, reason, now)
            }
        }
        for id in writing.publishes.keys.sorted(by: { $0.number < $1.number }) {
            guard case .needsAuthentication = writing.publishes[id]?.state else { continue }
            if accepted {
                writing.publishes[id]?.state = .inLine
                writing.line.append(id)
            } else {
                writing.publishes[id] = nil
                actions.append(.published(id, .rejected(reason)))
            }
        }
        return actions + proceed(now)
    }

    mutating func expireAuthentication(_ now: Moment) -> [SessionAction] {
        let wait = settings.requests.authenticationWait
        let silent = Reason(.authRequired, "no answer to authentication")
        if let due = authentication.due(after: wait), due <= now.uptime { return didAuthenticate(false, silent, now) }
        guard authentication == .unasked else { return [] }
        let waited = reading.asks.values.compactMap(\.needsAuthentication).contains { $0 + wait <= now.uptime }
        return waited ? didAuthenticate(false, Reason(.authRequired, "no challenge came"), now) : []
    }
}

extension RelaySession.Ask {
    /// Since when it waits for authentication, if so.
    var needsAuthentication: Duration? {
        if case .needsAuthentication(let since) = state { since } else { nil }
    }
}
