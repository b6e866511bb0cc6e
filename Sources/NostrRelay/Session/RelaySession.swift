import NostrCore

/// Everything that is decided about one relay: when to connect, what to ask, what to believe, when to give up.
///
/// A value without socket or clock: each input returns the actions to take, and ``nextDeadline`` says when
/// ``tick(now:)`` is due. It outlives connections; queries wait here while there is none.
/// Each sort of input (the connection, questions, publishing, authentication …) has a file: all change the same state.
struct RelaySession {
    /// How the connection stands.
    enum Link: Hashable {
        /// None, and none wanted.
        case idle
        /// Asked for; maybe other relays' sockets must close first.
        case queued
        /// Coming up.
        case connecting
        /// Up since then.
        case connected(since: Duration)
        /// Being closed by us.
        case closing
    }

    /// Whether the relay may be contacted.
    enum Contact: Hashable {
        case allowed
        /// The person forbids it.
        case blocked
        /// The pool has ended.
        case over
    }

    /// When to try again after a failure.
    struct Retry {
        var backoff: Backoff
        /// Not before then.
        var at: Duration?
        var lastFailure: TransportFailure?
    }

    /// When the connection was used.
    struct Activity {
        /// When the relay was last heard, or an unanswered ping went out.
        var lastSign: Duration = .zero
        var idleSince: Duration?
        /// Challenges signed since it connected.
        var signatures = 0
    }

    /// What is read here: each query is one or more asks, a REQ or COUNT each.
    struct Reading {
        var queries: [QueryID: Query] = [:]
        var asks: [SubscriptionID: Ask] = [:]
        /// Asks waiting for a free subscription, first come first served.
        var line: [SubscriptionID] = []
        var retired = RecentSet<SubscriptionID>(capacity: 256)
        var askCount = 0
    }

    /// What is offered here.
    struct Writing {
        var publishes: [PublishID: Publishing] = [:]
        var line: [PublishID] = []
        /// What was sent and not answered, by its event: an answer names nothing else, and hundreds may be under way.
        var sent: [EventID: [PublishID]] = [:]
        /// No deadline of ``publishes`` is earlier; it may be the one of an event that is done with.
        var deadline: Duration?
    }

    /// What was observed of the relay's answers.
    struct Conduct {
        var seen: RecentSet<EventID>
        var latencies: [Duration] = []
        /// Whether the relay was seen to leave out the second of `until`.
        var isUntilExclusive = false
    }

    let relay: RelayURL
    let settings: PoolSettings
    /// 0..<1, for the jitter of waits.
    let random: @Sendable () -> Double
    /// Whether the relay may learn who we are.
    var consent = AuthenticationConsent.never
    var authentication = Authentication.unasked
    var contact = Contact.allowed

    var link = Link.idle
    var limits = StatedLimits()
    var retry: Retry
    var activity = Activity()
    var reading = Reading()
    var writing = Writing()
    var conduct: Conduct
    var trust: Trust
    var statistics = RelayStatistics()

    init(relay: RelayURL, settings: PoolSettings, random: @escaping @Sendable () -> Double) {
        self.relay = relay
        self.settings = settings
        self.random = random
        retry = Retry(backoff: Backoff(first: settings.retries.first, longest: settings.retries.longest))
        conduct = Conduct(seen: RecentSet(capacity: min(settings.memory.events, 4096)))
        trust = Trust(settings.tolerance)
    }

    /// Why nothing is asked of this relay, if so.
    var refusal: NotAsked? {
        switch contact {
        case .blocked: .blocked
        case .over: .shuttingDown
        case .allowed: statistics.distrusted.map { .distrusted($0) }
        }
    }

    /// Whether nothing at all goes to this relay.
    var isBlocked: Bool { contact != .allowed }

    /// Whether a standing query needs the socket.
    var isStanding: Bool { !isDistrusted && reading.queries.values.contains { $0.mode == .standing } }

