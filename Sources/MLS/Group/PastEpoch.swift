/// What is kept of an epoch to open its late messages, with the members of *that* epoch.
struct PastEpoch: Sendable {
    /// What is kept of a member.
    struct Member: Sendable, Hashable {
        let signatureKey: SignaturePublicKey
        let credential: Credential
    }

    let epoch: UInt64
    let context: [UInt8]
    /// By place.
    let members: [Member?]
    var keys: MessageKeys

    init(epoch: UInt64, context: [UInt8], members: [Member?], keys: MessageKeys) {
        (self.epoch, self.context, self.members, self.keys) = (epoch, context, members, keys)
    }

    /// Proposals and commits of a past epoch are never opened, so the keys of those sent by members go.
    init(epoch: UInt64, context: [UInt8], tree: RatchetTree, keys: MessageKeys) {
        var members = [Member?](repeating: nil, count: tree.size.leaves)
        for (index, leaf) in tree.members {
            members[index.position] = Member(signatureKey: leaf.signatureKey, credential: leaf.credential)
        }
        var keys = keys
        keys.tree.handshake = [:]
        self.init(epoch: epoch, context: context, members: members, keys: keys)
    }

    func member(_ index: LeafIndex) -> Member? {
        members.indices.contains(index.position) ? members[index.position] : nil
    }
}
