public import NostrCore
public import NostrRelay
internal import NostrStore

/// How much a relay can be counted on, judged from what the pool remembers of it.
///
/// A relay that never answered is set aside, at first for seconds and in the end for ten minutes, then tried again: dead
/// entries make up a third of real relay lists, and they must not use up the connections that living relays could have;
/// but at a first start whatever is down for a moment has never answered. A relay that was connected and
/// is lost is away: for some hours its place is kept, as the pool tries it again and again, and what came there
/// meanwhile is fetched when it is back.
///
/// How relays behaved is kept over restarts (`RelayTrack`): until a relay is connected that weighs as much as eight
/// attempts, and it makes none rest before it was tried again. Only one that refused to be read is left alone for as
/// long as before.
public struct RelayHealth: Hashable, Sendable {
    /// How long a relay that failed is left out of plans.
    public static let rest: Duration = .seconds(600)

    /// How long it is left out before that, the first times in a row that it could not be reached.
    public static let firstRests: [Duration] = [.seconds(5), .seconds(15), .seconds(60), .seconds(240)]

    /// How long a relay that asked for a pause, or was lost, is asked nothing more.
    public static let shortRest: Duration = .seconds(30)

    /// For how long the place of a relay that was lost is kept.
    public static let longestAbsence: Duration = .seconds(6 * 3600)

    private struct Rest: Hashable, Sendable {
        var until: Timestamp
        var failures: Int
        /// How often in a row it rested.
        var times = 1
    }

    private var statistics: [RelayURL: RelayStatistics] = [:]
    private var resting: [RelayURL: Rest] = [:]
    private var unreadable: [RelayURL: Timestamp] = [:]
    private var late: [RelayURL: Int] = [:]
    /// How many questions in a row failed for want of a connection.
    private var unreached: [RelayURL: Int] = [:]
    /// Since when relays are lost.
    private var lost: [RelayURL: Timestamp] = [:]
    /// What is kept over restarts.
    private var track = RelayTrack()

    /// Nothing known yet.
    public init() {}

    /// Takes a new look at the pool.
    public mutating func observe(_ new: [RelayURL: RelayStatistics], now: Timestamp) {
        let isOnline = new.values.contains { $0.state == .connected }
        track.observe(new, after: statistics, isOnline: isOnline, now: now)
        for (relay, figures) in new where figures.state == .connected || figures.connects > figures.failures {
            resting[relay] = nil
        }
        for (relay, figures) in new where figures.connects > 0 || figures.isExpected {
            if case .waiting = figures.state { lost[relay] = lost[relay] ?? now } else { lost[relay] = nil }
        }
        for (relay, figures) in new where figures.connects == 0 && figures.failures > 0 && !figures.isExpected {
            let failures = resting[relay]?.failures ?? 0
            guard figures.failures > failures, resting[relay].map({ $0.until <= now }) ?? true else { continue }
            let times = (resting[relay]?.times ?? track.restsBefore(relay)) + 1
            if isOnline { track.rests(relay, inARow: times, now: now) }
            resting[relay] = Rest(until: now + Self.rest(time: times), failures: figures.failures, times: times)
        }
        statistics = new
    }

    /// Learns from how a question ended: a relay that refuses to be read, or is late twice in a row, rests too.
    public mutating func questionEnded(_ ending: RelayEnding, at relay: RelayURL, now: Timestamp) {
        switch ending {
        case .complete:
            late[relay] = nil
            unreadable[relay] = nil
            unreached[relay] = nil
            track.answered(relay)
        case .deadline:
            late[relay, default: 0] += 1
            if late[relay, default: 0] >= 2 { unreadable[relay] = now + Self.rest }
        case .closed(let reason) where reason.prefix == .rateLimited || reason.prefix == .error:
            unreadable[relay] = now + Self.shortRest
        case .failed:
            // Questions that fail together are one failure.
            if unreadable[relay].map({ $0 <= now }) ?? true { unreached[relay, default: track.restsBefore(relay)] += 1 }
            unreadable[relay] = now + restAfterFailure(of: relay)
        case .closed, .unauthenticated:
            unreadable[relay] = now + Self.rest
            if !ending.wantsAuthentication { track.refuses(relay, until: now + Self.rest, now: now) }
        case .notAsked:
            // Mostly for want of a free connection, which says nothing about the relay; unless it is in back-off.
            if case .waiting = statistics[relay]?.state { unreadable[relay] = now + restAfterFailure(of: relay) }
        }
    }

