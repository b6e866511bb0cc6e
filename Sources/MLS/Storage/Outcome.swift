/// What came out of a message and is kept until the caller is done with it.
///
/// The key of the message is spent by then, so this is all there is if the program ends before the caller has looked.
struct Outcome: Sendable {
    enum Body: Sendable {
        case application(ApplicationMessage)
        /// Somebody's commit, or our own with what is to be sent.
        case commit(StagedCommit, own: (message: MLSMessage, welcome: Welcome?)?)
    }

    let body: Body

    var received: Received {
        switch body {
        case .application(let message): .application(message)
        case .commit(let staged, _): .commit(staged)
        }
    }

    var ownCommit: OwnCommit? {
        guard case .commit(let staged, let own?) = body else { return nil }
        return OwnCommit(message: own.message, welcome: own.welcome, staged: staged)
    }

    var isCommit: Bool { if case .commit = body { true } else { false } }

    init(_ body: Body) { self.body = body }

    /// Reads what was kept.
    ///
    /// - Throws: `malformed`, or what is wrong with the epoch a commit leads to.
    init(_ bytes: [UInt8], of group: Group) throws(MLSError) {
        var reader = Reader(bytes, options: group.options.codec)
        try reader.savedVersion()
        switch try reader.integer(UInt8.self) {
        case 1: body = .application(try ApplicationMessage(from: &reader))
        case 2: body = .commit(try StagedCommit(from: &reader, of: group), own: nil)
        case 3:
            let own = (try MLSMessage(from: &reader), try reader.optional(Welcome.self))
            body = .commit(try StagedCommit(from: &reader, of: group), own: own)
        default: throw MLSError(.malformed, "an unknown kind of outcome")
        }
        try reader.requireEnd()
    }

    var encoded: [UInt8] {
        var writer = Writer()
        writer.integer(SavedGroup.version)
        switch body {
        case .application(let message):
            writer.integer(UInt8(1))
            message.write(to: &writer)
        case .commit(let staged, nil):
            writer.integer(UInt8(2))
            staged.write(to: &writer)
        case .commit(let staged, let own?):
            writer.integer(UInt8(3))
            own.message.write(to: &writer)
            writer.optional(own.welcome)
            staged.write(to: &writer)
        }
        return writer.bytes
    }
}

extension ApplicationMessage: MLSCodable {
    /// Reads a message that was decrypted.
    public init(from reader: inout Reader) throws(MLSError) {
        data = try reader.opaque()
        authenticatedData = try reader.opaque()
        sender = try LeafIndex(from: &reader)
        credential = try Credential(from: &reader)
        epoch = try reader.integer()
        generation = try reader.integer()
    }

    /// Appends the message.
    public func write(to writer: inout Writer) {
        writer.opaque(data)
        writer.opaque(authenticatedData)
        sender.write(to: &writer)
        credential.write(to: &writer)
        writer.integer(epoch)
        writer.integer(generation)
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

extension SavedGroup {
    /// What is kept of messages, by their hashes.
    func outcomes(of group: Group) throws(MLSError) -> [[UInt8]: Outcome] {
        var outcomes: [[UInt8]: Outcome] = [:]
        for (part, bytes) in parts {
            if case .outcome(let digest) = part { outcomes[digest] = try Outcome(bytes, of: group) }
        }
        return outcomes
    }
}

extension Group {
    func digest(of message: MLSMessage) -> [UInt8] { algorithms.digest(message.encoded) }
}
