import NostrCore

extension RelaySession {
    /// How much of what a relay sent lately was worth reading, and whether it is read at present.
    ///
    /// Strangers can put bad events on any relay that does not check them, so only a large share counts against it.
    struct Trust: Hashable {
        private var good = 0
        private var bad = 0
        /// Since when messages are counted together.
        private var since: Duration = .zero
        /// Until when the relay is not read.
        private(set) var distrustedUntil: Duration?
        private var lastDistrust: Duration?
        private var pauses: Backoff
        private let tolerance: PoolSettings.Tolerance

        init(_ tolerance: PoolSettings.Tolerance) {
            self.tolerance = tolerance
            pauses = Backoff(first: tolerance.pause, longest: tolerance.longestPause)
        }

        /// Counts an event that was asked for and is what it claims to be.
        mutating func noteGood(_ now: Moment) {
            beginAnewIfOver(now)
            good += 1
        }

        /// Counts a message that is worth nothing; whether there are too many of them now.
        mutating func noteBad(_ now: Moment) -> Bool {
            beginAnewIfOver(now)
            bad += 1
            return bad > tolerance.fewest && Double(bad) >= tolerance.share * Double(good + bad)
        }

        /// The relay is not read for a while, each time twice as long until it was good for long.
        mutating func distrust(_ now: Moment) -> RelayStatistics.Distrust {
            if let lastDistrust, now.uptime - lastDistrust > tolerance.longestPause { pauses.reset() }
            let pause = pauses.next(jitter: 1)
            distrustedUntil = now.uptime + pause
            return RelayStatistics.Distrust(bad: bad, all: good + bad, pause: pause)
        }

        /// The relay gets another try.
        mutating func trust(_ now: Moment) {
            lastDistrust = now.uptime
            distrustedUntil = nil
            (good, bad, since) = (0, 0, now.uptime)
        }

        private mutating func beginAnewIfOver(_ now: Moment) {
            if now.uptime - since >= tolerance.span { (good, bad, since) = (0, 0, now.uptime) }
        }
    }

    /// Whether nothing is read here for now; what is written goes out all the same.
    var isDistrusted: Bool { trust.distrustedUntil != nil }

    /// An event nobody asked for.
    mutating func didReceiveUnasked(_ now: Moment) -> [SessionAction] {
        statistics.unasked += 1
        return didReceiveBad(now)
    }

    /// An event failed its check.
    mutating func didReceiveForged(now: Moment) -> [SessionAction] {
        noteSign(now)
        statistics.forged += 1
        return didReceiveBad(now)
    }

    /// A frame is no message of the protocol; it may hold an event that a stranger made so.
    mutating func didReceiveUnreadable(now: Moment) -> [SessionAction] {
        noteSign(now)
        statistics.unreadable += 1
        return didReceiveBad(now)
    }

    private mutating func didReceiveBad(_ now: Moment) -> [SessionAction] {
        guard trust.noteBad(now) else { return [] }
        // Nothing is asked of it any more, and still it comes.
        if isDistrusted { return close() }
        let distrust = trust.distrust(now)
        statistics.distrusted = distrust
        var actions: [SessionAction] = []
        for id in reading.queries.keys.sorted(by: { $0.number < $1.number }) {
            actions += suspend(id, .notAsked(.distrusted(distrust)), now)
        }
        return actions + close()
    }

    /// Ends a question; a standing one waits until the relay is read again.
    private mutating func suspend(_ id: QueryID, _ ending: RelayEnding, _ now: Moment) -> [SessionAction] {
        guard let query = reading.queries[id], query.mode == .standing else { return end(id, ending) }
        if query.isLive { reading.queries[id]?.completeUntil = now.wall }
        let closes = query.asks.sorted { $0.text < $1.text }.flatMap { retire($0) }
        return closes + interrupt(id, ending)
    }

    /// The relay is read again once its time is over.
    mutating func trustAgain(_ now: Moment) {
        guard let until = trust.distrustedUntil, until <= now.uptime else { return }
        trust.trust(now)
        statistics.distrusted = nil
        guard case .connected = link else { return }
        for id in reading.queries.keys.sorted(by: { $0.number < $1.number }) { enqueueAsks(of: id) }
    }
}
