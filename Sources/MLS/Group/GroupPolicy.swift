/// What the application decides about a group: who its members are, and who may do what.
///
/// What a whole commit changes is inspected on the ``StagedCommit``, before it is merged.
public protocol GroupPolicy: Sendable {
    /// Whether a credential is to be believed.
    ///
    /// Source: RFC 9420 §5.3.1.
    func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool
    /// Whether somebody outside the group is to be believed, who may propose to it.
    ///
    /// It is asked for each of them when we make or join a group, and when a commit changes the list or ends the group by
    /// ReInit. Source: RFC 9420 §5.3.1.
    func accepts(_ sender: ExternalSender) -> Bool
    /// Whether a sender may propose this.
    func allows(_ proposal: Proposal, from sender: Sender) -> Bool
    /// Whether a proposal that waits goes into our own commits; one that does not stays, for the commits of others.
    ///
    /// - Parameter group: as it is before the commit.
    func commits(_ proposal: Proposal, from sender: Sender, in group: Group) -> Bool
    /// Whether a member's new credential is still the same person.
    func allows(_ new: Credential, after old: Credential) -> Bool
    /// The time now, in seconds since 1970; nil leaves lifetimes unchecked.
    ///
    /// It is for key packages that we propose or commit ourselves, and for the members of a group we join. In a commit of
    /// others a lifetime may be over: see ``StagedCommit/outOfLifetime(at:)``. Source: RFC 9420 §7.3.
    var now: UInt64? { get }
    /// How long the lifetime of a key package may be, in seconds; an application must set a bound (RFC 9420 §7.2).
    var maximumLifetime: UInt64? { get }
    /// Whether to join a group although a member is out of the lifetime of their key package.
    ///
    /// Their leaf was in its lifetime when it came, and neither a path nor an Update of theirs has replaced it since. The
    /// RFC recommends no, and leaves it to the application. It is not asked for our own leaf. Source: RFC 9420 §7.3.
    func joins(inSpiteOf leaf: LeafNode) -> Bool
    /// Whether we take part in a group of this id already; then no other of that id is joined.
    ///
    /// Source: RFC 9420 §12.4.3.
    func isMember(of groupID: [UInt8]) -> Bool
    /// What we know of another of our groups: its resumption keys prove that we were in it.
    ///
    /// Source: RFC 9420 §8.4, §11.2, §11.3.
    func group(_ groupID: [UInt8]) -> Group?
}

extension GroupPolicy {
    /// As for members.
    public func accepts(_ sender: ExternalSender) -> Bool { accepts(sender.credential, of: sender.signatureKey) }
    /// Everything may be proposed.
    public func allows(_ proposal: Proposal, from sender: Sender) -> Bool { true }
    /// Everything that waits is committed.
    public func commits(_ proposal: Proposal, from sender: Sender, in group: Group) -> Bool { true }
    /// A credential never changes.
    public func allows(_ new: Credential, after old: Credential) -> Bool { new == old }
    /// Lifetimes are not checked.
    public var now: UInt64? { nil }
    /// Lifetimes may be of any length.
    public var maximumLifetime: UInt64? { nil }
    /// As the RFC recommends.
    public func joins(inSpiteOf leaf: LeafNode) -> Bool { false }
    /// The caller sees to it that ids are unique.
    public func isMember(of groupID: [UInt8]) -> Bool { false }
    /// There are no other groups.
    public func group(_ groupID: [UInt8]) -> Group? { nil }
}

/// A policy that believes everybody: for tests and examples.
public struct TrustEverybody: GroupPolicy {
    /// The policy.
    public init() {}
    /// Always.
    public func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { true }
    /// Always.
    public func allows(_ new: Credential, after old: Credential) -> Bool { true }
}

/// The parameters of a group that are one member's own choice.
public struct GroupOptions: Sendable {
    /// How far messages may be out of order.
    public var ratchetLimits = RatchetLimits()
    /// How private messages are padded.
    public var padding = Padding.none
    /// How many past epochs' messages can still be opened.
    public var pastEpochs = 5
    /// How many past epochs' resumption keys are kept.
    public var resumptionEpochs = 16
    /// How many proposals are kept for a commit.
    public var proposalLimits = ProposalLimits()
    /// Whether proposals and commits are encrypted.
    public var encryptsHandshake = true
    /// Whether application data is sent even while proposals wait; anybody's proposal could silence us otherwise.
    public var sendsBeforeCommitting = false
    /// Where numbers that mean nothing are sent, besides our leaf, whose own are chosen with the key package.
    public var grease = GREASE.capabilities
    /// What the decoder accepts.
    public var codec = CodecOptions()

    /// The choices most members want.
    public init() {}
}
