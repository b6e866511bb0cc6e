/// Following somebody's commit.
///
/// Source: RFC 9420 §12.4.2.
extension Group {
    /// Checks a commit whose signature is verified, and computes the epoch it leads to.
    func stage(_ message: AuthenticatedContent, _ commit: Commit) throws(MLSError) -> StagedCommit {
        let committer = message.content.sender
        try requireOpen()
        let sent = try resolve(commit, committer: committer)
        for one in sent where !policy.allows(one.proposal, from: one.sender) {
            throw MLSError(.refusedByPolicy, "a proposal")
        }
        let list = try ProposalList(
            sent, committer: committer, registered: options.codec.customProposals, algorithms)
        guard commit.path != nil || !list.requiresPath else { throw MLSError(.invalidCommit, "a path is missing") }
        var change = try EpochChange(list, to: self, at: nil)
        let from = try mergePath(commit.path, of: committer, into: &change)
        let provisional = provisionalContext(&change)
        guard !list.removes.contains(ownIndex) else {
            return staged(change, sent, by: committer, next: NextEpoch(context: provisional, tree: change.tree))
        }
        let kept = try ownKeys(after: change)
        var own = kept.tree
        var commitSecret: CommitSecret = algorithms.zero()
        if let path = commit.path {
            commitSecret =
                try own.open(
                    path, from: from, in: change.tree, newLeaves: Set(change.added), context: provisional.encoded
                ).commit
        }
        let next = nextSecrets(
            provisional, message,
            CommitSecrets(
                initial: try initialSecret(list), commit: commitSecret,
                psk: algorithms.pskSecret(try preSharedKeys(list.psks))))
        guard let tag = message.auth.confirmationTag,
            algorithms.isValid(mac: tag, of: next.context.confirmedTranscriptHash, key: next.secrets.confirmation)
        else { throw MLSError(.badTag, "confirmation") }
        let member = try member(
            own, kept.renewed, next.secrets, context: next.context, size: change.tree.size, tag: tag)
        return staged(
            change, sent, by: committer,
            next: NextEpoch(context: next.context, tree: change.tree, member: member))
    }

    /// Checks the committer's new leaf and puts the path into the tree.
    private func mergePath(
        _ path: UpdatePath?, of committer: Sender, into change: inout EpochChange
    ) throws(MLSError) -> LeafIndex {
        switch committer {
        case .member(let index):
            guard index != ownIndex else { throw MLSError(.unexpectedMessage, "our own commit") }
            guard let path else { return index }
            guard case .commit = path.leafNode.source else {
                throw MLSError(.invalidLeafNode, "not a leaf of a commit")
            }
            try checkReplacement(path.leafNode, at: index)
            try finish(path, at: index, old: tree.leaf(index), &change)
            return index
        case .newMemberCommit:
            guard let path, case .commit = path.leafNode.source else {
                throw MLSError(.invalidCommit, "an external commit without path")
            }
            let index = change.join(path.leafNode)
            try path.leafNode.validate(groupID: groupID, at: index, algorithms)
            guard policy.accepts(path.leafNode.credential, of: path.leafNode.signatureKey) else {
                throw MLSError(.refusedByPolicy, "a credential")
            }
            if let former = change.list.former, let old = tree.leaf(former) {
                guard old.encryptionKey != path.leafNode.encryptionKey else {
                    throw MLSError(.invalidLeafNode, "it keeps its encryption key")
                }
                guard policy.allows(path.leafNode.credential, after: old.credential) else {
                    throw MLSError(.refusedByPolicy, "a credential")
                }
            }
            try finish(path, at: index, old: nil, &change)
            return index
        case .external, .newMemberProposal: throw MLSError(.invalidCommit, "from somebody who cannot commit")
        }
    }

    private func finish(
        _ path: UpdatePath, at index: LeafIndex, old: LeafNode?, _ change: inout EpochChange
    ) throws(MLSError) {
        try GroupRequirements(change.extensions).check(path.leafNode)
        try change.tree.requireNewKeys(path, from: index, isThere: old == nil)
        try change.merge(path, from: index)
        if old?.credential.type != path.leafNode.credential.type || old?.capabilities != path.leafNode.capabilities {
            try change.tree.requireSharedCredentials()
        }
    }

    /// Our private keys after the proposals, before the path; the one for signatures only if it is a new one.
    func ownKeys(after change: EpochChange) throws(MLSError) -> (tree: PrivateTree, renewed: SignaturePrivateKey?) {
        var (own, renewed) = (own, SignaturePrivateKey?.none)
        if let update = change.list.updates.first(where: { $0.leaf == ownIndex })?.node {
            guard let key = updateKeys[update.encryptionKey] else {
                throw MLSError(.missingKey, "of our own Update")
            }
            own.leafKey = key
            own.pathKeys = [:]
            if update.signatureKey != signer.publicKey {
                guard let key = updateSigners[update.signatureKey] else {
                    throw MLSError(.missingKey, "for signatures, of our own Update")
                }
                renewed = key
            }
        }
        own.forgetBlanks(in: change.tree)
        return (own, renewed)
    }

    private func initialSecret(_ list: ProposalList) throws(MLSError) -> InitSecret {
        guard let kemOutput = list.kemOutput else { return secrets.initial }
        return try algorithms.exportInitSecret(
            from: kemOutput, with: secrets.externalKeyPair(algorithms).privateKey)
    }
}