    /// Whether anybody needs the socket.
    var isWanted: Bool { !isDistrusted && !reading.queries.isEmpty || !writing.publishes.isEmpty }

    // MARK: Connection

    /// The driver has a permit; whether it should connect still.
    mutating func startConnecting() -> Bool {
        guard link == .queued, isWanted, !isBlocked else {
            link = .idle
            return false
        }
        link = .connecting
        statistics.state = .connecting
        return true
    }

    /// The socket is open.
    mutating func didConnect(now: Moment) -> [SessionAction] {
        link = .connected(since: now.uptime)
        statistics.state = .connected
        statistics.connects += 1
        statistics.awaitsPermission = false
        retry.at = nil
        activity.lastSign = now.uptime
        activity.signatures = 0
        authentication = .unasked
        if isBlocked { return close() }
        for id in reading.queries.keys.sorted(by: { $0.number < $1.number }) { enqueueAsks(of: id) }
        return proceed(now)
    }

    /// No socket could be opened.
    mutating func didFailToConnect(_ failure: TransportFailure, now: Moment) -> [SessionAction] {
        guard failure != .blocked else {
            // No failure of the relay's: when it is allowed again there is nothing to wait for.
            link = .idle
            if contact == .allowed { statistics.state = .idle }
            return proceed(now)
        }
        noteFailure(failure, now)
        return endAll(failure, now) + proceed(now)
    }

    /// The socket closed; `nil` when we wanted that.
    mutating func didDisconnect(_ failure: TransportFailure?, now: Moment) -> [SessionAction] {
        let byUs = link == .closing
        if case .connected(let since) = link, now.uptime - since >= settings.retries.stableAfter {
            retry.backoff.reset()
        }
        link = .idle
        statistics.state = .idle
        authentication = .unasked
        let why = failure ?? .closed(code: nil)
        if !byUs { noteFailure(why, now) }
        return dropAsks(why, now) + dropPublishes(why) + proceed(now)
    }

    private mutating func noteFailure(_ failure: TransportFailure, _ now: Moment) {
        link = .idle
        statistics.failures += 1
        statistics.lastProblem = .failure(failure)
        statistics.awaitsPermission = failure == .privateAddress
        retry.lastFailure = failure
        let wasUsed = statistics.connects > 0 || statistics.isExpected
        let isRefusal = failure.isRefusal(afterUse: wasUsed)
        let least = isRefusal ? settings.retries.afterRefusal : .zero
        let longest = wasUsed && !isRefusal ? settings.retries.longestAfterUse : settings.retries.longest
        let wait = min(retry.backoff.next(atLeast: least, jitter: random()), longest)
        retry.at = now.uptime + wait
        statistics.state = contact == .blocked ? .blocked : .waiting(retryAfter: wait)
    }

    /// What the relay says it bears.
    mutating func learn(_ limits: StatedLimits, now: Moment) -> [SessionAction] {
        self.limits = limits
        statistics.restrictsWrites = limits.restrictsWrites
        if statistics.authenticates != true { statistics.authenticates = limits.authenticates }
        return proceed(now)
    }

    /// Contact is forbidden, or allowed again.
    mutating func block(_ blocked: Bool, now: Moment) -> [SessionAction] {
        guard contact != .over, blocked != isBlocked else { return [] }
        contact = blocked ? .blocked : .allowed
        statistics.state = blocked ? .blocked : .idle
        return blocked ? refuseAll(.notAsked(.blocked), .blocked) : proceed(now)
    }

    /// What stood in the way of contact is gone: nothing waits for the next try, and earlier failures count no more.
    mutating func retryNow(now: Moment) -> [SessionAction] {
        retry.at = nil
        retry.backoff.reset()
        if statistics.awaitsPermission { statistics.lastProblem = nil }
        statistics.awaitsPermission = false
        if case .waiting = statistics.state { statistics.state = .idle }
        return proceed(now)
    }

    /// The relay was read at an earlier start, or is not expected any more.
    mutating func expect(_ expected: Bool) { statistics.isExpected = expected }

