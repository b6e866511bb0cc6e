/// What a list of proposals does to the tree and the extensions of a group.
///
/// Source: RFC 9420 §12.3.
struct EpochChange {
    private(set) var tree: RatchetTree
    private(set) var extensions: [Extension]
    private(set) var added: [LeafIndex] = []
    let list: ProposalList

    /// Checks each proposal against the group and applies them: extensions, updates, removes, then adds.
    ///
    /// - Parameter second: when added key packages must be in their lifetime: now if we commit them, nil if others do.
    /// - Throws: `invalidProposal`, or what is wrong with a leaf or key package.
    init(_ list: ProposalList, to group: Group, at second: UInt64?) throws(MLSError) {
        guard group.epoch < .max else { throw MLSError(.limitExceeded, "the last epoch") }
        self.list = list
        tree = group.tree
        extensions = list.extensions ?? group.context.extensions
        let requirements = try GroupRequirements(extensions)
        try checkExternalSenders(group)
        try requireSupport(for: Set(list.custom.map(\.proposal.type)))
        for (index, leaf) in list.updates {
            try Self.checkUpdate(leaf, at: index, in: group)
            try requirements.check(leaf)
            tree.update(index, to: leaf)
        }
        for index in list.removes {
            guard tree.leaf(index) != nil else { throw MLSError(.invalidProposal, "a Remove of nobody") }
            tree.set(index.node, to: nil)
            tree.blankDirectPath(of: index)
        }
        tree.truncate()
        for keyPackage in list.adds {
            try group.check(keyPackage, at: second)
            try requirements.check(keyPackage.leafNode)
            added.append(tree.add(keyPackage.leafNode, after: added.last ?? LeafIndex(0)))
        }
        if list.extensions != nil {
            for (_, leaf) in tree.members { try requirements.check(leaf) }
        }
        if !list.adds.isEmpty || !list.updates.isEmpty {
            try tree.requireUniqueKeys(besides: list.adds.map(\.initKey))
            try tree.requireSharedCredentials()
        }
    }

    /// Gives somebody who joins by their own commit a place.
    mutating func join(_ leaf: LeafNode) -> LeafIndex { tree.add(leaf) }

    mutating func merge(_ path: UpdatePath, from index: LeafIndex) throws(MLSError) {
        try tree.merge(path, from: index)
    }

    mutating func makePath(
        at index: LeafIndex, leafNode: (HPKEPublicKey, [UInt8]) throws(MLSError) -> LeafNode
    ) throws(MLSError) -> NewPath {
        try NewPath(at: index, in: &tree, leafNode: leafNode)
    }

    mutating func rootHash() -> [UInt8] { tree.rootHash() }

    /// Members who stay must know the custom types; those who come or go do not count.
    private func requireSupport(for types: Set<ProposalType>) throws(MLSError) {
        guard !types.isEmpty else { return }
        let removed = Set(list.removes)
        for (index, leaf) in tree.members where !removed.contains(index) {
            guard types.allSatisfy(leaf.capabilities.supports) else {
                throw MLSError(.invalidProposal, "a member does not support a type of proposal")
            }
        }
    }

    /// Those of a list that changes, and those of the group that starts again; who was there before is not asked for.
    private func checkExternalSenders(_ group: Group) throws(MLSError) {
        try group.checkExternalSenders(in: extensions)
        try list.reInit?.checkExternalSenders(group.policy)
    }

    static func checkUpdate(_ leaf: LeafNode, at index: LeafIndex, in group: Group) throws(MLSError) {
        guard case .update = leaf.source else { throw MLSError(.invalidLeafNode, "not a leaf of an Update") }
        try group.checkReplacement(leaf, at: index)
    }
}

extension ReInit {
    /// Asks the policy about those of the group that starts again; what a later version keeps there is not known.
    func checkExternalSenders(_ policy: any GroupPolicy) throws(MLSError) {
        if version == .mls10 { try ExternalSenders(in: extensions).check(policy) }
    }
}

extension Group {
    /// Asks the policy about those of other extensions, unless they stay as they are.
    func checkExternalSenders(in extensions: [Extension]) throws(MLSError) {
        guard extensions.data(.externalSenders) != context.extensions.data(.externalSenders) else { return }
        try ExternalSenders(in: extensions).check(policy)
    }

    /// Checks a key package that is to be added.
    ///
    /// What others add was in its lifetime when they sent it, which may be long ago: a member that refused it then
    /// would stay behind. Source: RFC 9420 §7.3, §10.1.
    ///
    /// - Parameter second: the time it is added at; nil leaves its lifetime unchecked, but not how long that is.
    func check(_ keyPackage: KeyPackage, at second: UInt64?) throws(MLSError) {
        guard keyPackage.cipherSuite == context.cipherSuite else {
            throw MLSError(.invalidKeyPackage, "for another cipher suite")
        }
        try keyPackage.validate(at: second, maximumLifetime: policy.maximumLifetime)
        guard policy.accepts(keyPackage.leafNode.credential, of: keyPackage.leafNode.signatureKey) else {
            throw MLSError(.refusedByPolicy, "a credential")
        }
    }

    /// Checks a member's next leaf, whichever way it comes.
    func checkReplacement(_ leaf: LeafNode, at index: LeafIndex) throws(MLSError) {
        guard let old = tree.leaf(index) else { throw MLSError(.unknownSender, "nobody is there") }
        guard old.encryptionKey != leaf.encryptionKey else {
            throw MLSError(.invalidLeafNode, "it keeps its encryption key")
        }
        try leaf.validate(groupID: groupID, at: index, algorithms)
        guard policy.accepts(leaf.credential, of: leaf.signatureKey),
            policy.allows(leaf.credential, after: old.credential)
        else { throw MLSError(.refusedByPolicy, "a credential") }
    }
}
