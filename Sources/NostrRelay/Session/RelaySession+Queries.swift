import NostrCore

extension RelaySession {
    /// One query, its filters split to what a relay bears.
    struct Query: Hashable {
        var filters: [Filter]
        var mode: QueryMode
        /// Pages not asked yet, for when there is a connection.
        var pages: [PagedFilter]
        /// Its asks, in line or open.
        var asks: Set<SubscriptionID> = []
        /// How the relay ended a part of it.
        var ending: RelayEnding?
        /// How often the connection broke under it.
        var breaks = 0
        /// Whether a standing query has had its stored events.
        var isLive = false
        /// Until when a standing query had everything.
        var completeUntil: Timestamp?
        /// Whether its reader was told that nothing comes for now.
        var isInterrupted = false
    }

    /// One REQ or COUNT.
    struct Ask: Hashable {
        enum Purpose: Hashable {
            case page(PagedFilter)
            case live([Filter])
            case count([Filter])
        }
        enum State: Hashable {
            case inLine
            case open(since: Duration)
            case needsAuthentication(since: Duration)
            case resting(until: Duration)
            /// The relay may not learn who reads; asked again then, if ever, or as soon as it may.
            case awaitsConsent(until: Duration?)
        }

        let query: QueryID
        var purpose: Purpose
        var state = State.inLine
        /// What went over the wire.
        var sent: [Filter] = []
        /// How often the relay put it off.
        var refusals = 0
        var isAnswered = false
        var hasEnded = false
        /// Of a live ask: how much each filter brought before EOSE, to see where the relay cut it.
        var stored: [Stored] = []

        var isLive: Bool { if case .live = purpose { true } else { false } }
        var wakes: Duration? {
            switch state {
            case .resting(let until): until
            case .awaitsConsent(let until): until
            case .inLine, .open, .needsAuthentication: nil
            }
        }
        var isOpen: Bool { if case .open = state { true } else { false } }
    }

    struct Stored: Hashable {
        var count = 0
        var oldest: Timestamp?
        var ids: Set<EventID> = []

        mutating func note(_ event: Event) {
            count += 1
            if let oldest, event.createdAt > oldest { return }
            if oldest != event.createdAt { ids = [] }
            oldest = event.createdAt
            ids.insert(event.id)
        }
    }

    // MARK: Opening and closing

    /// Takes a query in.
    mutating func open(_ id: QueryID, _ filters: [Filter], _ mode: QueryMode, now: Moment) -> [SessionAction] {
        if let refusal, isBlocked || mode != .standing { return [Self.over(id, mode, .notAsked(refusal))] }
        if let deadline = mode.deadline, link == .idle, let retryAt = retry.at, retryAt >= deadline {
            return [Self.over(id, mode, .notAsked(.failedBefore(retry.lastFailure ?? .timedOut)))]
        }
        let split = filters.flatMap {
            $0.split(values: settings.requests.valuesPerFilter, bytes: limits.messageBytes - 256)
        }
        if split.isEmpty { return mode == .standing ? cancel(id, now: now) : [Self.over(id, mode, .complete)] }
        var pages: [PagedFilter] = []
        if case .once = mode {
            pages = split.map {
                PagedFilter($0, pageSize: settings.requests.pageSize, isUntilExclusive: conduct.isUntilExclusive)
            }
        }
        reading.queries[id] = Query(filters: split, mode: mode, pages: pages)
        if case .connected = link { enqueueAsks(of: id) }
        if let refusal { return interrupt(id, .notAsked(refusal)) + proceed(now) }
        let isWaiting = link == .idle && retry.at.map { now.uptime < $0 } ?? false
        return (isWaiting ? interrupt(id, .failed(retry.lastFailure ?? .timedOut)) : []) + proceed(now)
    }

    /// Replaces the filters of a standing query.
    ///
    /// Only what is new goes over the wire: a REQ of which every filter is still wanted stays open.
    mutating func change(_ id: QueryID, _ filters: [Filter], now: Moment) -> [SessionAction] {
        let split = filters.flatMap {
            $0.split(values: settings.requests.valuesPerFilter, bytes: limits.messageBytes - 256)
        }
        guard let query = reading.queries[id] else { return open(id, filters, .standing, now: now) }
        if query.filters == split { return [] }
        // The new REQ goes out before the old one closes, so that nothing falls between them.
        let old = query.asks.sorted { $0.text < $1.text }
        guard !old.isEmpty, !split.isEmpty, refusal == nil, case .connected = link else {
            let opened = open(id, filters, .standing, now: now)
            // What was complete stays so; whatever is new has a filter with a date of its own.
            reading.queries[id]?.completeUntil = query.completeUntil
            return opened + old.flatMap { retire($0) } + proceed(now)
        }
        let (kept, added) = reusing(old, for: split)
        reading.queries[id]?.filters = split
        if !added.isEmpty { reading.queries[id]?.isLive = false }
        for group in added.grouped(count: settings.requests.filtersPerRequest, bytes: limits.messageBytes - 256) {
            enqueue(.live(group), of: id)
        }
        return proceed(now) + old.filter { !kept.contains($0) }.flatMap { retire($0) } + proceed(now)
    }

