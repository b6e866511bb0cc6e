@testable import MLS

/// A Welcome that says what a test wants, and is right in everything else.
struct ForgedWelcome {
    var tree: RatchetTree
    var context: GroupContext
    var signer: LeafIndex
    let key: SignaturePrivateKey
    var psks: [(id: PreSharedKeyID, key: PreSharedKey)] = []
    var extensions: [Extension] = []
    var pathSecret: PathSecret?
    var carriesTree = true
    var confirmationTag: ([UInt8]) -> [UInt8] = { $0 }
    var signature: ([UInt8]) -> [UInt8] = { $0 }

    /// An invitation by a member into the next epoch of a group.
    init(from group: Group, adding packages: [KeyPackage]) {
        (tree, context, signer, key) = (group.tree, group.context, group.ownIndex, group.signer)
        for package in packages { _ = tree.add(package.leafNode) }
        context.epoch += 1
        context.treeHash = tree.rootHash()
    }

    /// Changes the tree, and the hash that names it.
    mutating func change(_ change: (inout RatchetTree) throws -> Void) rethrows {
        try change(&tree)
        context.treeHash = tree.rootHash()
    }

    /// Changes a member's leaf, and signs it as theirs.
    mutating func change(
        _ index: LeafIndex, of group: Group, _ change: (LeafNode) throws -> LeafNode
    ) throws {
        guard let old = tree.leaf(index) else { return }
        let leaf = try change(old).signed(by: group.signer, groupID: context.groupID, at: index)
        self.change { $0.set(index.node, to: .leaf(leaf)) }
    }

    func groupInfo(_ joiner: JoinerStep) throws -> GroupInfo {
        let algorithms = tree.algorithms
        let secrets = joiner.epoch(psk: algorithms.pskSecret(psks), context: context.encoded, algorithms)
        let tag = algorithms.mac(context.confirmedTranscriptHash, key: secrets.confirmation)
        var info = GroupInfo(
            context: context, extensions: (carriesTree ? [tree.asExtension] : []) + extensions,
            confirmationTag: confirmationTag(tag), signer: signer)
        info.signature = signature(try algorithms.sign(info.toBeSigned, label: "GroupInfoTBS", key: key))
        return info
    }

    /// The Welcome for one new member.
    func make(for package: KeyPackage) throws -> Welcome {
        let algorithms = tree.algorithms
        let joiner = JoinerStep(JoinerSecret(Algorithms.random(algorithms.hashLength)))
        let key = algorithms.welcomeKey(joiner.welcome(psk: algorithms.pskSecret(psks), algorithms))
        let info = try algorithms.seal(groupInfo(joiner).encoded, key: key.key, nonce: key.nonce)
        let secrets = GroupSecrets(joinerSecret: joiner.joiner, pathSecret: pathSecret, psks: psks.map(\.id))
        let entry = EncryptedGroupSecrets(
            newMember: algorithms.reference(to: package),
            encryptedGroupSecrets: try algorithms.encrypt(
                secrets.encoded, to: package.initKey, label: "Welcome", context: info))
        return Welcome(cipherSuite: algorithms.suite, secrets: [entry], encryptedGroupInfo: info)
    }

    /// Joins by it.
    func join(
        _ own: OwnKeyPackage, psks external: [[UInt8]: [UInt8]] = [:], policy: any GroupPolicy = ScenePolicy()
    ) throws -> Group {
        try Group(joining: make(for: own.keyPackage), with: own, psks: external, policy: policy)
    }
}
