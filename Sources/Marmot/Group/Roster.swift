public import MLS
public import NostrCore

/// Who is in a group in one epoch, and who of them are admins.
///
/// Source: MIP-01, MIP-03.
public struct Roster: Hashable, Sendable {
    /// Who is at which place; one person may be at several.
    public let members: [LeafIndex: PublicKey]
    /// The key that verifies what comes from each place.
    public let signatureKeys: [LeafIndex: SignaturePublicKey]
    /// What the group says of itself.
    public let data: GroupData
    /// Whether every member must know SelfRemove.
    public let requiresSelfRemove: Bool
    /// The members, each once.
    public let people: Set<PublicKey>
    /// The relays of the group that can be used, in order, each once.
    public let relayURLs: [RelayURL]

    /// The roster of an epoch.
    ///
    /// - Throws: what ``MarmotProfile/groupData(in:)`` throws, `wrongAuthor` for a member who is nobody on Nostr.
    public init(
        _ context: GroupContext, _ leaves: [(index: LeafIndex, leaf: LeafNode)], _ profile: any MarmotProfile
    ) throws(MarmotError) {
        data = try profile.groupData(in: context.extensions)
        var members: [LeafIndex: PublicKey] = [:]
        for (index, leaf) in leaves {
            guard let key = leaf.credential.nostrKey else {
                throw MarmotError(.wrongAuthor, "A member is nobody on Nostr.")
            }
            members[index] = key
        }
        self.members = members
        // Both are asked for with every line and every page.
        (people, relayURLs) = (Set(members.values), data.relayURLs)
        signatureKeys = Dictionary(leaves.map { ($0.index, $0.leaf.signatureKey) }) { first, _ in first }
        let required = try throughMLS("What the group requires cannot be read.", .malformed) {
            () throws(MLSError) in
            try context.extensions.first { $0.type == .requiredCapabilities }
                .map { (one) throws(MLSError) in try RequiredCapabilities(bytes: one.data) }
        }
        requiresSelfRemove = required?.proposals.contains(.selfRemove) ?? false
    }

    /// The admins who are members.
    public var presentAdmins: Set<PublicKey> { data.admins.intersection(people) }

    /// Whether somebody is an admin and a member.
    public func isAdmin(_ key: PublicKey) -> Bool { data.admins.contains(key) && people.contains(key) }

    /// Whether an admin is at a place.
    public func isAdmin(at place: LeafIndex) -> Bool { members[place].map(isAdmin) ?? false }

    /// All places of a person.
    public func places(of key: PublicKey) -> [LeafIndex] { members.filter { $0.value == key }.keys.sorted() }
}
