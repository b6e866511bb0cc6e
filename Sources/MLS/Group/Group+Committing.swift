/// What a commit of our own brings: a message for the members, a Welcome for the new ones, and our next state.
public struct OwnCommit: Sendable {
    /// For the members.
    public let message: MLSMessage
    /// For those it adds; nothing if it adds nobody.
    public let welcome: Welcome?
    /// To be merged once the message is accepted by the service that orders commits.
    public let staged: StagedCommit
}

/// Making a commit.
///
/// Source: RFC 9420 §12.4.1.
extension Group {
    /// Commits proposals: those that wait, and some of our own.
    ///
    /// The group stays in its epoch until the staged commit is merged.
    ///
    /// - Parameters:
    ///   - changes: proposals to put into the commit itself.
    ///   - withPending: whether the proposals that wait are committed too, those left out that are invalid or stand in
    ///     the way of others; our own Update cannot be.
    ///   - freshKeys: whether we renew our keys for encryption even if we need not.
    ///   - signer: our key for signatures once the commit is merged; nil keeps the one we have. Made with
    ///     ``SignaturePrivateKey/init(for:)``, it needs no other place to rest: the group has it. The commit itself is
    ///     signed with the one we have, the new leaf and what the Welcome says of the group with the new one.
    ///   - treeInWelcome: whether the Welcome carries the tree.
    /// - Throws: `invalidProposal`, `invalidCommit`, `missingPSK`, `refusedByPolicy`, `invalidKey` for a `signer` of
    ///   another suite or of another member, or what is wrong with a leaf or key package, such as one that is out of its
    ///   lifetime. Source: RFC 9420 §6.1, §7.2, §12.4.1.
    public mutating func commit(
        _ changes: [Proposal] = [], withPending: Bool = true, freshKeys: Bool = true,
        signer: SignaturePrivateKey? = nil, treeInWelcome: Bool = true, authenticatedData: [UInt8] = []
    ) throws(MLSError) -> OwnCommit {
        try requireOpen()
        let manner = CommitOptions(
            freshKeys: freshKeys, signer: signer, treeInWelcome: treeInWelcome, authenticatedData: authenticatedData)
        let waiting = withPending ? committable : []
        do {
            return try commit(changes, pending: waiting, manner)
        } catch {
            guard !waiting.isEmpty else { throw error }
            // What waits may be at odds with itself or with us; if even a choice of it is, our own comes first.
            if let chosen = try? commit(changes, pending: compatible(waiting, with: changes), manner) { return chosen }
            return try commit(changes, pending: [], manner)
        }
    }

    /// How a commit is made, whatever it holds.
    struct CommitOptions {
        var freshKeys = true
        var signer: SignaturePrivateKey?
        var treeInWelcome = true
        var authenticatedData: [UInt8] = []
        var founding: Founding?
    }

    mutating func commit(
        _ changes: [Proposal], pending: [WaitingProposal], _ manner: CommitOptions
    ) throws(MLSError) -> OwnCommit {
        let sender = Sender.member(ownIndex)
        let sent = pending.map(\.sent) + changes.map { SentProposal(proposal: $0, sender: sender) }
        try checkMayCommit(sent, byValue: changes)
        let list = try ProposalList(
            sent, committer: sender, registered: options.codec.customProposals, founding: manner.founding?.usage,
            algorithms)
        let psks = if let founding = manner.founding { [founding.key] } else { try preSharedKeys(list.psks) }
        var change = try EpochChange(list, to: self, at: policy.now)
        let needsPath = list.requiresPath || (manner.freshKeys && list.reInit == nil) || manner.signer != nil
        let path = needsPath ? try newPath(&change, manner.signer) : nil
        let provisional = provisionalContext(&change)
        let commit = Commit(
            proposals: pending.map { .reference($0.reference) } + changes.map { .proposal($0) },
            path: try path?.encrypted(in: change.tree, newLeaves: Set(change.added), context: provisional.encoded))
        let encoded = context.encoded
        var signed = try algorithms.sign(
            framed(.commit(commit), manner.authenticatedData), as: handshakeFormat, context: encoded, key: signer)
        let next = nextSecrets(
            provisional, signed,
            CommitSecrets(
                initial: secrets.initial, commit: path?.commit ?? algorithms.zero(), psk: algorithms.pskSecret(psks)))
        signed.auth.confirmationTag = next.tag
        let own = if let path { path.privateTree } else { try ownKeys(after: change).tree }
        let member = try member(
            own, manner.signer, next.secrets, context: next.context, size: change.tree.size, tag: next.tag)
        let welcome = try Self.welcome(
            change, path, next.joiner, psks, signedBy: manner.signer ?? signer,
            GroupInfo(
                context: next.context,
                extensions: infoExtensions(tree: manner.treeInWelcome && !change.added.isEmpty ? change.tree : nil),
                confirmationTag: next.tag, signer: ownIndex))
        let message = try wrap(signed, context: encoded)
        let state = NextEpoch(context: next.context, tree: change.tree, member: member)
        return OwnCommit(
            message: message, welcome: welcome, staged: staged(change, sent, by: sender, next: state))
    }

    private func checkMayCommit(_ sent: [SentProposal], byValue changes: [Proposal]) throws(MLSError) {
        for one in sent where !policy.allows(one.proposal, from: one.sender) {
            throw MLSError(.refusedByPolicy, "a proposal")
        }
        guard !changes.contains(where: { $0.type == .selfRemove }) else {
            throw MLSError(.invalidCommit, "a SelfRemove by value")
        }
    }

    private func newPath(
        _ change: inout EpochChange, _ renewed: SignaturePrivateKey?
    ) throws(MLSError) -> NewPath {
        if let renewed { try checkRenewal(to: renewed, in: change.tree) }
        return try change.makePath(at: ownIndex) { (key, parentHash) throws(MLSError) in
            try ownLeaf(key, source: .commit(parentHash: parentHash), signer: renewed)
        }
    }
}

extension RatchetTree {
    var asExtension: Extension { Extension(type: .ratchetTree, data: list.encoded) }
}
