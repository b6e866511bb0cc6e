public import MLS
public import NostrCore

/// What MLS asks of a Marmot group about credentials and proposals.
///
/// What depends on who is an admin is checked on whole commits, as ``AllowedCommit``. Source: MIP-00, MIP-03.
public struct MarmotPolicy: GroupPolicy {
    private let profile: any MarmotProfile
    private let clock: @Sendable () -> Timestamp
    private let knows: @Sendable ([UInt8]) -> Bool

    /// A policy.
    ///
    /// - Parameters:
    ///   - clock: tells the time.
    ///   - knows: whether we are in a group of an id of MLS already.
    public init(
        _ profile: any MarmotProfile, clock: @escaping @Sendable () -> Timestamp,
        isMember knows: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) {
        (self.profile, self.clock, self.knows) = (profile, clock, knows)
    }

    /// Those of people on Nostr; that it is really them was checked on their key package's event by who added them.
    public func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { credential.nostrKey != nil }

    /// Nobody outside a group proposes to it.
    public func accepts(_ sender: ExternalSender) -> Bool { false }

    /// Members add, update, remove, leave, and change what the group says; nothing else is of Marmot.
    public func allows(_ proposal: Proposal, from sender: Sender) -> Bool {
        guard case .member = sender else { return false }
        return switch proposal {
        case .add, .update, .remove, .groupContextExtensions: true
        case .custom(let type, _): type == .selfRemove
        case .preSharedKey, .reInit, .externalInit: false
        }
    }

    /// Those of members who want to leave, and nothing else that somebody else asks for.
    public func commits(_ proposal: Proposal, from sender: Sender, in group: Group) -> Bool {
        // Anything else is committed by nobody; it is not worth a look at all members.
        guard case .member(let place) = sender, proposal.type == .selfRemove || proposal == .remove(place) else {
            return false
        }
        // A group whose roster cannot be read was never entered.
        guard let roster = try? Roster(group.context, group.members, profile) else { return false }
        return roster.handling(of: proposal, from: sender, by: group.ownIndex) == .commit
    }

    /// An identity never changes.
    public func allows(_ new: Credential, after old: Credential) -> Bool { new == old }

    /// The time, in seconds since 1970.
    public var now: UInt64? { UInt64(clamping: clock().seconds) }

    /// Of any length: who refused a commit for that would stay behind.
    ///
    /// What we add ourselves was bounded when read.
    public var maximumLifetime: UInt64? { nil }

    /// Who did not renew their keys for long is a member all the same, whether we join or not.
    public func joins(inSpiteOf leaf: LeafNode) -> Bool { true }

    /// As the caller says.
    public func isMember(of groupID: [UInt8]) -> Bool { knows(groupID) }
}

/// What becomes of a proposal that came by itself.
public enum ProposalHandling: Hashable, Sendable {
    /// We may commit it.
    case commit
    /// It is known, for the commits of others.
    case keep
    /// Nobody may commit it.
    case ignore
}

extension Roster {
    /// What becomes of a proposal that came by itself.
    ///
    /// A member who is not an admin leaves by SelfRemove, which all others may commit, or, where not all know that, by a
    /// Remove of themselves, which admins may. Source: MIP-03.
    ///
    /// - Parameter own: our place.
    public func handling(of proposal: Proposal, from sender: Sender, by own: LeafIndex) -> ProposalHandling {
        guard case .member(let place) = sender, members[place] != nil else { return .ignore }
        switch proposal {
        case .custom(.selfRemove, _):
            if isAdmin(at: place) { return .ignore }
            return place == own ? .keep : .commit
        case .remove(place): return isAdmin(at: own) && !isAdmin(at: place) && place != own ? .commit : .keep
        case .add, .remove: return .keep
        default: return .ignore
        }
    }
}
