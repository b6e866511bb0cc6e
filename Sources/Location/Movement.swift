internal import NostrCore

/// Whether somebody moves or rests, told from positions alone.
///
/// Somebody rests who stays for five minutes where one position was: nearer than the circles of both positions can tell
/// apart, at least 30 m. Somebody moves whose positions have been elsewhere for 30 s. Every position is weighed against
/// the place of rest anew, so no missed signal can leave somebody resting for ever; a motion sensor, where there is
/// one, only makes the next position come sooner.
struct Movement: Hashable, Sendable {
    enum State: String, Hashable, Sendable, Codable { case unknown, still, moving }

    /// Positions elsewhere for so long mean that somebody moves.
    static let confirmation: Duration = .seconds(30)
    /// Positions in one place for so long mean that somebody rests; longer where they are bad.
    static let rest: Duration = .seconds(300)
    private static let longestRest: Duration = .seconds(3600)
    private static let nearest = 30.0

    private(set) var state = State.unknown
    /// The best position of the place where somebody rests, or was last seen to come by.
    private(set) var anchor: Fix?
    /// Since when the positions are near the anchor.
    private var since: Timestamp?
    /// Since when the positions are elsewhere.
    private var awaySince: Timestamp?

    /// Whether one more position soon would decide something.
    var isConfirming: Bool { awaySince != nil }

    /// Whether somebody rests; `nil` while that is not known.
    var isStill: Bool? { state == .unknown ? nil : state == .still }

    /// Weighs a position, not older than the one before.
    mutating func record(_ fix: Fix) {
        guard let anchor, let since else { return settle(at: fix) }
        let doubt = anchor.accuracy + fix.accuracy
        guard anchor.place.distance(to: fix.place) > max(Self.nearest, doubt) else {
            awaySince = nil
            if fix.moment >= since + min(max(Self.rest, .seconds(doubt)), Self.longestRest) { state = .still }
            // A bad first position would hide every later step; one twice as good takes its place.
            if fix.accuracy < anchor.accuracy / 2 { self.anchor = fix }
            return
        }
        if state == .moving { return settle(at: fix) }
        guard let awaySince else { return self.awaySince = fix.moment }
        if fix.moment >= awaySince + Self.confirmation {
            state = .moving
            settle(at: fix)
        }
    }

    private mutating func settle(at fix: Fix) {
        anchor = fix
        since = fix.moment
        awaySince = nil
    }

    /// After the clock was put back, nothing has happened later than now.
    mutating func heal(now: Timestamp) {
        since = since.map { min($0, now) }
        awaySince = awaySince.map { min($0, now) }
    }
}

extension Movement: Codable {
    private enum CodingKeys: String, CodingKey { case state, anchor, since, awaySince }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        state = try values.decode(State.self, forKey: .state)
        anchor = try values.decodeIfPresent(Fix.self, forKey: .anchor)
        since = try values.momentIfPresent(.since)
        awaySince = try values.momentIfPresent(.awaySince)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(state, forKey: .state)
        try values.encodeIfPresent(anchor, forKey: .anchor)
        try values.encodeIfPresent(since, .since)
        try values.encodeIfPresent(awaySince, .awaySince)
    }
}
