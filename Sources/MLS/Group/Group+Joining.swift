/// Joining by a Welcome.
///
/// Source: RFC 9420 §12.4.3.1.
extension Group {
    /// Joins a group.
    ///
    /// - Parameters:
    ///   - tree: the encoded ratchet tree, if it does not come in the Welcome.
    ///   - psks: external pre-shared keys by id; resumption keys come from the groups the policy knows.
    /// - Throws: `invalidWelcome`, `missingPSK`, `decryptionFailed`, `badSignature`, `badTag`, or what is wrong with
    ///   the tree.
    public init(
        joining welcome: Welcome, with own: OwnKeyPackage, tree encodedTree: [UInt8]? = nil,
        psks external: [[UInt8]: [UInt8]] = [:], policy: any GroupPolicy, options: GroupOptions = GroupOptions()
    ) throws(MLSError) {
        let algorithms = try Algorithms(welcome.cipherSuite)
        var psks = PSKs()
        for (id, key) in external { psks.external[id] = PreSharedKey(key) }
        let opened = try OpenedWelcome(
            welcome, own.keyPackage, initKey: own.initKey, psks, policy, algorithms)
        let info = opened.groupInfo
        guard !policy.isMember(of: info.context.groupID) else {
            throw MLSError(.invalidWelcome, "we are in a group of this id")
        }
        let tree = try Self.checkedTree(of: info, encodedTree, policy, options, algorithms)
        try Self.checkDescent(opened.secrets.psks, info.context, tree, policy)
        let privateTree = try Self.privateTree(own, opened.secrets.pathSecret, info, tree)
        try tree.checkLifetimes(besides: privateTree.index, policy)
        var secrets = opened.joiner.epoch(psk: opened.psk, context: info.context.encoded, algorithms)
        guard
            algorithms.isValid(
                mac: info.confirmationTag, of: info.context.confirmedTranscriptHash, key: secrets.confirmation)
        else { throw MLSError(.badTag, "confirmation") }
        keys = try secrets.takeMessageKeys(size: tree.size, limits: options.ratchetLimits)
        interimTranscriptHash = algorithms.interimTranscriptHash(
            after: info.context.confirmedTranscriptHash, confirmationTag: info.confirmationTag)
        (context, confirmationTag) = (info.context, info.confirmationTag)
        (self.tree, self.own, self.secrets, self.psks) = (tree, privateTree, secrets, psks)
        (self.policy, self.options, self.algorithms, self.signer) = (policy, options, algorithms, own.signer)
        rememberResumption()
    }

    /// The tree of a GroupInfo, validated once, and signed for by one of its members; whom it names is believed.
    static func checkedTree(
        of info: GroupInfo, _ encoded: [UInt8]?, _ policy: any GroupPolicy, _ options: GroupOptions,
        _ algorithms: Algorithms
    ) throws(MLSError) -> RatchetTree {
        guard let bytes = encoded ?? info.extensions.data(.ratchetTree) else {
            throw MLSError(.invalidWelcome, "there is no tree")
        }
        var tree = try RatchetTree(NodeList(bytes: bytes, options: options.codec), algorithms)
        try tree.validate(context: info.context)
        guard let signer = tree.leaf(info.signer),
            algorithms.isValid(info.signature, of: info.toBeSigned, label: "GroupInfoTBS", key: signer.signatureKey)
        else { throw MLSError(.badSignature, "of a GroupInfo") }
        try ExternalSenders(in: info.context.extensions).check(policy)
        for (_, leaf) in tree.members where !policy.accepts(leaf.credential, of: leaf.signatureKey) {
            throw MLSError(.refusedByPolicy, "a credential")
        }
        return tree
    }

    /// Our place, and the keys the signer told us.
    private static func privateTree(
        _ own: OwnKeyPackage, _ pathSecret: PathSecret?, _ info: GroupInfo, _ tree: RatchetTree
    ) throws(MLSError) -> PrivateTree {
        guard let index = tree.members.first(where: { $0.leaf == own.keyPackage.leafNode })?.index else {
            throw MLSError(.invalidWelcome, "we are not in the tree")
        }
        var privateTree = PrivateTree(index: index, leafKey: own.leafKey)
        guard let pathSecret else { return privateTree }
        guard index != info.signer else { throw MLSError(.invalidWelcome, "signed by ourselves") }
        let start = tree.size.commonAncestor(index, info.signer)
        guard tree.parent(start) != nil else { throw MLSError(.invalidWelcome, "a secret for a blank node") }
        let above = tree.size.directPath(of: start).filter { tree.parent($0) != nil }
        _ = try privateTree.learn(pathSecret, nodes: [start] + above, in: tree)
        return privateTree
    }
}

/// A Welcome that was decrypted with the key package it is for.
struct OpenedWelcome {
    let secrets: GroupSecrets
    let groupInfo: GroupInfo
    let joiner: JoinerStep
    let psk: PSKSecret

    init(
        _ welcome: Welcome, _ keyPackage: KeyPackage, initKey: HPKEPrivateKey, _ psks: PSKs, _ policy: any GroupPolicy,
        _ algorithms: Algorithms
    ) throws(MLSError) {
        let reference = algorithms.reference(to: keyPackage)
        guard welcome.cipherSuite == keyPackage.cipherSuite,
            let entry = welcome.secrets.first(where: { $0.newMember == reference })
        else { throw MLSError(.invalidWelcome, "not for this key package") }
        secrets = try GroupSecrets(
            bytes: algorithms.decrypt(
                entry.encryptedGroupSecrets, with: initKey, label: "Welcome",
                context: welcome.encryptedGroupInfo))
        try Self.check(secrets.psks, algorithms)
        psk = algorithms.pskSecret(try psks.find(secrets.psks, groupID: nil, policy))
        joiner = JoinerStep(secrets.joinerSecret)
        let key = algorithms.welcomeKey(joiner.welcome(psk: psk, algorithms))
        groupInfo = try GroupInfo(
            bytes: algorithms.open(welcome.encryptedGroupInfo, key: key.key, nonce: key.nonce))
        guard groupInfo.context.cipherSuite == welcome.cipherSuite, groupInfo.context.version == .mls10 else {
            throw MLSError(.invalidWelcome, "the group has another cipher suite or version")
        }
        try groupInfo.extensions.requireUnique(.invalidWelcome)
    }

    /// Each key once, under a nonce of the right length, and one at most by which the group follows from another.
    private static func check(_ psks: [PreSharedKeyID], _ algorithms: Algorithms) throws(MLSError) {
        guard psks.count <= Int(UInt16.max) else { throw MLSError(.limitExceeded, "pre-shared keys") }
        guard Set(psks).count == psks.count else { throw MLSError(.invalidWelcome, "a pre-shared key twice") }
        guard psks.allSatisfy({ $0.nonce.count == algorithms.hashLength }) else {
            throw MLSError(.invalidWelcome, "the nonce of a pre-shared key has another length")
        }
        guard psks.count(where: { $0.predecessor != nil }) <= 1 else {
            throw MLSError(.invalidWelcome, "the group follows from two")
        }
    }
}

extension Algorithms {
    /// `welcome_key` and `welcome_nonce`.
    func welcomeKey(_ secret: WelcomeSecret) -> MessageKey {
        let nonce: Secret<Role.MessageKey> = expand(secret, label: "nonce", count: nonceLength)
        return MessageKey(key: expand(secret, label: "key", count: keyLength), nonce: nonce.exposedBytes)
    }
}
