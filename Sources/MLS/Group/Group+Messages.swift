/// What came out of a message.
public enum Received: Sendable {
    /// Data of the application.
    case application(ApplicationMessage)
    /// A proposal, kept for a commit of this epoch.
    case proposal(Proposal, from: Sender, reference: ProposalRef)
    /// A commit, for the caller to inspect and merge.
    case commit(StagedCommit)
}

/// Data that a member sent.
public struct ApplicationMessage: Sendable {
    /// The data.
    public let data: [UInt8]
    /// What was authenticated but not encrypted.
    public let authenticatedData: [UInt8]
    /// The place of the sender in that epoch.
    public let sender: LeafIndex
    /// Who the sender was in that epoch.
    public let credential: Credential
    /// The key that verified the message: that of the sender's leaf in that epoch.
    public let signatureKey: SignaturePublicKey
    /// The epoch the message was sent in.
    public let epoch: UInt64
    /// Which of the sender's messages in that epoch it is, counted from 0; some of them may never arrive.
    ///
    /// Source: RFC 9420 §9.1.
    public let generation: UInt32

    init(
        _ data: [UInt8], _ content: FramedContent, generation: UInt32, from sender: LeafIndex, _ credential: Credential,
        _ signatureKey: SignaturePublicKey
    ) {
        (self.data, authenticatedData, epoch) = (data, content.authenticatedData, content.epoch)
        (self.generation, self.sender, self.credential) = (generation, sender, credential)
        self.signatureKey = signatureKey
    }
}

extension Group {
    /// Opens a message for this group.
    ///
    /// - Throws: `wrongGroup`, `wrongEpoch`, `unknownSender`, `badSignature`, `badTag`, `decryptionFailed`,
    ///   `keyConsumed`, `tooFarAhead`, `unexpectedMessage`, or why a proposal or commit is refused. Two of these are only
    ///   for now, and the message is to be kept: `missingProposal` for a commit that names a proposal that is not here,
    ///   after which ``keepRoom(forProposalsOf:)`` is called, and `tooManyProposals` for a proposal that has no room.
    public mutating func process(_ message: MLSMessage) throws(MLSError) -> Received {
        guard let address = message.epoch else { throw MLSError(.unexpectedMessage, "not for members") }
        guard address.groupID == groupID else { throw MLSError(.wrongGroup) }
        if case .privateMessage(let message) = message.body, message.epoch != epoch {
            return .application(try openLate(message))
        }
        let (content, opened) = try authenticated(message)
        let received = try receive(content, generation: opened?.generation)
        if let opened { keys.spend(opened) }
        return received
    }

    /// What is in a message of this epoch, and by whom, which is checked; the key of a private one is not spent yet.
    mutating func authenticated(
        _ message: MLSMessage
    ) throws(MLSError) -> (content: AuthenticatedContent, opened: MessageKeys.Opened?) {
        guard message.epoch?.epoch == epoch else { throw MLSError(.wrongEpoch) }
        let encoded = context.encoded
        switch message.body {
        case .privateMessage(let message):
            let opened = try keys.open(message, options: options.codec, algorithms)
            let content = opened.content
            try algorithms.verify(content, context: encoded, key: signatureKey(of: content.content))
            return (content, opened)
        case .publicMessage(let message):
            let content = try algorithms.unprotect(
                message, context: encoded, membershipKey: secrets.membership)
            try algorithms.verify(content, context: encoded, key: signatureKey(of: content.content))
            return (content, nil)
        default: throw MLSError(.unexpectedMessage, "not for members")
        }
    }

    private mutating func receive(
        _ message: AuthenticatedContent, generation: UInt32?
    ) throws(MLSError) -> Received {
        switch message.content.content {
        case .application(let data):
            guard case .member(let index) = message.content.sender, let leaf = tree.leaf(index), let generation else {
                throw MLSError(.unknownSender)
            }
            return .application(
                ApplicationMessage(
                    data, message.content, generation: generation, from: index, leaf.credential, leaf.signatureKey))
        case .proposal(let proposal):
            return try receive(proposal, message)
        case .commit(let commit):
            return .commit(try stage(message, commit))
        }
    }

    private mutating func receive(
        _ proposal: Proposal, _ message: AuthenticatedContent
    ) throws(MLSError) -> Received {
        let sender = message.content.sender
        try requireOpen()
        guard sender.mayPropose(proposal.type, options.codec.customProposals) else {
            throw MLSError(.invalidProposal, "not for this kind of sender")
        }
        guard proposal.type != .selfRemove || message.wireFormat == .publicMessage else {
            throw MLSError(.invalidProposal, "a SelfRemove is not encrypted")
        }
        guard policy.allows(proposal, from: sender) else { throw MLSError(.refusedByPolicy, "a proposal") }
        let reference = algorithms.reference(toProposal: message)
        try keep(SentProposal(proposal: proposal, sender: sender), as: reference)
        return .proposal(proposal, from: sender, reference: reference)
    }

    /// A message of a past epoch, signed by a member of that epoch.
    private mutating func openLate(_ message: PrivateMessage) throws(MLSError) -> ApplicationMessage {
        guard let place = past.firstIndex(where: { $0.epoch == message.epoch }) else {
            throw MLSError(.wrongEpoch, "epoch \(message.epoch)")
        }
        guard message.contentType == .application else {
            throw MLSError(.wrongEpoch, "a proposal or commit of a past epoch")
        }
        let opened = try past[place].keys.open(message, options: options.codec, algorithms)
        let content = opened.content
        guard case .member(let index) = content.content.sender, let member = past[place].member(index) else {
            throw MLSError(.unknownSender)
        }
        try algorithms.verify(content, context: past[place].context, key: member.signatureKey)
        guard case .application(let data) = content.content.content else { throw MLSError(.unexpectedMessage) }
        past[place].keys.spend(opened)
        return ApplicationMessage(
            data, content.content, generation: opened.generation, from: index, member.credential, member.signatureKey)
    }

    /// The key that must have signed a message.
    ///
    /// Source: RFC 9420 §6.1.
    private func signatureKey(of content: FramedContent) throws(MLSError) -> SignaturePublicKey {
        switch (content.sender, content.content) {
        case (.member(let index), _):
            guard let leaf = tree.leaf(index) else { throw MLSError(.unknownSender) }
            return leaf.signatureKey
        case (.external(let place), .proposal):
            let list = try ExternalSenders(in: context.extensions).senders
            guard list.indices.contains(Int(place)) else { throw MLSError(.unknownSender) }
            return list[Int(place)].signatureKey
        case (.newMemberProposal, .proposal(.add(let keyPackage))): return keyPackage.leafNode.signatureKey
        case (.newMemberCommit, .commit(let commit)):
            guard let path = commit.path else { throw MLSError(.invalidCommit, "an external commit without path") }
            return path.leafNode.signatureKey
        default: throw MLSError(.unexpectedMessage, "this sender cannot send this")
        }
    }
}

extension Sender {
    /// Which proposals may come from where.
    ///
    /// Source: RFC 9420 §12.1.8.
    func mayPropose(_ type: ProposalType, _ registered: [ProposalType: CustomProposal]) -> Bool {
        switch self {
        case .member: type != .externalInit && (ProposalType.defaults.contains(type) || registered[type] != nil)
        case .external:
            [.add, .remove, .preSharedKey, .reInit, .groupContextExtensions].contains(type)
                || registered[type]?.isForExternalSenders ?? false
        case .newMemberProposal: type == .add
        case .newMemberCommit: false
        }
    }
}