    /// Which REQs go on as they are, and which filters need one.
    ///
    /// Each change would leave one more REQ open, and relays bear few. So those that are no larger than what is added go
    /// into it, which keeps their number to the logarithm of the changes, and so how often a filter is sent.
    private func reusing(
        _ asks: [SubscriptionID], for filters: [Filter]
    ) -> (kept: Set<SubscriptionID>, added: [Filter]) {
        let wanted = Set(filters)
        var kept: [(id: SubscriptionID, filters: [Filter], size: Int)] = []
        var pages: Set<SubscriptionID> = []
        for id in asks {
            switch reading.asks[id]?.purpose {
            case .live(let sent) where sent.allSatisfy(wanted.contains):
                kept.append((id, sent, sent.reduce(0) { $0 + $1.estimatedBytes }))
            // The rest of an answer that the relay cut off.
            case .page: pages.insert(id)
            case .live, .count, nil: continue
            }
        }
        let covered = kept.reduce(into: Set<Filter>()) { $0.formUnion($1.filters) }
        var added = filters.filter { !covered.contains($0) }
        guard !added.isEmpty else { return (pages.union(kept.map(\.id)), []) }
        var size = added.reduce(0) { $0 + $1.estimatedBytes }
        for ask in kept.sorted(by: { ($0.size, $0.id.text) < ($1.size, $1.id.text) }) where ask.size <= size {
            added += ask.filters
            size += ask.size
            kept.removeAll { $0.id == ask.id }
        }
        return (pages.union(kept.map(\.id)), added)
    }

    /// Nobody wants the query any more.
    mutating func cancel(_ id: QueryID, now: Moment) -> [SessionAction] {
        guard let query = reading.queries.removeValue(forKey: id) else { return [] }
        return query.asks.sorted { $0.text < $1.text }.flatMap { retire($0) } + proceed(now)
    }

    /// Ends a query by name.
    mutating func end(_ id: QueryID, _ ending: RelayEnding) -> [SessionAction] {
        guard let query = reading.queries.removeValue(forKey: id) else { return [] }
        let closes = query.asks.sorted { $0.text < $1.text }.flatMap { retire($0) }
        return closes + [Self.over(id, query.mode, ending)]
    }

    private static func over(_ id: QueryID, _ mode: QueryMode, _ ending: RelayEnding) -> SessionAction {
        switch mode {
        case .once: .ended(id, ending)
        case .standing: .interrupted(id, ending)
        case .count: .counted(id, nil)
        }
    }

    /// Removes an ask, with a CLOSE if the relay knows it.
    mutating func retire(_ id: SubscriptionID) -> [SessionAction] {
        guard let ask = reading.asks.removeValue(forKey: id) else { return [] }
        reading.queries[ask.query]?.asks.remove(id)
        reading.line.removeAll { $0 == id }
        _ = reading.retired.insert(id)
        guard case .connected = link, ask.isOpen else { return [] }
        if case .count = ask.purpose { return [] }
        return [.send(.close(id))]
    }

    // MARK: Asking

    /// Puts in line what a query needs on a fresh connection.
    mutating func enqueueAsks(of id: QueryID) {
        guard !isDistrusted, let query = reading.queries[id], query.asks.isEmpty else { return }
        switch query.mode {
        case .once:
            reading.queries[id]?.pages = []
            for page in query.pages { enqueue(.page(page), of: id) }
        case .count: enqueue(.count(query.filters), of: id)
        case .standing:
            let filters = query.completeUntil.map { resumed(query.filters, from: $0) } ?? query.filters
            let groups = filters.grouped(count: settings.requests.filtersPerRequest, bytes: limits.messageBytes - 256)
            for group in groups { enqueue(.live(group), of: id) }
        }
    }

    /// The filters with `since` moved forward to what may have been missed.
    ///
    /// A limit would cut off the far end of a long gap, so it goes; paging bounds the answer instead.
    private func resumed(_ filters: [Filter], from moment: Timestamp) -> [Filter] {
        let since = moment - settings.requests.resumeOverlap
        return filters.map { filter in
            filter.with {
                $0.since = max($0.since ?? since, since)
                $0.limit = nil
            }
        }
    }

    mutating func enqueue(_ purpose: Ask.Purpose, of query: QueryID, first: Bool = false) {
        reading.askCount += 1
        guard let id = SubscriptionID("\(reading.askCount)") else { return }
        reading.asks[id] = Ask(query: query, purpose: purpose)
        reading.queries[query]?.asks.insert(id)
        if first { reading.line.insert(id, at: 0) } else { reading.line.append(id) }
    }

