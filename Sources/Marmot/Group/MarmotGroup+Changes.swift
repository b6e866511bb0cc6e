public import MLS
public import NostrCore

/// Founding a group, and the changes admins make.
///
/// Source: MIP-01, MIP-03.
extension MarmotGroup {
    /// A new group of one member, who is an admin of it.
    ///
    /// - Parameters:
    ///   - own: a key package made for this; it is spent.
    ///   - invited: whom the first commit will add: what they can do decides what the group requires.
    ///   - random: gives the id of the group for MLS.
    /// - Throws: `noAdminLeft` if the founder is no admin, what ``GroupData/checkForWriting()`` throws, `refusedByMLS`.
    public init(
        founding data: GroupData, with own: OwnKeyPackage, invited: [PublishedKeyPackage],
        profile: any MarmotProfile, policy: any GroupPolicy, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) {
        let extensions = try profile.extensions(founding: data, with: invited.map(\.keyPackage))
        let id = randomBytes(32, using: &random)
        let group = try throughMLS("The group cannot be made.") { () throws(MLSError) in
            try Group(
                creating: id, with: own, extensions: extensions, policy: policy, options: profile.groupOptions)
        }
        try self.init(group, profile: profile)
        guard roster.isAdmin(at: group.ownIndex) else {
            throw MarmotError(.noAdminLeft, "Who founds a group is an admin of it.")
        }
    }

    /// The proposals that add people.
    public func adding(_ invited: [PublishedKeyPackage]) -> [Proposal] { invited.map { .add($0.keyPackage) } }

    /// The proposals that remove people from all their places; whoever of them is an admin is none any more.
    ///
    /// - Throws: `notAllowed` for ourselves, `noAdminLeft`.
    public func removing(_ people: Set<PublicKey>) throws(MarmotError) -> [Proposal] {
        guard let ownKey, !people.contains(ownKey) else {
            throw MarmotError(.notAllowed, "Nobody removes themselves: they leave.")
        }
        var changes = people.sorted().flatMap { roster.places(of: $0) }.map { Proposal.remove($0) }
        var data = roster.data
        data.admins.subtract(people)
        if data.admins != roster.data.admins { changes.append(try setting(data)) }
        return changes
    }

    /// The proposal by which the group says something else of itself; admins who are no members are left out.
    ///
    /// - Throws: `noAdminLeft`, `tooLarge`, `badTag`.
    public func setting(_ data: GroupData) throws(MarmotError) -> Proposal {
        var data = data
        data.admins.formIntersection(roster.people)
        return .groupContextExtensions(try profile.extensions(mls.context.extensions, with: data))
    }

    /// The proposal by which we are an admin no more, so that we can leave.
    ///
    /// - Throws: `notAdmin` if we are none, `noAdminLeft` if we are the last.
    public func steppingDown() throws(MarmotError) -> Proposal {
        guard let ownKey, roster.isAdmin(ownKey) else { throw MarmotError(.notAdmin, "We are no admin.") }
        guard roster.presentAdmins.count > 1 else {
            throw MarmotError(.noAdminLeft, "The last admin makes somebody else one first.")
        }
        var data = roster.data
        data.admins.remove(ownKey)
        return try setting(data)
    }
}
