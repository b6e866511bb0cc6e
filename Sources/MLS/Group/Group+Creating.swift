extension Group {
    /// A new group of one member.
    ///
    /// - Parameters:
    ///   - own: whose keys and leaf become the first member's; it is spent.
    ///   - id: unique among the groups of all members.
    ///   - extensions: of the group context.
    /// - Throws: `invalidLeafNode` if the leaf does not support the extensions, `refusedByPolicy` for an external sender
    ///   among them. Source: RFC 9420 §11.
    public init(
        creating id: [UInt8], with own: OwnKeyPackage, extensions: [Extension] = [], policy: any GroupPolicy,
        options: GroupOptions = GroupOptions()
    ) throws(MLSError) {
        algorithms = try Algorithms(own.keyPackage.cipherSuite)
        try own.keyPackage.leafNode.validate(groupID: [], at: LeafIndex(0), algorithms)
        try GroupRequirements(extensions).check(own.keyPackage.leafNode)
        try ExternalSenders(in: extensions).check(policy)
        tree = RatchetTree(own.keyPackage.leafNode, algorithms)
        self.own = PrivateTree(index: LeafIndex(0), leafKey: own.leafKey)
        context = GroupContext(
            cipherSuite: algorithms.suite, groupID: id, epoch: 0, treeHash: tree.rootHash(),
            confirmedTranscriptHash: [], extensions: extensions)
        var secrets = EpochSecrets(EpochSecret(Algorithms.random(algorithms.hashLength)), algorithms)
        keys = try secrets.takeMessageKeys(size: tree.size, limits: options.ratchetLimits)
        confirmationTag = algorithms.mac([], key: secrets.confirmation)
        interimTranscriptHash = algorithms.interimTranscriptHash(after: [], confirmationTag: confirmationTag)
        self.secrets = secrets
        (self.policy, self.options, signer) = (policy, options, own.signer)
        rememberResumption()
    }
}