    private func restAfterFailure(of relay: RelayURL) -> Duration {
        statistics[relay].map { $0.connects > 0 || $0.isExpected } ?? false
            ? Self.shortRest : Self.rest(time: unreached[relay] ?? 1)
    }

    /// How long a relay that never answered rests, the first, second … time in a row.
    private static func rest(time: Int) -> Duration {
        firstRests.indices.contains(time - 1) ? firstRests[time - 1] : rest
    }

    /// How long until the first relay that rests is to be tried again; `nil` when none rests.
    func untilNextTry(now: Timestamp) -> Duration? {
        let ends = resting.values.map(\.until) + unreadable.values
        return ends.filter { $0 > now }.min().map { .seconds($0.seconds - now.seconds) }
    }

    /// A relay answers again.
    public mutating func cameBack(_ relay: RelayURL) {
        resting[relay] = nil
        unreadable[relay] = nil
        unreached[relay] = nil
        lost[relay] = nil
        track.answered(relay)
    }

    /// Whether a relay was connected, is lost, and is likely to come back.
    public func isAway(_ relay: RelayURL, now: Timestamp) -> Bool {
        guard let since = lost[relay], statistics[relay]?.distrusted == nil else { return false }
        return since + Self.longestAbsence > now && statistics[relay]?.state != .blocked
    }

    /// The relays that are away, in the order of their addresses.
    public func away(now: Timestamp) -> [RelayURL] { lost.keys.filter { isAway($0, now: now) }.sorted() }

    /// Whether asking a relay is of no use for now, though it may well take events.
    public func isUnreadable(_ relay: RelayURL, now: Timestamp) -> Bool {
        isDown(relay, now: now) || statistics[relay]?.distrusted != nil || unreadable[relay].map { $0 > now } ?? false
    }

    /// Whether a relay should be left out of plans for now.
    public func isDown(_ relay: RelayURL, now: Timestamp) -> Bool {
        if statistics[relay]?.state == .blocked { return true }
        guard let rest = resting[relay] else { return false }
        return rest.until > now
    }

    /// How much to prefer a relay: 1 for an unknown one, more for one that is connected, less for one that fails,
    /// is slow or sends what nobody asked for; between 0.05 and 1.5.
    public func preference(for relay: RelayURL) -> Double {
        // Of one that is connected it does not count how often it failed at earlier starts.
        let before = isConnected(relay) ? nil : track.earlier[relay]
        guard statistics[relay] != nil || before != nil else { return 1 }
        let figures = statistics[relay] ?? RelayStatistics()
        var score = isUp(figures) ? 1.25 : 1
        let connects = Double(figures.connects) + (before?.connects ?? 0)
        let tries = connects + Double(figures.failures) + (before?.failures ?? 0)
        if tries > 0 { score *= (connects + 1) / (tries + 1) }
        if let latency = figures.latency ?? before?.latency, latency > .seconds(2) { score *= 0.7 }
        if figures.unasked > 0 { score *= 0.5 }
        if late[relay] != nil { score *= 0.5 }
        return min(max(score, 0.05), 1.5)
    }

    /// Whether there is a connection to a relay.
    public func isConnected(_ relay: RelayURL) -> Bool {
        statistics[relay].map(isUp) ?? false
    }

    /// What the pool said last of a relay.
    public func statistics(of relay: RelayURL) -> RelayStatistics? { statistics[relay] }

    private func isUp(_ figures: RelayStatistics) -> Bool { figures.state == .connected }
}

// MARK: - Over restarts

extension RelayHealth {
    /// Takes over what was kept at earlier starts; what cannot be read is as unknown.
    mutating func restore(_ records: [Record], now: Timestamp) {
        track = RelayTrack(records: records, now: now)
        for (relay, figures) in track.earlier {
            guard let until = figures.refusedUntil, until > now else { continue }
            unreadable[relay] = min(until, now + Self.rest)
        }
    }

    /// What of it is to be written now; empties the list of it.
    mutating func changes(now: Timestamp, isLast: Bool) -> [RecordChange] { track.changes(now: now, isLast: isLast) }
}
