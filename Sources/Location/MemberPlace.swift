public import NostrCore

/// Why what is known of a member's place is old, or why nothing is.
public enum StaleReason: Hashable, Sendable {
    /// Something is wrong here, so that nobody's place can be known.
    case here(SharingTrouble)
    /// The member's sharing rests, until a moment if they told one.
    case paused(until: Timestamp?)
    /// The member told that something is wrong there; `nil` for a reason this version does not know.
    case told(SharingTrouble?)
    /// The member has never shared a place here.
    case neverShared
    /// Everything works here, and nothing has come: their device may be off, or without a network.
    case silent
}

/// What keeps this program from hearing of the members of a circle.
public struct ReadingConditions: Hashable, Sendable {
    /// Whether there is a network at all.
    public var hasNetwork: Bool
    /// Whether a relay of the circle is connected.
    public var hasRelay: Bool
    /// Whether this program is in step with the circle.
    public var isInStep: Bool

    /// All is well unless something is said.
    public init(hasNetwork: Bool = true, hasRelay: Bool = true, isInStep: Bool = true) {
        self.hasNetwork = hasNetwork
        self.hasRelay = hasRelay
        self.isInStep = isInStep
    }

    /// The first of them that is not given; it explains the ones after it.
    public var trouble: SharingTrouble? {
        if !hasNetwork { return .noNetwork }
        if !hasRelay { return .noRelay }
        return isInStep ? nil : .outOfStep
    }
}

/// What is known of where one member of a circle is.
public struct MemberPlace: Hashable, Sendable {
    /// How far a member's clock may be ahead.
    ///
    /// Source: MIP-03's limit on future events.
    public static let skew: Duration = .seconds(300)
    /// The longest promise that is believed: four times the longest interval.
    static let longestPromise: Duration = .seconds(4 * 3600)

    /// The newest position, its moment not later than it came; `nil` before the first.
    public private(set) var fix: Fix?
    /// The span to the next message that the newest one announced.
    public private(set) var interval: Duration?
    /// Whether the member rests; `nil` when they do not say.
    public private(set) var isStationary: Bool?
    /// The reason the newest message gave.
    public private(set) var told: ToldReason?
    private var toldAt: Timestamp?

    /// Nothing is known.
    public init() {}

    /// Takes a message of the member; an older position than the one known is ignored.
    ///
    /// - Returns: whether something changed.
    @discardableResult
    public mutating func receive(_ shared: SharedPlace, now: Timestamp) -> Bool {
        let before = self
        // A clock that is fast would else make everything true look old for as long as it is fast.
        let isAhead = shared.fix.moment > now + Self.skew
        let fix = isAhead ? shared.fix.dated(noLaterThan: now) : shared.fix
        if !shared.isKnown, self.fix.map({ fix.moment >= $0.moment }) ?? true {
            self.fix = fix
            interval = shared.interval.map(Self.believed)
            isStationary = shared.isStationary
        }
        receive(shared.why, at: shared.sentAt, now: now)
        return self != before
    }

    /// Takes what a member told without a place; an older word than the one known is ignored.
    ///
    /// - Parameters:
    ///   - why: the reason; `nil` says that they share again.
    ///   - moment: when they told it.
    public mutating func receive(_ why: ToldReason?, at moment: Timestamp, now: Timestamp) {
        let moment = moment > now + Self.skew ? now : moment
        guard toldAt.map({ moment >= $0 }) ?? true else { return }
        told = why
        toldAt = moment
    }

    private static func believed(_ promise: Duration) -> Duration { min(max(promise, .seconds(1)), longestPromise) }

    /// How long ago the member was there; `nil` when nothing is known.
    public func age(now: Timestamp) -> Duration? {
        guard let fix else { return nil }
        return .seconds(max(0, now.seconds.subtractingReportingOverflow(fix.moment.seconds).partialValue))
    }

    /// Why the place is old; `nil` while it is what the member promised.
    ///
    /// It is old once twice the announced span has passed, the reader's own interval where none was announced (source:
    /// Whistle), and at once when the member told that sharing rests. What is wrong here comes before what was told
    /// earlier: nobody knows what the member has told since.
    ///
    /// - Parameters:
    ///   - now: the moment it is looked at.
    ///   - local: the reader's own interval in this circle.
    ///   - conditions: what keeps this program from hearing.
    public func staleness(
        now: Timestamp, local: SharingInterval, conditions: ReadingConditions = ReadingConditions()
    ) -> StaleReason? {
        let pause = pause(at: now)
        let trouble = conditions.trouble.map(StaleReason.here)
        guard let fix else { return trouble ?? pause ?? reasonTold ?? .neverShared }
        guard now > Self.lastFresh(fix, interval, local) else { return pause }
        return trouble ?? pause ?? reasonTold ?? .silent
    }

    /// The last moment at which the place is not old if nothing else comes; nil when nothing is known.
    ///
    /// - Parameter local: the reader's own interval in this circle.
    public func freshUntil(local: SharingInterval) -> Timestamp? {
        fix.map { Self.lastFresh($0, interval, local) }
    }

    private static func lastFresh(_ fix: Fix, _ interval: Duration?, _ local: SharingInterval) -> Timestamp {
        fix.moment + (interval ?? local.duration) * 2
    }

    private var reasonTold: StaleReason? {
        if case .silent(let trouble) = told { .told(trouble) } else { nil }
    }

    /// The pause that was told, unless it has run out.
    private func pause(at now: Timestamp) -> StaleReason? {
        guard case .paused(let until) = told else { return nil }
        if let until, until <= now { return nil }
        return .paused(until: until)
    }
}

extension MemberPlace: Codable {
    private enum CodingKeys: String, CodingKey { case place, told, toldAt }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        toldAt = try values.momentIfPresent(.toldAt)
        told = try values.decodeIfPresent(ToldReason.self, forKey: .told)
        guard let place = try values.decodeIfPresent(SharedPlace.self, forKey: .place) else { return }
        fix = place.fix
        interval = place.interval.map(Self.believed)
        isStationary = place.isStationary
    }

    /// Writes what is known for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(toldAt, .toldAt)
        try values.encodeIfPresent(told, forKey: .told)
        guard let fix else { return }
        let place = SharedPlace(fix: fix, sentAt: fix.moment, interval: interval, isStationary: isStationary)
        try values.encode(place, forKey: .place)
    }
}