    /// Sends what is in line, as far as the relay bears it.
    mutating func sendAsks(_ now: Moment) -> [SessionAction] {
        var actions: [SessionAction] = []
        var open = reading.asks.values.count { $0.isOpen }
        var live = reading.asks.values.count { $0.isOpen && $0.isLive }
        // Standing REQs never end; some subscriptions stay free for the others, or those would wait for ever.
        let mostLive = max(limits.subscriptions - max(1, limits.subscriptions / 4), 1)
        var left: [SubscriptionID] = []
        for id in reading.line {
            guard var ask = reading.asks[id] else { continue }
            guard open < limits.subscriptions, !ask.isLive || live < mostLive else {
                left.append(id)
                if ask.isLive, live >= mostLive { actions += interrupt(ask.query, .notAsked(.tooManySubscriptions)) }
                continue
            }
            actions.append(.send(ask.message(id, relayLimit: limits.limit)))
            ask.state = .open(since: now.uptime)
            reading.asks[id] = ask
            open += 1
            if ask.isLive { live += 1 }
        }
        reading.line = left
        return actions
    }

    /// Tells a reader once that nothing comes for now; that the relay asks who reads is told in any case, as the person
    /// can do something about it.
    mutating func interrupt(_ id: QueryID, _ ending: RelayEnding) -> [SessionAction] {
        guard let query = reading.queries[id], query.mode == .standing,
            !query.isInterrupted || ending.wantsAuthentication
        else { return [] }
        reading.queries[id]?.isInterrupted = true
        reading.queries[id]?.isLive = false
        return [.interrupted(id, ending)]
    }

    // MARK: Time and breaks

    mutating func expireQueries(_ now: Moment) -> [SessionAction] {
        let due = reading.queries.filter { $0.value.mode.deadline.map { $0 <= now.uptime } ?? false }
        return due.keys.sorted { $0.number < $1.number }.flatMap { id in
            end(id, link == .queued ? .notAsked(.noFreeConnection) : .deadline)
        }
    }

    mutating func wakeAsks(_ now: Moment) -> [SessionAction] {
        for (id, ask) in reading.asks {
            if let wakes = ask.wakes, wakes <= now.uptime {
                reading.asks[id]?.state = .inLine
                reading.line.append(id)
            }
        }
        return []
    }

    /// The connection broke: one-shot queries get one more try, standing ones wait for the next connection.
    mutating func dropAsks(_ failure: TransportFailure, _ now: Moment) -> [SessionAction] {
        var actions: [SessionAction] = []
        for id in reading.queries.keys.sorted(by: { $0.number < $1.number }) {
            guard var query = reading.queries[id] else { continue }
            query.breaks += 1
            for case .page(let page) in query.asks.compactMap({ reading.asks[$0]?.purpose })
            where query.mode != .standing {
                query.pages.append(page)
            }
            if query.isLive { query.completeUntil = now.wall }
            query.asks = []
            reading.queries[id] = query
            if query.mode == .standing {
                actions += interrupt(id, .failed(failure))
            } else if query.breaks > 1 || !(retry.at.map { $0 < query.mode.deadline ?? .zero } ?? true) {
                actions += end(id, .failed(failure))
            }
        }
        for id in reading.asks.keys { _ = reading.retired.insert(id) }
        reading.asks = [:]
        reading.line = []
        return actions
    }

    /// No connection came up: whoever can still choose another relay learns it now.
    mutating func endAll(_ failure: TransportFailure, _ now: Moment) -> [SessionAction] {
        var actions: [SessionAction] = []
        for (id, query) in reading.queries.sorted(by: { $0.key.number < $1.key.number }) {
            actions += query.mode == .standing ? interrupt(id, .failed(failure)) : end(id, .failed(failure))
        }
        return actions + endPublishes(.failed(failure))
    }
}

extension RelaySession.Ask {
    /// Notes an event that came for this; `false` when it is none that was asked for.
    mutating func didReceive(_ event: Event) -> Bool {
        let matching = sent.indices.filter { sent[$0].matches(event) }
        guard !matching.isEmpty else { return false }
        switch purpose {
        case .page(var page):
            // Taken out meanwhile, so that it is changed in place.
            purpose = .count([])
            let isWanted = page.didReceive(event)
            purpose = .page(page)
            guard isWanted else { return false }
        case .live:
            if !hasEnded { for index in matching where stored.indices.contains(index) { stored[index].note(event) } }
        case .count: return false
        }
        isAnswered = true
        return true
    }

    /// The frame, with the filters as they are remembered for judging the answer.
    mutating func message(_ id: SubscriptionID, relayLimit: Int?) -> ClientMessage {
        hasEnded = false
        isAnswered = false
        switch purpose {
        case .page(var page):
            sent = [page.nextPage(relayLimit: relayLimit)]
            purpose = .page(page)
        case .live(let filters):
            sent = filters
            stored = filters.map { _ in RelaySession.Stored() }
        case .count(let filters):
            sent = filters
            return .count(id, filters)
        }
        return .req(id, sent)
    }
}
