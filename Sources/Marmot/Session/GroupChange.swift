internal import MLS
public import NostrCore
internal import NostrNIPs

/// What somebody wants to change in a group, apart from the epoch it is changed in: it can be made again on another.
///
/// Source: MIP-01, MIP-03.
public enum GroupChange: Hashable, Sendable {
    /// Add those whose key packages these events publish.
    case add([Event])
    /// Remove people.
    case remove(Set<PublicKey>)
    /// Take somebody out and in again, who is out of step; by the event of their key package.
    case readmit(Event)
    /// Say something else of the group.
    case edit(GroupEdit)
    /// Be an admin no more.
    case stepDown
    /// Have fresh keys.
    case freshKeys
    /// Let go who wants to leave.
    case letGo
    /// Remove everybody else, whoever that is when it is made.
    case removeOthers
}

/// What is to be said differently of a group; what is not named stays.
///
/// Admins are named one by one, so that two changes at once do not undo each other.
public struct GroupEdit: Hashable, Sendable {
    /// The name from now on.
    public var name: String?
    /// The description from now on.
    public var description: String?
    /// Where its events are published from now on.
    public var relays: [RelayURL]?
    /// What relays know it by from now on.
    public var nostrGroupID: Bytes32?
    /// Who becomes an admin.
    public var promoted: Set<PublicKey> = []
    /// Who is one no more.
    public var demoted: Set<PublicKey> = []
    /// The picture from now on.
    public var image: GroupImageEdit?

    /// A change of nothing.
    public init() {}

    /// What the group says of itself after it.
    func apply(to data: GroupData) -> GroupData {
        var data = data
        if let name { data.name = name }
        if let description { data.description = description }
        if let relays { data.relays = relays.map(\.text) }
        if let nostrGroupID { data.nostrGroupID = nostrGroupID }
        switch image {
        case .set(let image): data.image = image
        case .remove: data.image = nil
        case nil: break
        }
        data.admins = data.admins.union(promoted).subtracting(demoted)
        return data
    }
}

extension MarmotGroup {
    /// What a change comes to in this epoch, and for whom there will be a Welcome; nil if there is nothing to do.
    ///
    /// - Parameter now: for how long key packages last.
    /// - Throws: what reading key packages, ``removing(_:)`` and ``setting(_:)`` throw.
    func proposals(
        for change: GroupChange, now: Timestamp
    ) throws(MarmotError) -> (proposals: [Proposal], invited: [PublishedKeyPackage])? {
        switch change {
        case .add(let events):
            let people = roster.people
            let invited = try events.map { (event) throws(MarmotError) in
                try profile.keyPackage(in: event, now: now)
            }.filter { !people.contains($0.owner) }
            guard let batch = try WelcomeSize(of: self).batches(of: invited).first else { return nil }
            return (adding(batch), batch)
        case .remove(let people):
            let present = people.intersection(roster.people)
            return present.isEmpty ? nil : (try removing(present), [])
        case .readmit(let event):
            let package = try profile.keyPackage(in: event, now: now)
            guard package.owner != ownKey else { return nil }
            let places = roster.places(of: package.owner).map { Proposal.remove($0) }
            return places.isEmpty ? nil : (places + adding([package]), [package])
        case .edit(let edit):
            let data = edit.apply(to: roster.data)
            guard data != roster.data else { return nil }
            try data.checkForWriting()
            return ([try setting(data)], [])
        case .stepDown:
            guard let ownKey, roster.isAdmin(ownKey) else { return nil }
            return ([try steppingDown()], [])
        case .freshKeys, .letGo: return ([], [])
        case .removeOthers:
            guard let ownKey else { return nil }
            let others = roster.people.subtracting([ownKey])
            return others.isEmpty ? nil : (try removing(others), [])
        }
    }
}
