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
        if let refusal { return [.published(id, .notAsked(refusal))] }
        if link == .idle, let retryAt, retryAt >= deadline {
            return [.published(id, .failed(lastFailure ?? .timedOut))]
        }
        if limits.isMessageLengthStated, event.unverified.json.count + 16 > limits.messageBytes {
            return [.published(id, .rejected(Reason(.invalid, "longer than the relay takes")))]
        }
        publishes[id] = Publishing(event: event, deadline: deadline)
        publishLine.append(id)
        publishDeadline = min(publishDeadline ?? deadline, deadline)
        return proceed(now)
    }

    mutating func sendPublishes(_ now: Moment) -> [SessionAction] {
        guard !publishLine.isEmpty else { return [] }
        var actions: [SessionAction] = []
        var inFlight = publishes.values.count { $0.state == .sent }
        while inFlight < settings.publishesInFlight, let id = publishLine.first {
            publishLine.removeFirst()
            guard var publishing = publishes[id] else { continue }
            publishing.state = .sent
            publishing.tries += 1
            publishes[id] = publishing
            publishesSent[publishing.event.id, default: []].append(id)
            inFlight += 1
            actions.append(.send(.event(publishing.event.unverified)))
        }
        return actions
    }

    mutating func didReceiveOK(_ event: EventID, _ accepted: Bool, _ reason: Reason, _ now: Moment) -> [SessionAction] {
        if case .sent(event, _) = authentication { return didAuthenticate(accepted, reason, now) }
        var actions: [SessionAction] = []
        for id in (publishesSent.removeValue(forKey: event) ?? []).sorted(by: { $0.number < $1.number }) {
            guard let publishing = publishes[id], publishing.state == .sent else { continue }
            if !accepted, reason.prefix == .authRequired, publishing.tries < 2, authentication.mayHelp(consent) {
                publishes[id]?.state = .needsAuthentication(since: now.uptime)
                actions += authenticate(now)
                continue
            }
            publishes[id] = nil
            let isThere = accepted || reason.prefix == .duplicate
            actions.append(.published(id, isThere ? .accepted(reason) : .rejected(reason)))
        }
        if publishes.isEmpty { publishDeadline = nil }
        return actions + proceed(now)
    }

    mutating func expirePublishes(_ now: Moment) -> [SessionAction] {
        guard let publishDeadline, publishDeadline <= now.uptime else { return [] }
        let due = publishes.filter { $0.value.deadline <= now.uptime }.sorted { $0.key.number < $1.key.number }
        for (id, publishing) in due {
            publishes[id] = nil
            publishesSent[publishing.event.id]?.removeAll { $0 == id }
            if publishesSent[publishing.event.id]?.isEmpty ?? false { publishesSent[publishing.event.id] = nil }
        }
        publishLine.removeAll { publishes[$0] == nil }
        self.publishDeadline = publishes.values.map(\.deadline).min()
        return due.map { .published($0.key, .timedOut) }
    }

    /// Ends all of them the same way.
    mutating func endPublishes(_ outcome: PublishOutcome) -> [SessionAction] {
        let ended = publishes.keys.sorted { $0.number < $1.number }
        publishes = [:]
        publishLine = []
        publishesSent = [:]
        publishDeadline = nil
        return ended.map { .published($0, outcome) }
    }

    /// The connection broke: what was sent may be offered once more, because a relay keeps an event only once.
    mutating func dropPublishes(_ failure: TransportFailure) -> [SessionAction] {
        var actions: [SessionAction] = []
        publishesSent = [:]
        for (id, publishing) in publishes.sorted(by: { $0.key.number < $1.key.number }) {
            guard publishing.state != .inLine else { continue }
            if publishing.tries < 2 {
                publishes[id]?.state = .inLine
                publishLine.append(id)
            } else {
                publishes[id] = nil
                actions.append(.published(id, .failed(failure)))
            }
        }
        return actions
    }
}
