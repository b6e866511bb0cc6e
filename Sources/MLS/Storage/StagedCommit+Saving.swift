extension StagedCommit {
    /// A commit that is not merged yet, as bytes; they hold secrets.
    ///
    /// Save it together with the group, before the message of the commit leaves: nobody can make the same commit again.
    public var saved: [UInt8] {
        var writer = Writer()
        writer.integer(SavedGroup.version)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads a commit that was staged on a group as it still is.
    ///
    /// - Throws: `unsupported`, `malformed`, or what is wrong with the epoch it leads to.
    public init(saved bytes: [UInt8], of group: Group) throws(MLSError) {
        var reader = Reader(bytes, options: group.options.codec)
        try reader.savedVersion()
        self = try StagedCommit(from: &reader, of: group)
        try reader.requireEnd()
    }
}

extension StagedCommit {
    /// Reads a commit that was staged on a group as it still is.
    init(from reader: inout Reader, of group: Group) throws(MLSError) {
        committer = try Sender(from: &reader)
        added = try reader.vector()
        removed = try reader.vector()
        updated = try reader.vector()
        proposals = try reader.vector(of: SentProposal.self).map { ($0.proposal, $0.sender) }
        reInit = try reader.optional()
        let (context, tree) = try SavedEpoch.read(from: &reader)
        guard context.groupID == group.groupID, group.epoch < .max, context.epoch == group.epoch + 1,
            context.cipherSuite == group.context.cipherSuite
        else { throw MLSError(.malformed, "a saved commit is not one of the group") }
        switch try reader.integer(UInt8.self) {
        case 0: removesUs = true
        case 1: removesUs = false
        default: throw MLSError(.malformed, "neither removed nor not")
        }
        base = group.context.encoded
        guard !removesUs else {
            next = NextEpoch(context: context, tree: tree)
            return
        }
        let epoch = try SavedEpoch(context, tree, from: &reader)
        let keys = MessageKeys(
            senderData: epoch.secrets.senderData,
            tree: try SecretTree(from: &reader, size: tree.size, tree.algorithms),
            limits: group.options.ratchetLimits)
        let renewed = try Self.renewedSigner(from: &reader, of: group)
        guard (renewed ?? group.signer).publicKey == tree.leaf(epoch.own.index)?.signatureKey else {
            throw MLSError(.invalidKey, "a saved key for signatures is not that of our next leaf")
        }
        next = NextEpoch(
            context: context, tree: tree,
            member: NextEpoch.Member(
                own: epoch.own, renewedSigner: renewed, secrets: epoch.secrets, keys: keys,
                interimTranscriptHash: epoch.interimTranscriptHash, confirmationTag: epoch.confirmationTag))
    }

    /// The key for signatures that comes with a commit; it stands at the end, and only if it is another.
    private static func renewedSigner(
        from reader: inout Reader, of group: Group
    ) throws(MLSError) -> SignaturePrivateKey? {
        guard !reader.isAtEnd else { return nil }
        let key = try SignaturePrivateKey(bytes: reader.opaque(), for: group.context.cipherSuite)
        guard key.publicKey != group.signer.publicKey else {
            throw MLSError(.malformed, "a saved commit renews a key by itself")
        }
        return key
    }

    func write(to writer: inout Writer) {
        committer.write(to: &writer)
        writer.vector(added)
        writer.vector(removed)
        writer.vector(updated)
        writer.vector(proposals.map { SentProposal(proposal: $0.proposal, sender: $0.sender) })
        writer.optional(reInit)
        SavedEpoch.write(next.context, next.tree, to: &writer)
        writer.integer(UInt8(next.member == nil ? 0 : 1))
        guard let member = next.member else { return }
        SavedEpoch(
            context: next.context, tree: next.tree, own: member.own, secrets: member.secrets,
            confirmationTag: member.confirmationTag
        ).write(to: &writer)
        member.keys.tree.write(to: &writer)
        if let renewed = member.renewedSigner { writer.opaque(renewed.bytes) }
    }
}
