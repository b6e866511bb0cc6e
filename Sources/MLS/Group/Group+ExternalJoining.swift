/// Joining without being added.
///
/// Source: RFC 9420 §12.4.3.2.
extension Group {
    /// What somebody outside needs to join by their own commit; anybody who has it can.
    ///
    /// - Parameter withTree: whether it carries the tree.
    public func groupInfo(withTree: Bool = true) throws(MLSError) -> MLSMessage {
        try requireOpen()
        var extensions = infoExtensions(tree: withTree ? tree : nil)
        extensions.append(
            Extension(
                type: .externalPub, data: try secrets.externalKeyPair(algorithms).publicKey.encoded))
        var info = GroupInfo(
            context: context, extensions: extensions, confirmationTag: confirmationTag, signer: ownIndex)
        info.signature = try algorithms.sign(info.toBeSigned, label: "GroupInfoTBS", key: signer)
        return MLSMessage(.groupInfo(info))
    }

    /// Joins by a commit of our own.
    ///
    /// - Parameters:
    ///   - own: whose leaf becomes ours, under new keys; it is spent.
    ///   - tree: the encoded ratchet tree, if it does not come in the GroupInfo.
    ///   - former: our own place, if we were a member and lost our state.
    ///   - psks: external pre-shared keys by id that we bring in, to show that we have them; members must have them too.
    ///   - leaving: the SelfRemove proposals of members, as they sent them in the epoch of the GroupInfo: our commit lets
    ///     them go, or they would have to ask again. One of each is used. Source: the MLS extensions draft.
    /// - Returns: the group after the commit, and the commit for the members.
    /// - Throws: `invalidWelcome`, `badSignature`, what is wrong with the tree, or what is wrong with a message of somebody
    ///   who leaves; without that message it may work.
    public static func join(
        _ message: MLSMessage, with own: OwnKeyPackage, tree encodedTree: [UInt8]? = nil, former: LeafIndex? = nil,
        psks: [[UInt8]: [UInt8]] = [:], leaving: [MLSMessage] = [], policy: any GroupPolicy,
        options: GroupOptions = GroupOptions()
    ) throws(MLSError) -> (group: Group, commit: MLSMessage) {
        guard case .groupInfo(let info) = message.body else { throw MLSError(.unexpectedMessage, "no GroupInfo") }
        var outside = try Outsider(info, own, encodedTree, former: former, policy, options)
        let (kemOutput, initial) = try outside.enter()
        var proposals = [Proposal.externalInit(kemOutput: kemOutput)]
        if let former { proposals.append(.remove(former)) }
        proposals += outside.bring(psks)
        let leaving = try outside.letGo(leaving)
        let sent = proposals.map { SentProposal(proposal: $0, sender: .newMemberCommit) }
        let list = try ProposalList(
            sent + leaving.map(\.sent), committer: .newMemberCommit, registered: options.codec.customProposals,
            outside.group.algorithms)
        var change = try EpochChange(list, to: outside.group, at: nil)
        let path = try outside.path(&change)
        let provisional = outside.group.provisionalContext(&change)
        let commit = Commit(
            proposals: sent.map { .proposal($0.proposal) } + leaving.map { .reference($0.reference) },
            path: try path.encrypted(in: change.tree, newLeaves: [], context: provisional.encoded))
        let secrets = Group.CommitSecrets(
            initial: initial, commit: path.commit,
            psk: outside.group.algorithms.pskSecret(try outside.group.preSharedKeys(list.psks)))
        return try outside.finish(commit, change, path, provisional, secrets)
    }
}

/// Somebody who looks at a group from outside, with a tree they validated and no secrets yet.
private struct Outsider {
    var group: Group
    private let own: OwnKeyPackage
    private let info: GroupInfo

    init(
        _ info: GroupInfo, _ own: OwnKeyPackage, _ encodedTree: [UInt8]?, former: LeafIndex?,
        _ policy: any GroupPolicy, _ options: GroupOptions
    ) throws(MLSError) {
        guard info.context.version == .mls10, info.context.cipherSuite == own.keyPackage.cipherSuite else {
            throw MLSError(.invalidWelcome, "the group has another cipher suite or version")
        }
        try info.extensions.requireUnique(.invalidWelcome)
        guard former != nil || !policy.isMember(of: info.context.groupID) else {
            throw MLSError(.invalidWelcome, "we are in a group of this id")
        }
        group = try Group(creating: info.context.groupID, with: own, policy: policy, options: options)
        group.tree = try Group.checkedTree(of: info, encodedTree, policy, options, group.algorithms)
        try group.tree.checkLifetimes(besides: former, policy)
        group.context = info.context
        group.confirmationTag = info.confirmationTag
        group.interimTranscriptHash = group.algorithms.interimTranscriptHash(
            after: info.context.confirmedTranscriptHash, confirmationTag: info.confirmationTag)
        group.psks = PSKs()
        (self.own, self.info) = (own, info)
    }

