/// Sending.
///
/// Source: RFC 9420 §6, §12.1, §15.
extension Group {
    /// Encrypts data of the application; the key is spent even if the message is never sent.
    ///
    /// - Throws: `unexpectedMessage` while proposals wait, which RFC 9420 §12.4 wants committed first, unless
    ///   ``GroupOptions/sendsBeforeCommitting`` is set.
    public mutating func encrypt(
        _ data: [UInt8], authenticatedData: [UInt8] = []
    ) throws(MLSError) -> MLSMessage {
        guard proposals.isEmpty || options.sendsBeforeCommitting else {
            throw MLSError(.unexpectedMessage, "proposals wait to be committed")
        }
        let (message, _) = try send(.application(data), authenticatedData, as: .privateMessage)
        return message
    }

    /// Which of our own messages in this epoch the next one is, counted from 0.
    ///
    /// Source: RFC 9420 §9.1.
    public var nextGeneration: UInt32 { keys.tree.application[ownIndex]?.generation ?? 0 }

    /// Proposes a change; it is kept for a commit of this epoch.
    ///
    /// - Throws: `invalidProposal` for a proposal a member cannot send, `refusedByPolicy`, `tooManyProposals`, or what is
    ///   wrong with a key package, such as one that is out of its lifetime.
    public mutating func propose(
        _ proposal: Proposal, authenticatedData: [UInt8] = []
    ) throws(MLSError) -> MLSMessage {
        let sender = Sender.member(ownIndex)
        guard sender.mayPropose(proposal.type, options.codec.customProposals) else {
            throw MLSError(.invalidProposal, "not for members")
        }
        guard policy.allows(proposal, from: sender) else { throw MLSError(.refusedByPolicy, "a proposal") }
        if case .add(let keyPackage) = proposal { try check(keyPackage, at: policy.now) }
        let sent = SentProposal(proposal: proposal, sender: sender)
        guard proposals.hasRoom(for: sent, ProposalRef([]), options.proposalLimits) else {
            throw MLSError(.tooManyProposals, "the others keep no more of ours")
        }
        // SelfRemove travels in the open, so that it can be committed from outside too.
        let wireFormat = proposal.type == .selfRemove ? .publicMessage : handshakeFormat
        let (message, content) = try send(.proposal(proposal), authenticatedData, as: wireFormat)
        proposals.insert(sent, algorithms.reference(toProposal: content), options.proposalLimits)
        return message
    }

    /// Proposes new keys for our own leaf.
    ///
    /// - Parameters:
    ///   - credential: nil keeps the one we have.
    ///   - signer: our key for signatures once somebody's commit of it is merged; nil keeps the one we have. The group
    ///     keeps it until then, and forgets it if the epoch ends otherwise.
    /// - Throws: what ``propose(_:authenticatedData:)`` throws, and `invalidKey` for a `signer` of another suite or of
    ///   another member. Source: RFC 9420 §7.2, §12.1.2.
    public mutating func proposeUpdate(
        credential: Credential? = nil, signer renewed: SignaturePrivateKey? = nil, authenticatedData: [UInt8] = []
    ) throws(MLSError) -> MLSMessage {
        if let renewed { try checkRenewal(to: renewed, in: tree, credential: credential) }
        let pair = try algorithms.generateKeyPair()
        let leaf = try ownLeaf(pair.publicKey, source: .update, credential: credential, signer: renewed)
        let message = try propose(.update(leaf), authenticatedData: authenticatedData)
        updateKeys[pair.publicKey] = pair.privateKey
        if let renewed, renewed.publicKey != signer.publicKey { updateSigners[renewed.publicKey] = renewed }
        return message
    }

    /// Nothing is sent in a group that ended by ReInit (RFC 9420 §12.4.2).
    func requireOpen() throws(MLSError) {
        guard successor == nil else { throw MLSError(.unexpectedMessage, "the group has ended by ReInit") }
    }

    var handshakeFormat: WireFormat { options.encryptsHandshake ? .privateMessage : .publicMessage }

    /// Our leaf with another encryption key, and perhaps another for signatures, by which it is signed.
    func ownLeaf(
        _ key: HPKEPublicKey, source: LeafNodeSource, credential: Credential? = nil,
        signer renewed: SignaturePrivateKey? = nil
    ) throws(MLSError) -> LeafNode {
        guard let old = tree.leaf(ownIndex) else { throw MLSError(.unknownSender, "we are not in the tree") }
        let signer = renewed ?? signer
        var leaf = LeafNode(
            encryptionKey: key, signatureKey: signer.publicKey, credential: credential ?? old.credential,
            capabilities: old.capabilities, source: source, extensions: old.extensions)
        leaf.signature = try algorithms.sign(
            leaf.toBeSigned(groupID: groupID, at: ownIndex), label: "LeafNodeTBS", key: signer)
        return leaf
    }

    /// Checks a key for signatures that is to become ours, as all others will.
    ///
    /// - Parameters:
    ///   - tree: with all who are there once it is ours.
    ///   - credential: ours then; nil for the one we have.
    /// - Throws: `invalidKey`, `refusedByPolicy`. Source: RFC 9420 §5.3.1, §7.3.
    func checkRenewal(
        to renewed: SignaturePrivateKey, in tree: RatchetTree, credential: Credential? = nil
    ) throws(MLSError) {
        guard renewed.fits(algorithms) else { throw MLSError(.invalidKey, "for signatures, of another suite") }
        guard !tree.members.contains(where: { $0.index != ownIndex && $0.leaf.signatureKey == renewed.publicKey })
        else { throw MLSError(.invalidKey, "another member signs with this key") }
        guard let credential = credential ?? tree.leaf(ownIndex)?.credential,
            policy.accepts(credential, of: renewed.publicKey)
        else { throw MLSError(.refusedByPolicy, "a credential") }
    }

    func framed(_ content: Content, _ authenticatedData: [UInt8]) -> FramedContent {
        FramedContent(
            groupID: groupID, epoch: epoch, sender: .member(ownIndex), authenticatedData: authenticatedData,
            content: content)
    }

    /// Wraps a signed message as its wire format asks.
    mutating func wrap(_ message: AuthenticatedContent, context: [UInt8]) throws(MLSError) -> MLSMessage {
        guard message.wireFormat == .privateMessage else {
            return MLSMessage(
                .publicMessage(
                    try algorithms.protect(message, context: context, membershipKey: secrets.membership)))
        }
        return MLSMessage(.privateMessage(try keys.protect(message, padding: options.padding, algorithms)))
    }

    private mutating func send(
        _ content: Content, _ authenticatedData: [UInt8], as wireFormat: WireFormat
    ) throws(MLSError) -> (MLSMessage, AuthenticatedContent) {
        try requireOpen()
        let encoded = context.encoded
        let signed = try algorithms.sign(
            framed(content, authenticatedData), as: wireFormat, context: encoded, key: signer)
        return (try wrap(signed, context: encoded), signed)
    }
}