    /// Ends everything, because the pool ends.
    mutating func shutDown() -> [SessionAction] {
        contact = .over
        return refuseAll(.failed(.closed(code: nil)), .shuttingDown)
    }

    private mutating func refuseAll(_ ending: RelayEnding, _ outcome: PublishOutcome) -> [SessionAction] {
        var actions: [SessionAction] = []
        for id in reading.queries.keys.sorted(by: { $0.number < $1.number }) { actions += end(id, ending) }
        actions += endPublishes(outcome)
        return actions + close()
    }

    /// Closes the socket if there is one.
    mutating func close() -> [SessionAction] {
        guard case .connected = link else { return [] }
        link = .closing
        return [.disconnect]
    }

    /// Closes the socket if nobody needs it, because another relay waits for a permit.
    mutating func closeIfIdle() -> [SessionAction] {
        isWanted ? [] : close()
    }

    // MARK: Time

    /// Something came from the relay.
    mutating func noteSign(_ now: Moment) {
        activity.lastSign = now.uptime
    }

    /// A pong came.
    mutating func didPong(now: Moment) {
        noteSign(now)
    }

    /// When ``tick(now:)`` is due next, in ``Moment/uptime``.
    var nextDeadline: Duration? {
        var deadlines = reading.queries.values.compactMap(\.mode.deadline)
        if let until = trust.distrustedUntil { deadlines.append(until) }
        if let deadline = writing.deadline { deadlines.append(deadline) }
        deadlines += reading.asks.values.compactMap(\.wakes)
        if authentication == .unasked {
            deadlines += reading.asks.values.compactMap(\.needsAuthentication).map {
                $0 + settings.requests.authenticationWait
            }
        }
        if case .connected = link {
            deadlines.append(activity.lastSign + settings.connections.pingInterval)
            if let idleSince = activity.idleSince { deadlines.append(idleSince + settings.connections.idleClose) }
            if let due = authentication.due(after: settings.requests.authenticationWait) { deadlines.append(due) }
        } else if link == .idle, isWanted, let retryAt = retry.at {
            deadlines.append(retryAt)
        }
        return deadlines.min()
    }

    /// Does what time has made due.
    mutating func tick(now: Moment) -> [SessionAction] {
        trustAgain(now)
        var actions = expireQueries(now) + expirePublishes(now)
        guard case .connected = link else { return actions + proceed(now) }
        actions += wakeAsks(now) + expireAuthentication(now)
        if !isWanted, let idleSince = activity.idleSince, now.uptime >= idleSince + settings.connections.idleClose {
            return actions + close()
        }
        if now.uptime >= activity.lastSign + settings.connections.pingInterval {
            activity.lastSign = now.uptime
            actions.append(.ping)
        }
        return actions + proceed(now)
    }

    /// Takes the next steps that are possible: connect, ask, publish.
    mutating func proceed(_ now: Moment) -> [SessionAction] {
        if isWanted { activity.idleSince = nil } else if activity.idleSince == nil { activity.idleSince = now.uptime }
        switch link {
        case .idle:
            guard isWanted, !isBlocked, retry.at.map({ now.uptime >= $0 }) ?? true else { return [] }
            link = .queued
            return [.connect]
        case .connected: return sendAsks(now) + sendPublishes(now)
        case .queued, .connecting, .closing: return []
        }
    }
}

extension TransportFailure {
    /// Whether trying again soon is pointless.
    ///
    /// A relay that was used is away for a while: a machine without a network finds no name, and what stands before a
    /// relay that restarts answers with 502 or 503.
    func isRefusal(afterUse wasUsed: Bool) -> Bool {
        switch self {
        case .privateAddress, .blocked, .certificate: true
        case .nameNotFound: !wasUsed
        case .handshake(let status): !(wasUsed && (500...599).contains(status))
        case .refused, .unreachable, .timedOut, .closed, .frameTooLong, .io: false
        }
    }
}
