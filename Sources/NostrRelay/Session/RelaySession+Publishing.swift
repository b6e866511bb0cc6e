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
            inFlight += 1
            actions.append(.send(.event(publishing.event.unverified)))
        }
        return actions
    }

    mutating func didReceiveOK(_ event: EventID, _ accepted: Bool, _ reason: Reason, _ now: Moment) -> [SessionAction] {
        if case .sent(event, _) = authentication { return didAuthenticate(accepted, reason, now) }
        var actions: [SessionAction] = []
        let asked = publishes.lazy.filter { $0.value.state == .sent && $0.value.event.id == event }
        for (id, publishing) in asked.sorted(by: { $0.key.number < $1.key.number }) {
            if !accepted, reason.prefix == .authRequired, publishing.tries < 2, authentication.mayHelp(consent) {
                publishes[id]?.state = .needsAuthentication(since: now.uptime)
                actions += authenticate(now)
                continue
            }
            publishes[id] = nil
            let isThere = accepted || reason.prefix == .duplicate
            actions.append(.published(id, isThere ? .accepted(reason) : .rejected(reason)))
        }
        return actions + proceed(now)
    }

    mutating func expirePublishes(_ now: Moment) -> [SessionAction] {
        let due = publishes.filter { $0.value.deadline <= now.uptime }.keys.sorted { $0.number < $1.number }
        for id in due { publishes[id] = nil }
        publishLine.removeAll { publishes[$0] == nil }
        return due.map { .published($0, .timedOut) }
    }

    /// The connection broke: what was sent may be offered once more, because a relay keeps an event only once.
    mutating func dropPublishes(_ failure: TransportFailure) -> [SessionAction] {
        var actions: [SessionAction] = []
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
