public import NostrCore

/// What keeps a place from being known.
public enum SharingTrouble: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device does not know where it is, or has nothing that could.
    case noFix
    /// The device may not tell.
    case noPermission
    /// There is no network.
    case noNetwork
    /// No relay of the circle can be reached.
    case noRelay
    /// The program and the circle do not read the same messages any more.
    case outOfStep
}

/// Why a sender has nothing newer to tell.
public enum ToldReason: Hashable, Sendable {
    /// Their sharing rests, until a moment if they set one.
    case paused(until: Timestamp?)
    /// They mean to share and cannot; `nil` for a reason this version does not know.
    case silent(SharingTrouble?)
}

/// One message about where a member is, before it is written for the wire, and after it was read.
///
/// On the wire this is the inner `location` message of Whistle, whose `ts` is the moment of sending; that of the fix
/// stands beside it in a field of ours, so that an old position never looks new. ``why`` is a message of its own, which other programs pass over; both are sent where
/// there are both, the place first.
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
    /// Why nothing newer follows, or `nil`.
    public var why: ToldReason?
    /// Whether the circle has the place already, so that only ``why`` is to be written.
    public var isKnown: Bool
    /// Earlier positions that could not be sent, oldest first; only from members who keep a trail.
    public var trail: [Fix]

    /// Takes what is told; of a longer trail the newest ``mostTrail``.
    public init(
        fix: Fix, sentAt: Timestamp, interval: Duration? = nil, isStationary: Bool? = nil, why: ToldReason? = nil,
        isKnown: Bool = false, trail: [Fix] = []
    ) {
        self.fix = fix
        self.sentAt = sentAt
        self.interval = interval
        self.isStationary = isStationary
        self.why = why
        self.isKnown = isKnown
        self.trail = Array(trail.suffix(Self.mostTrail))
    }
}

extension SharedPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case fix, sentAt, interval, isStationary, why, isKnown, trail
    }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            fix: try values.decode(Fix.self, forKey: .fix), sentAt: try values.moment(.sentAt),
            interval: try values.decodeIfPresent(Int64.self, forKey: .interval).map { .seconds($0) },
            isStationary: try values.decodeIfPresent(Bool.self, forKey: .isStationary),
            why: try values.decodeIfPresent(ToldReason.self, forKey: .why),
            isKnown: try values.decodeIfPresent(Bool.self, forKey: .isKnown) ?? false,
            trail: try values.decodeIfPresent([Fix].self, forKey: .trail) ?? [])
    }

    /// Writes the message for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(fix, forKey: .fix)
        try values.encode(sentAt, .sentAt)
        try values.encodeIfPresent(interval?.components.seconds, forKey: .interval)
        try values.encodeIfPresent(isStationary, forKey: .isStationary)
        try values.encodeIfPresent(why, forKey: .why)
        if isKnown { try values.encode(true, forKey: .isKnown) }
        if !trail.isEmpty { try values.encode(trail, forKey: .trail) }
    }
}

extension ToldReason: Codable {
    private enum CodingKeys: String, CodingKey { case isPaused, until, trouble }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self =
            try values.decode(Bool.self, forKey: .isPaused)
            ? .paused(until: try values.momentIfPresent(.until))
            : .silent(try values.decodeIfPresent(SharingTrouble.self, forKey: .trouble))
    }

    /// Writes the reason for a record.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .paused(let until):
            try values.encode(true, forKey: .isPaused)
            try values.encodeIfPresent(until, .until)
        case .silent(let trouble):
            try values.encode(false, forKey: .isPaused)
            try values.encodeIfPresent(trouble, forKey: .trouble)
        }
    }
}