    func enter() throws(MLSError) -> (kemOutput: [UInt8], secret: InitSecret) {
        guard let key = try info.extensions.value(.externalPub, as: HPKEPublicKey.self) else {
            throw MLSError(.invalidWelcome, "there is no key for external commits")
        }
        return try group.algorithms.exportInitSecret(to: key)
    }

    /// Proposes pre-shared keys, each under a nonce of its own.
    mutating func bring(_ psks: [[UInt8]: [UInt8]]) -> [Proposal] {
        for (id, key) in psks { group.setPSK(key, id: id) }
        return psks.keys.sorted { $0.lexicographicallyPrecedes($1) }.map {
            .preSharedKey(
                PreSharedKeyID(source: .external(id: $0), nonce: Algorithms.random(group.algorithms.hashLength)))
        }
    }

    /// Takes the proposals of those who leave; their tags are for members to check.
    func letGo(_ messages: [MLSMessage]) throws(MLSError) -> [WaitingProposal] {
        var found: [WaitingProposal] = []
        for message in messages {
            guard case .publicMessage(let message) = message.body, case .member(let leaf) = message.content.sender,
                case .proposal(let proposal) = message.content.content, proposal.type == .selfRemove
            else { throw MLSError(.unexpectedMessage, "nobody who leaves") }
            guard message.content.groupID == group.groupID else { throw MLSError(.wrongGroup) }
            guard message.content.epoch == group.epoch else { throw MLSError(.wrongEpoch) }
            guard let key = group.tree.leaf(leaf)?.signatureKey else { throw MLSError(.unknownSender) }
            let content = AuthenticatedContent(
                wireFormat: .publicMessage, content: message.content, auth: message.auth)
            try group.algorithms.verify(content, context: info.context.encoded, key: key)
            let sent = SentProposal(proposal: proposal, sender: message.content.sender)
            guard !found.contains(where: { $0.sent == sent }) else { continue }
            found.append(WaitingProposal(reference: group.algorithms.reference(toProposal: content), sent: sent))
        }
        return found
    }

    func path(_ change: inout EpochChange) throws(MLSError) -> NewPath {
        let (template, algorithms) = (own.keyPackage.leafNode, group.algorithms)
        try GroupRequirements(change.extensions).check(template)
        let index = change.join(template)
        let (signer, groupID) = (own.signer, group.groupID)
        let path = try change.makePath(at: index) { (key, parentHash) throws(MLSError) in
            var leaf = LeafNode(
                encryptionKey: key, signatureKey: template.signatureKey, credential: template.credential,
                capabilities: template.capabilities, source: .commit(parentHash: parentHash),
                extensions: template.extensions)
            leaf.signature = try algorithms.sign(
                leaf.toBeSigned(groupID: groupID, at: index), label: "LeafNodeTBS", key: signer)
            return leaf
        }
        try change.tree.requireUniqueKeys()
        try change.tree.requireSharedCredentials()
        return path
    }

    func finish(
        _ commit: Commit, _ change: EpochChange, _ path: NewPath, _ provisional: GroupContext,
        _ secrets: Group.CommitSecrets
    ) throws(MLSError) -> (group: Group, commit: MLSMessage) {
        let algorithms = group.algorithms
        let encoded = info.context.encoded
        let content = FramedContent(
            groupID: group.groupID, epoch: group.epoch, sender: .newMemberCommit, authenticatedData: [],
            content: .commit(commit))
        var signed = try algorithms.sign(content, as: .publicMessage, context: encoded, key: own.signer)
        let next = group.nextSecrets(provisional, signed, secrets)
        signed.auth.confirmationTag = next.tag
        let member = try group.member(
            path.privateTree, nil, next.secrets, context: next.context, size: change.tree.size, tag: next.tag)
        var joined = group
        let state = NextEpoch(context: next.context, tree: change.tree, member: member)
        try joined.merge(group.staged(change, [], by: .newMemberCommit, next: state))
        joined.past = []
        let message = PublicMessage(content: content, auth: signed.auth, membershipTag: nil)
        return (joined, MLSMessage(.publicMessage(message)))
    }
}
