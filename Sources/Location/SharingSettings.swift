public import NostrCore

/// How often a position is shared while its owner moves: 10 seconds to 1 hour.
public struct SharingInterval: Hashable, Comparable, Sendable {
    /// Whole seconds, 10…3600.
    public let seconds: Int

    /// Takes seconds, held in 10…3600.
    public init(clamping seconds: Int) {
        self.seconds = min(max(seconds, 10), 3600)
    }

    /// Ten seconds: nearly live, and heavy on a battery.
    public static let tenSeconds = SharingInterval(clamping: 10)
    /// Five minutes.
    public static let fiveMinutes = SharingInterval(clamping: 300)
    /// A quarter of an hour.
    public static let quarterHour = SharingInterval(clamping: 900)
    /// Half an hour.
    public static let halfHour = SharingInterval(clamping: 1800)
    /// An hour: what a circle begins with.
    public static let hour = SharingInterval(clamping: 3600)

    /// The named choices, the same as Whistle's; others can be set.
    public static let choices: [SharingInterval] = [.tenSeconds, .fiveMinutes, .quarterHour, .halfHour, .hour]

    /// The interval as a span of time.
    public var duration: Duration { .seconds(seconds) }

    public static func < (a: SharingInterval, b: SharingInterval) -> Bool { a.seconds < b.seconds }
}

/// Whether sharing rests, and until when.
public enum SharingPause: Hashable, Sendable {
    /// It does not.
    case none
    /// Until it is taken back.
    case untilResumed
    /// Until a moment.
    case until(Timestamp)
}

/// How a position is shared with one circle.
public struct SharingSettings: Hashable, Sendable {
    /// How often, while moving; four times as long while resting.
    public var interval: SharingInterval
    /// Whether sharing rests.
    public var pause: SharingPause
    /// Whether the battery goes first: positions are looked for and sent as while resting, always.
    public var isLowPower: Bool
    /// The size of the cells that positions are blurred to, in metres, held in ``Blur/sizes``; `nil` shares them as
    /// exactly as they are.
    public var blur: Double?
    /// Whether what could not be sent for want of a network follows as a trail; else only the newest position counts.
    public var keepsTrail: Bool
    /// Whether the circle is told that there is no position, or that sharing rests.
    public var tellsWhy: Bool
    /// Below which charge of the own battery, in percent, the circle is told at once and the owner warned; `nil` for
    /// never.
    public var lowBattery: Int?

    /// What a circle begins with; Whistle's number for other members' batteries.
    public static let usualLowBattery = 20

    /// As a circle begins: hourly, exact, without a trail.
    public init(
        interval: SharingInterval = .hour, pause: SharingPause = .none, isLowPower: Bool = false, blur: Double? = nil,
        keepsTrail: Bool = false, tellsWhy: Bool = true, lowBattery: Int? = usualLowBattery
    ) {
        self.interval = interval
        self.pause = pause
        self.isLowPower = isLowPower
        self.blur = blur
        self.keepsTrail = keepsTrail
        self.tellsWhy = tellsWhy
        self.lowBattery = lowBattery.map { min(max($0, 1), 99) }
    }
}

extension SharingSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case interval, isPaused, pausedUntil, isLowPower, blur, keepsTrail, tellsWhy, lowBattery
    }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let until = try values.momentIfPresent(.pausedUntil)
        let isPaused = try values.decode(Bool.self, forKey: .isPaused)
        // Nothing stands there in records that are older than this; 0 stands for never.
        let lowBattery = try values.decodeIfPresent(Int.self, forKey: .lowBattery) ?? Self.usualLowBattery
        self.init(
            interval: SharingInterval(clamping: try values.decode(Int.self, forKey: .interval)),
            pause: isPaused ? until.map(SharingPause.until) ?? .untilResumed : .none,
            isLowPower: try values.decode(Bool.self, forKey: .isLowPower),
            blur: try values.decodeIfPresent(Double.self, forKey: .blur),
            keepsTrail: try values.decode(Bool.self, forKey: .keepsTrail),
            tellsWhy: try values.decode(Bool.self, forKey: .tellsWhy),
            lowBattery: lowBattery == 0 ? nil : lowBattery)
    }

    /// Writes the settings for a record.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(interval.seconds, forKey: .interval)
        try values.encode(pause != .none, forKey: .isPaused)
        if case .until(let moment) = pause { try values.encode(moment, .pausedUntil) }
        try values.encode(isLowPower, forKey: .isLowPower)
        try values.encodeIfPresent(blur, forKey: .blur)
        try values.encode(keepsTrail, forKey: .keepsTrail)
        try values.encode(tellsWhy, forKey: .tellsWhy)
        try values.encode(lowBattery ?? 0, forKey: .lowBattery)
    }
}
