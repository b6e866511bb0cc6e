import NostrCore

extension RelaySession {
    /// One event offered to the relay.
    struct Publishing: Hashable {
        enum State: Hashable { case inLine, sent, needsAuthentication(since: Duration) }

        let event: Event
        let deadline: Duration
        var state = State.inLine
        var tries = 0
    }

    /// Offers an event, until a moment of ``Moment/uptime``.
    mutating func publish(_ id: PublishID, _ event: Event, until deadline: Duration, now: Moment) -> [SessionAction] {
        // What is not believed of a relay does not keep it from taking what we write.
        if isBlocked { return [.published(id, contact == .over ? .shuttingDown : .blocked)] }
        if link == .idle, let retryAt = retry.at, retryAt >= deadline {
            return [.published(id, .failed(retry.lastFailure ?? .timedOut))]
        }
        if limits.isMessageLengthStated, event.unverified.json.count + 16 > limits.messageBytes {
            return [.published(id, .tooLong(limit: limits.messageBytes))]
        }
        writing.publishes[id] = Publishing(event: event, deadline: deadline)
        writing.line.append(id)
        writing.deadline = min(writing.deadline ?? deadline, deadline)
        return proceed(now)
    }

    mutating func sendPublishes(_ now: Moment) -> [SessionAction] {
        guard !writing.line.isEmpty else { return [] }
        var actions: [SessionAction] = []
        var inFlight = writing.publishes.values.count { $0.state == .sent }
        while inFlight < settings.requests.publishesInFlight, let id = writing.line.first {
            writing.line.removeFirst()
            guard var publishing = writing.publishes[id] else { continue }
            publishing.state = .sent
            publishing.tries += 1
            writing.publishes[id] = publishing
            writing.sent[publishing.event.id, default: []].append(id)
            inFlight += 1
            actions.append(.send(.event(publishing.event.unverified)))
        }
        return actions
    }

    mutating func didReceiveOK(_ event: EventID, _ accepted: Bool, _ reason: Reason, _ now: Moment) -> [SessionAction] {
        if case .sent(event, _) = authentication { return didAuthenticate(accepted, reason, now) }
        var actions: [SessionAction] = []
        for id in (writing.sent.removeValue(forKey: event) ?? []).sorted(by: { $0.number < $1.number }) {
            guard let publishing = writing.publishes[id], publishing.state == .sent else { continue }
            if !accepted, reason.prefix == .authRequired, publishing.tries < 2, authentication.mayHelp(consent) {
                writing.publishes[id]?.state = .needsAuthentication(since: now.uptime)
                actions += authenticate(now)
                continue
            }
            writing.publishes[id] = nil
            actions.append(.published(id, outcome(accepted, reason)))
        }
        if writing.publishes.isEmpty { writing.deadline = nil }
        return actions + proceed(now)
    }

    /// What an answer means for an event: a relay that wants to know who writes did not refuse the event when it was our
    /// key that could not sign.
    private func outcome(_ accepted: Bool, _ reason: Reason) -> PublishOutcome {
        if accepted || reason.prefix == .duplicate { return .accepted(reason) }
        if reason.prefix == .authRequired, authentication == .refused(.notSigned) {
            return .unauthenticated(.notSigned)
        }
        return .rejected(reason)
    }

    mutating func expirePublishes(_ now: Moment) -> [SessionAction] {
        guard let deadline = writing.deadline, deadline <= now.uptime else { return [] }
        let due = writing.publishes.filter { $0.value.deadline <= now.uptime }.sorted { $0.key.number < $1.key.number }
        for (id, publishing) in due {
            writing.publishes[id] = nil
            writing.sent[publishing.event.id]?.removeAll { $0 == id }
            if writing.sent[publishing.event.id]?.isEmpty ?? false { writing.sent[publishing.event.id] = nil }
        }
        writing.line.removeAll { writing.publishes[$0] == nil }
        writing.deadline = writing.publishes.values.map(\.deadline).min()
        return due.map { .published($0.key, .timedOut) }
    }

    /// Ends all of them the same way.
    mutating func endPublishes(_ outcome: PublishOutcome) -> [SessionAction] {
        let ended = writing.publishes.keys.sorted { $0.number < $1.number }
        writing.publishes = [:]
        writing.line = []
        writing.sent = [:]
        writing.deadline = nil
        return ended.map { .published($0, outcome) }
    }

    /// The connection broke: what was sent may be offered once more, because a relay keeps an event only once.
    mutating func dropPublishes(_ failure: TransportFailure) -> [SessionAction] {
        var actions: [SessionAction] = []
        writing.sent = [:]
        for (id, publishing) in writing.publishes.sorted(by: { $0.key.number < $1.key.number }) {
            guard publishing.state != .inLine else { continue }
            if publishing.tries < 2 {
                writing.publishes[id]?.state = .inLine
                writing.line.append(id)
            } else {
                writing.publishes[id] = nil
                actions.append(.published(id, .failed(failure)))
            }
        }
        return actions
    }
}
