import NostrCore

extension RelaySession {
    // MARK: Events

    /// A checked event came for a subscription.
    ///
    /// - Parameter known: whether the pool had it before, from any relay.
    mutating func didReceive(
        _ event: Event, for subscription: SubscriptionID, known: Bool, now: Moment
    ) -> [SessionAction] {
        noteSign(now)
        guard case .open(let since)? = reading.asks[subscription]?.state, let query = reading.asks[subscription]?.query
        else {
            // What was under way when we closed is nobody's fault.
            return reading.retired.contains(subscription) ? [] : didReceiveUnasked(now)
        }
        let isFirst = reading.asks[subscription]?.isAnswered == false
        // Where it stands: a copy would take along all that came before, for every event anew.
        guard reading.asks[subscription]?.didReceive(event) == true else { return didReceiveUnasked(now) }
        if isFirst { noteLatency(now.uptime - since) }
        trust.noteGood(now)
        if known { statistics.duplicates += 1 }
        if conduct.seen.insert(event.id) { statistics.events += 1 } else if !known { statistics.duplicates += 1 }
        return [.deliver(query, event)]
    }

    private mutating func noteLatency(_ latency: Duration) {
        conduct.latencies.append(latency)
        if conduct.latencies.count > 64 { conduct.latencies.removeFirst() }
        let sorted = conduct.latencies.sorted()
        statistics.latency = sorted[sorted.count / 2]
    }

    // MARK: Messages

    /// A message other than EVENT came.
    mutating func didReceive(_ message: RelayMessage, now: Moment) -> [SessionAction] {
        noteSign(now)
        switch message {
        case .event: return []
        case .ok(let id, let accepted, let reason): return didReceiveOK(id, accepted, reason, now)
        case .eose(let id): return didReceiveEnd(id, now)
        case .closed(let id, let reason): return didReceiveClosed(id, reason, now)
        case .notice(let words):
            statistics.lastProblem = .notice(String(words.prefix(200)))
            return []
        case .auth(let challenge): return didReceiveChallenge(challenge, now)
        case .count(let id, let number, _):
            guard let ask = reading.asks[id], case .count = ask.purpose, ask.isOpen else { return [] }
            _ = retire(id)
            reading.queries[ask.query] = nil
            return [.counted(ask.query, number)] + proceed(now)
        }
    }

    private mutating func didReceiveEnd(_ id: SubscriptionID, _ now: Moment) -> [SessionAction] {
        guard var ask = reading.asks[id], case .open(let since) = ask.state, !ask.hasEnded else { return [] }
        ask.hasEnded = true
        if !ask.isAnswered { noteLatency(now.uptime - since) }
        ask.isAnswered = true
        reading.asks[id] = ask
        switch ask.purpose {
        case .page(var page):
            let more = page.didEnd(relayLimit: limits.limit)
            if page.isUntilExclusive { conduct.isUntilExclusive = true }
            let close = retire(id)
            if more { enqueue(.page(page), of: ask.query, first: true) }
            return close + settle(ask.query, now) + proceed(now)
        case .live:
            reading.asks[id]?.refusals = 0
            for page in cutOff(ask) { enqueue(.page(page), of: ask.query) }
            return settle(ask.query, now) + proceed(now)
        case .count: return []
        }
    }

    /// What a standing REQ without limits has not brought because the relay cut its answer.
    private func cutOff(_ ask: Ask) -> [PagedFilter] {
        zip(ask.sent, ask.stored).compactMap { filter, stored in
            guard filter.limit == nil, filter.search == nil, let oldest = stored.oldest,
                stored.count >= limits.limit ?? 100
            else { return nil }
            return PagedFilter(
                filter, pageSize: settings.requests.pageSize, reached: oldest, seen: stored.ids,
                isUntilExclusive: conduct.isUntilExclusive)
        }
    }

    private mutating func didReceiveClosed(_ id: SubscriptionID, _ reason: Reason, _ now: Moment) -> [SessionAction] {
        guard var ask = reading.asks[id], ask.isOpen else { return [] }
        statistics.lastProblem = .closed(Reason(reason.prefix, String(reason.text.prefix(200))))
        ask.refusals += 1
        if reason.prefix == .authRequired, authentication.mayHelp(consent) {
            ask.state = .needsAuthentication(since: now.uptime)
            reading.asks[id] = ask
            return authenticate(now) + proceed(now)
        }
        // A relay that is only busy is asked again, each time later, a few times; then its answer stands.
        let isBusy = reason.prefix == .rateLimited || reason.prefix == .error
        let rest: Duration? =
            if ask.isLive { ask.refusals <= 4 ? .seconds(isBusy ? 15 : 60) * (1 << ask.refusals) : nil } else {
                isBusy && ask.refusals <= 3 ? .seconds(1 << ask.refusals) : nil
            }
        if ask.isLive, reason.prefix == .authRequired, consent == .never {
            ask.state = .awaitsConsent(until: rest.map { now.uptime + $0 })
            reading.asks[id] = ask
            return interrupt(ask.query, .closed(reason)) + proceed(now)
        }
        if let rest, reading.queries[ask.query]?.mode.deadline.map({ now.uptime + rest < $0 }) ?? true {
            ask.state = .resting(until: now.uptime + rest)
            reading.asks[id] = ask
            return (ask.isLive ? interrupt(ask.query, .closed(reason)) : []) + proceed(now)
        }
        reading.asks[id]?.state = .inLine
        _ = retire(id)
        reading.queries[ask.query]?.ending = .closed(reason)
        if ask.isLive { return interrupt(ask.query, .closed(reason)) + proceed(now) }
        return settle(ask.query, now) + proceed(now)
    }

    /// Sees whether a query has all it waits for.
    private mutating func settle(_ id: QueryID, _ now: Moment) -> [SessionAction] {
        guard let query = reading.queries[id] else { return [] }
        switch query.mode {
        case .once, .count:
            return query.asks.isEmpty ? end(id, query.ending ?? .complete) : []
        case .standing:
            let waits = query.asks.contains {
                reading.asks[$0].map { !($0.isLive && $0.hasEnded && $0.isOpen) } ?? false
            }
            guard !waits, !query.asks.isEmpty, !query.isLive else { return [] }
            reading.queries[id]?.isLive = true
            reading.queries[id]?.isInterrupted = false
            return [.live(id)]
        }
    }

    /// Ends an ask that authentication cannot save.
    mutating func refuse(_ id: SubscriptionID, _ ending: RelayEnding, _ now: Moment) -> [SessionAction] {
        guard let ask = reading.asks[id] else { return [] }
        _ = retire(id)
        reading.queries[ask.query]?.ending = ending
        return ask.isLive ? interrupt(ask.query, ending) : settle(ask.query, now)
    }
}
