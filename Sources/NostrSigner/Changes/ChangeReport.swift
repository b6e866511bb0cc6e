public import NostrCore
public import NostrNIPs

/// What signing an event would change, against the version in force.
public struct ChangeReport: Hashable, Sendable {
    /// What it does, in counts; the words for a person are made of it.
    public var summary: SigningSummary
    /// The difference entry by entry; `nil` where the event replaces nothing.
    public var change: VersionChange?
    /// The version in force now, for restoring; `nil` when there is none or none is known.
    public var current: Event?
    /// Whether the version in force could be asked for just now; `false` means the difference is against what is here.
    public var isCurrentFresh: Bool
    /// What a deletion asks to be deleted, as far as it is known here.
    public var deleted: [Event]
    /// Whether it drops more than a handful of follows, mutes, relays or other entries.
    public var losesMuch: Bool
    /// Whether what the kind means is unknown, so that the raw event should be shown.
    public var isUnknownKind: Bool
    /// Whether it replaces a list that could not be asked for and is not here, so that what would go is unknown.
    public var isBlind: Bool
    /// How much money it is about, in thousandths of a satoshi; `nil` where that is not known.
    public var amount: Int64?

    /// A report; what is left out is harmless.
    public init(
        _ summary: SigningSummary, change: VersionChange? = nil, current: Event? = nil, isCurrentFresh: Bool = true,
        deleted: [Event] = [], losesMuch: Bool = false, isUnknownKind: Bool = false, isBlind: Bool = false,
        amount: Int64? = nil
    ) {
        self.summary = summary
        self.change = change
        self.current = current
        self.isCurrentFresh = isCurrentFresh
        self.deleted = deleted
        self.losesMuch = losesMuch
        self.isUnknownKind = isUnknownKind
        self.isBlind = isBlind
        self.amount = amount
    }

    /// How many entries may go without a second step: a handful.
    public static let handful = 5
}

/// What a signer asks others about the account's events, to say what a signature would change.
public protocol PublishedVersions: Sendable {
    /// The version in force of an address, as fresh as can be had within the deadline.
    func current(_ address: EventAddress, deadline: Duration) async -> (event: Event?, isFresh: Bool)
    /// Events that are here.
    func events(_ ids: [EventID]) async -> [Event]
    /// Publishes an event of the account where its owner publishes; `false` when it could not be queued.
    func publish(_ event: Event) async -> Bool
}

/// Knows nothing and publishes nothing; for a signer that stands alone.
public struct NoPublishedVersions: PublishedVersions {
    /// Knows nothing.
    public init() {}

    /// None is known.
    public func current(_ address: EventAddress, deadline: Duration) async -> (event: Event?, isFresh: Bool) {
        (nil, false)
    }

    /// None is here.
    public func events(_ ids: [EventID]) async -> [Event] { [] }

    /// Nobody takes it.
    public func publish(_ event: Event) async -> Bool { false }
}
