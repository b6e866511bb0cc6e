/// What a member has of an epoch, as it is saved; the keys of its messages are apart.
struct SavedEpoch {
    let context: GroupContext
    let tree: RatchetTree
    let own: PrivateTree
    let secrets: EpochSecrets
    let confirmationTag: [UInt8]

    init(
        context: GroupContext, tree: RatchetTree, own: PrivateTree, secrets: EpochSecrets, confirmationTag: [UInt8]
    ) {
        (self.context, self.tree, self.own) = (context, tree, own)
        (self.secrets, self.confirmationTag) = (secrets, confirmationTag)
    }

    /// Reads an epoch and checks that its pieces belong together.
    ///
    /// - Throws: `malformed`, `invalidTree` or `invalidKey`.
    init(_ context: GroupContext, _ tree: RatchetTree, from reader: inout Reader) throws(MLSError) {
        let algorithms = tree.algorithms
        own = try PrivateTree(from: &reader, in: tree)
        secrets = try EpochSecrets(from: &reader, algorithms)
        confirmationTag = try reader.opaque()
        (self.context, self.tree) = (context, tree)
        guard
            algorithms.isValid(
                mac: confirmationTag, of: context.confirmedTranscriptHash, key: secrets.confirmation)
        else { throw MLSError(.malformed, "a saved epoch is not one") }
    }

    /// Appends what belongs to us: the context and the tree are written by ``write(_:_:to:)``.
    func write(to writer: inout Writer) {
        own.write(to: &writer)
        secrets.write(to: &writer)
        writer.opaque(confirmationTag)
    }

    var interimTranscriptHash: [UInt8] {
        tree.algorithms.interimTranscriptHash(
            after: context.confirmedTranscriptHash, confirmationTag: confirmationTag)
    }

    /// Reads what all members have of an epoch.
    ///
    /// - Throws: `malformed`, `unsupported`, or `invalidTree` for a tree that is not that of the context.
    static func read(from reader: inout Reader) throws(MLSError) -> (GroupContext, RatchetTree) {
        let context = try GroupContext(from: &reader)
        var tree = try RatchetTree(NodeList(from: &reader), Algorithms(context.cipherSuite))
        try tree.requireUniqueKeys()
        try tree.requireSoundParents()
        guard context.version == .mls10, tree.rootHash() == context.treeHash else {
            throw MLSError(.invalidTree, "a saved tree is not that of its context")
        }
        return (context, tree)
    }

    static func write(_ context: GroupContext, _ tree: RatchetTree, to writer: inout Writer) {
        context.write(to: &writer)
        tree.list.write(to: &writer)
    }
}

extension PrivateTree {
    /// Reads private keys and checks that they are those of the tree.
    init(from reader: inout Reader, in tree: RatchetTree) throws(MLSError) {
        index = try LeafIndex(from: &reader)
        leafKey = try HPKEPrivateKey(from: &reader)
        pathKeys = try reader.dictionary(
            { (inner) throws(MLSError) in
                (NodeIndex(Int(try inner.integer(UInt32.self))), try HPKEPrivateKey(from: &inner))
            }, rising: { $0.value < $1.value })
        guard let leaf = tree.leaf(index), try tree.algorithms.publicKey(of: leafKey) == leaf.encryptionKey else {
            throw MLSError(.invalidKey, "a saved private key is not that of our leaf")
        }
        for (node, key) in pathKeys {
            guard node.isAbove(index.node), let parent = tree.parent(node),
                try tree.algorithms.publicKey(of: key) == parent.encryptionKey
            else { throw MLSError(.invalidKey, "a saved private key is not that of a node above us") }
        }
    }

    func write(to writer: inout Writer) {
        index.write(to: &writer)
        leafKey.write(to: &writer)
        writer.dictionary(pathKeys, rising: { $0.value < $1.value }) {
            $0.integer(UInt32($1.value))
            $2.write(to: &$0)
        }
    }
}

extension EpochSecrets {
    /// Reads the secrets of an epoch whose secret tree was made already.
    init(from reader: inout Reader, _ algorithms: Algorithms) throws(MLSError) {
        let count = algorithms.hashLength
        senderData = try reader.secret(count)
        exporter = try reader.secret(count)
        external = try reader.secret(count)
        confirmation = try reader.secret(count)
        membership = try reader.secret(count)
        resumption = try reader.secret(count)
        initial = try reader.secret(count)
        authenticator = try reader.opaque()
        guard authenticator.count == count else { throw MLSError(.malformed, "an authenticator of another length") }
    }

    func write(to writer: inout Writer) {
        senderData.write(to: &writer)
        exporter.write(to: &writer)
        external.write(to: &writer)
        confirmation.write(to: &writer)
        membership.write(to: &writer)
        resumption.write(to: &writer)
        initial.write(to: &writer)
        writer.opaque(authenticator)
    }
}
