public import MLS
public import NostrCore

/// A Welcome that was decrypted and not yet accepted: what to ask a person about before they join.
///
/// What it says of the group is not verified until it is joined; who invites is. Source: MIP-02.
public struct Invitation: Sendable {
    /// What came.
    public let rumor: WelcomeRumor
    /// The id of the group for MLS.
    public let groupID: [UInt8]
    /// What the group says of itself.
    public let data: GroupData
    /// The place of who signed the Welcome.
    let signer: LeafIndex
    private let own: OwnKeyPackage
    private let profile: any MarmotProfile

    /// Decrypts a Welcome with the key package it is for.
    ///
    /// - Parameters:
    ///   - own: the key package that an event of ours published; it is not spent.
    ///   - events: the events that published it.
    /// - Throws: `notForUs` if it names another event or key package, `notAdmin` if who invites is none, what is wrong
    ///   with the group's data, `refusedByMLS`.
    public init(
        _ rumor: WelcomeRumor, with own: OwnKeyPackage, publishedAs events: Set<EventID>, profile: any MarmotProfile
    ) throws(MarmotError) {
        guard events.contains(rumor.keyPackageEvent) else {
            throw MarmotError(.notForUs, "The Welcome names another event than that of the key package.")
        }
        let (info, isNamed) = try throughMLS("The Welcome does not open.") { () throws(MLSError) in
            let reference = try own.keyPackage.reference()
            guard rumor.welcome.newMembers.contains(reference) else { return (GroupInfo?.none, false) }
            return (try rumor.welcome.groupInfo(for: own), true)
        }
        guard let info, isNamed else { throw MarmotError(.notForUs, "The Welcome is for another key package.") }
        data = try profile.groupData(in: info.context.extensions)
        guard data.admins.contains(rumor.inviter) else {
            throw MarmotError(.notAdmin, "Who invites is no admin of the group.")
        }
        (self.rumor, self.own, self.profile) = (rumor, own, profile)
        (groupID, signer) = (info.context.groupID, info.signer)
    }

    /// Joins the group.
    ///
    /// - Parameter policy: usually a ``MarmotPolicy``.
    /// - Throws: `wrongAuthor` if another member than who invites has signed the Welcome, `refusedByMLS`.
    public func join(policy: any GroupPolicy) throws(MarmotError) -> MarmotGroup {
        let group = try throughMLS("The group cannot be joined.") { () throws(MLSError) in
            try Group(joining: rumor.welcome, with: own, policy: policy, options: profile.groupOptions)
        }
        let joined = try MarmotGroup(group, profile: profile)
        guard joined.roster.members[signer] == rumor.inviter else {
            throw MarmotError(.wrongAuthor, "Another member than who invites has signed the Welcome.")
        }
        return joined
    }
}
