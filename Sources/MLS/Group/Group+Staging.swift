/// Steps that making and following a commit share.
///
/// Source: RFC 9420 §12.4.
extension Group {
    /// What enters the key schedule besides the context.
    struct CommitSecrets {
        let initial: InitSecret
        let commit: CommitSecret
        let psk: PSKSecret
    }

    /// The proposals of a commit with their senders.
    ///
    /// - Throws: `missingProposal` for a reference to one that is not here, `invalidCommit` for two to one.
    func resolve(_ commit: Commit, committer: Sender) throws(MLSError) -> [SentProposal] {
        let references = commit.proposals.compactMap(\.reference)
        guard Set(references).count == references.count else {
            throw MLSError(.invalidCommit, "it refers to one proposal twice")
        }
        var found: [SentProposal] = []
        for one in commit.proposals {
            switch one {
            case .proposal(let proposal):
                guard proposal.type != .selfRemove else {
                    throw MLSError(.invalidCommit, "a SelfRemove by value")
                }
                found.append(SentProposal(proposal: proposal, sender: committer))
            case .reference(let reference):
                guard let sent = proposals[reference] else {
                    throw MLSError(.missingProposal, "a commit refers to it")
                }
                // Who joins can check nothing but who wants to leave, so that nobody's joining keeps anybody here.
                if committer == .newMemberCommit, sent.proposal.type != .selfRemove {
                    throw MLSError(.invalidCommit, "an external commit refers to a proposal")
                }
                found.append(sent)
            }
        }
        return found
    }

    /// The next context as the path of a commit sees it: the transcript is still the old one.
    func provisionalContext(_ change: inout EpochChange) -> GroupContext {
        GroupContext(
            cipherSuite: context.cipherSuite, groupID: groupID, epoch: epoch + 1, treeHash: change.rootHash(),
            confirmedTranscriptHash: context.confirmedTranscriptHash, extensions: change.extensions)
    }

    /// Runs the key schedule into the next epoch.
    func nextSecrets(
        _ provisional: GroupContext, _ commit: AuthenticatedContent, _ entering: CommitSecrets
    ) -> (context: GroupContext, joiner: JoinerStep, secrets: EpochSecrets, tag: [UInt8]) {
        var context = provisional
        context.confirmedTranscriptHash = algorithms.confirmedTranscriptHash(
            after: interimTranscriptHash, commit)
        let encoded = context.encoded
        let joiner = JoinerStep(
            initial: entering.initial, commit: entering.commit, context: encoded, algorithms)
        let secrets = joiner.epoch(psk: entering.psk, context: encoded, algorithms)
        let tag = algorithms.mac(context.confirmedTranscriptHash, key: secrets.confirmation)
        return (context, joiner, secrets, tag)
    }

    /// - Parameter renewed: our new key for signatures, if it changes.
    func member(
        _ own: PrivateTree, _ renewed: SignaturePrivateKey?, _ secrets: EpochSecrets, context: GroupContext,
        size: TreeSize, tag: [UInt8]
    ) throws(MLSError) -> NextEpoch.Member {
        var secrets = secrets
        let keys = try secrets.takeMessageKeys(size: size, limits: options.ratchetLimits)
        return NextEpoch.Member(
            own: own, renewedSigner: renewed?.publicKey == signer.publicKey ? nil : renewed, secrets: secrets,
            keys: keys,
            interimTranscriptHash: algorithms.interimTranscriptHash(
                after: context.confirmedTranscriptHash, confirmationTag: tag),
            confirmationTag: tag)
    }

    func staged(
        _ change: EpochChange, _ sent: [SentProposal], by committer: Sender, next: NextEpoch
    ) -> StagedCommit {
        StagedCommit(
            committer: committer, added: change.added, removed: change.list.removes,
            updated: change.list.updates.map(\.leaf), proposals: sent.map { ($0.proposal, $0.sender) },
            reInit: change.list.reInit, removesUs: next.member == nil, base: context.encoded, next: next)
    }
}
