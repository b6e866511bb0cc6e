public import MLS
public import NostrCore

/// What generations of Marmot do differently; everything else is written once, over this.
///
/// There are generations that cannot read each other. ``GenerationB`` is that of MDK 0.8; another stands beside it by
/// conforming: how key packages are published, how a group says what it is, the envelope of its events, and which of two
/// commits for one epoch counts.
public protocol MarmotProfile: Sendable {
    // MARK: - Key packages (MIP-00)

    /// A key package of our own, with what this generation asks of a leaf.
    ///
    /// - Parameter random: for meaningless numbers; the keys come from the system.
    func newKeyPackage(
        for identity: PublicKey, now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> OwnKeyPackage

    /// The event that publishes a key package, for its owner to sign.
    func draft(of keyPackage: KeyPackage, _ publication: KeyPackagePublication) throws(MarmotError) -> EventDraft

    /// Reads and checks what somebody published.
    func keyPackage(in event: Event, now: Timestamp) throws(MarmotError) -> PublishedKeyPackage

    // MARK: - What a group is (MIP-01)

    /// What a group says of itself.
    func groupData(in extensions: [Extension]) throws(MarmotError) -> GroupData

    /// The extensions of a new group.
    ///
    /// - Parameter invited: whom the first commit adds.
    func extensions(founding data: GroupData, with invited: [KeyPackage]) throws(MarmotError) -> [Extension]

    /// The extensions of a group that says something else from now on.
    func extensions(_ current: [Extension], with data: GroupData) throws(MarmotError) -> [Extension]

    /// How members of this generation send.
    var groupOptions: GroupOptions { get }

    // MARK: - The envelope (MIP-03)

    /// The event that carries a message, signed by a key that is forgotten at once.
    func seal(
        _ message: MLSMessage, under keys: EpochKeys, now: Timestamp, expiration: Timestamp?,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> Event

    /// How far ahead of our clock an event may be; one that is farther ahead is read when its time comes.
    var skew: Duration { get }

    /// The message in an event.
    func open(_ event: Event, with keyring: EpochKeyring, now: Timestamp) throws(MarmotError) -> OpenedEvent

    // MARK: - Convergence (MIP-03)

    /// Whether the first of two commits for one epoch counts, and not the second.
    ///
    /// A strict order: all members who know the same commits choose the same one.
    func prefers(_ one: RivalCommit, to other: RivalCommit) -> Bool
}

/// What tells two commits for one epoch apart.
public struct RivalCommit: Hashable, Sendable {
    /// The event it came in.
    public let id: EventID
    /// When that event says it was made.
    public let createdAt: Timestamp

    /// A commit by the facts that were kept of its event.
    public init(id: EventID, createdAt: Timestamp) { (self.id, self.createdAt) = (id, createdAt) }

    /// The commit in an event.
    public init(_ event: Event) { self.init(id: event.id, createdAt: event.createdAt) }
}
