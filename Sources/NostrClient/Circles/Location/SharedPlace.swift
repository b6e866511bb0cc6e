public import NostrCore

/// Why a sender has nothing newer to tell.
public enum ToldReason: Hashable, Sendable {
    /// Their device does not know where it is, or does not say.
    case noFix
    /// Their sharing rests, until a moment if they set one.
    case paused(until: Timestamp?)
}

/// One message about where a member is, before it is written as JSON, and after it was read.
///
/// On the wire this is the inner `location` message of Whistle; `ts` is the moment of the fix, so that an old position
/// never looks new. What that message has no member for (``sentAt``, ``why``, ``trail``) is our own addition, which other
/// programs pass over.
public struct SharedPlace: Hashable, Sendable {
    /// As many earlier positions travel along.
    public static let mostTrail = 32

    /// Where, as exactly as the circle may know.
    public var fix: Fix
    /// When it was handed out.
    public var sentAt: Timestamp
    /// By when the next message is promised, counted from ``sentAt``; `nil` when a sender does not say.
    public var interval: Duration?
    /// Whether the sender rests; `nil` when that is not known.
    public var isStationary: Bool?
    /// Why there is nothing newer, when that is what the message is for.
    public var why: ToldReason?
    /// Earlier positions that could not be sent, oldest first; only from members who keep a trail.
    public var trail: [Fix]

    /// Takes what is told; of a longer trail the newest ``mostTrail``.
    public init(
        fix: Fix, sentAt: Timestamp, interval: Duration? = nil, isStationary: Bool? = nil, why: ToldReason? = nil,
        trail: [Fix] = []
    ) {
        self.fix = fix
        self.sentAt = sentAt
        self.interval = interval
        self.isStationary = isStationary
        self.why = why
        self.trail = Array(trail.suffix(Self.mostTrail))
    }
}

extension SharedPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case fix, sentAt, interval, isStationary, why, pausedUntil, trail
    }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let why: ToldReason? =
            switch try values.decodeIfPresent(String.self, forKey: .why) {
            case "noFix": .noFix
            case "paused": .paused(until: try values.momentIfPresent(.pausedUntil))
            default: nil
            }
        self.init(
            fix: try values.decode(Fix.self, forKey: .fix), sentAt: try values.moment(.sentAt),
            interval: try values.decodeIfPresent(Int64.self, forKey: .interval).map { .seconds($0) },
            isStationary: try values.decodeIfPresent(Bool.self, forKey: .isStationary), why: why,
            trail: try values.decodeIfPresent([Fix].self, forKey: .trail) ?? [])
    }

    /// Writes the message for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(fix, forKey: .fix)
        try values.encode(sentAt, .sentAt)
        try values.encodeIfPresent(interval?.components.seconds, forKey: .interval)
        try values.encodeIfPresent(isStationary, forKey: .isStationary)
        switch why {
        case .noFix: try values.encode("noFix", forKey: .why)
        case .paused(let until):
            try values.encode("paused", forKey: .why)
            try values.encodeIfPresent(until, .pausedUntil)
        case nil: break
        }
        if !trail.isEmpty { try values.encode(trail, forKey: .trail) }
    }
}
