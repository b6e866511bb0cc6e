public import MLS
public import NostrCore

/// A commit that its committer may make: the only kind that is merged.
///
/// | committer | proposals | allowed |
/// | --- | --- | --- |
/// | admin | any that ``MarmotPolicy`` lets through | if an admin is a member afterwards |
/// | other member | none: fresh keys for themselves | yes |
/// | other member | SelfRemove of others, at least one, nothing else | yes |
/// | other member | anything else | no |
/// | nobody's place: an external commit | any | no |
///
/// Nobody who is an admin leaves by SelfRemove, and what the group says of itself stays readable and required. Who is an
/// admin is read from the group before the commit. Source: MIP-03.
public struct AllowedCommit: Sendable {
    /// Who committed.
    public let committer: PublicKey
    /// The group before.
    public let before: Roster
    /// The group after.
    public let after: Roster
    /// Who comes.
    public let added: [PublicKey]
    /// Who was removed by an admin.
    public let removed: [PublicKey]
    /// Who left.
    public let left: [PublicKey]
    /// The commit for MLS to merge.
    public let staged: StagedCommit

    /// The epoch it leads to.
    public var epoch: UInt64 { staged.context.epoch }

    /// Whether we are no longer a member; then there is nothing to merge.
    public var removesUs: Bool { staged.removesUs }

    /// Checks a commit, our own or another's.
    ///
    /// - Parameter before: of the group it is staged on.
    /// - Throws: `notAllowed`, `notAdmin`, `adminMustStepDown`, `noAdminLeft`, or what is wrong with the group after it.
    public init(
        _ staged: StagedCommit, before: Roster, profile: any MarmotProfile
    ) throws(MarmotError) {
        guard case .member(let place) = staged.committer, let committer = before.members[place] else {
            throw MarmotError(.notAllowed, "The commit is of nobody in the group.")
        }
        after = try Roster(staged.context, staged.members, profile)
        let leaving = staged.proposals.filter { $0.proposal.type == .selfRemove }
        let places = leaving.compactMap { if case .member(let leaf) = $0.sender { leaf } else { nil } }
        guard !places.contains(where: before.isAdmin(at:)) else {
            throw MarmotError(.adminMustStepDown, "An admin leaves without having stepped down.")
        }
        guard before.isAdmin(at: place) || leaving.count == staged.proposals.count else {
            throw MarmotError(.notAdmin, "The committer is no admin and changes more than their own keys.")
        }
        guard !after.presentAdmins.isEmpty else {
            throw MarmotError(.noAdminLeft, "No admin would be a member.")
        }
        (self.committer, self.before, self.staged) = (committer, before, staged)
        left = places.compactMap { before.members[$0] }
        removed = staged.removed.filter { !places.contains($0) }.compactMap { before.members[$0] }
        added = staged.added.compactMap { [after] in after.members[$0] }
    }
}
