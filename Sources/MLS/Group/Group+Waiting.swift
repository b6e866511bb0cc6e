/// Choosing among the proposals that wait.
///
/// Source: RFC 9420 §12.2, §12.4.
extension Group {
    /// The proposals that wait and that we may commit, in the order they came.
    var committable: [WaitingProposal] {
        proposals.inOrder.filter { one in
            let sent = one.sent
            guard policy.commits(sent.proposal, from: sent.sender, in: self) else { return false }
            guard sent.sender == .member(ownIndex) else { return sent.proposal != .remove(ownIndex) }
            return sent.proposal.type != .update && sent.proposal.type != .selfRemove
        }
    }

    /// Those proposals that are valid by themselves and beside each other, in the order they came.
    ///
    /// So nobody can keep us from committing by what they propose.
    ///
    /// - Parameter changes: what the commit holds besides.
    func compatible(_ waiting: [WaitingProposal], with changes: [Proposal]) -> [WaitingProposal] {
        var selection = ProposalSelection(self, beside: changes)
        let chosen = Set(selection.choose(among: waiting).map(\.reference))
        return waiting.filter { chosen.contains($0.reference) }
    }

    /// Keeps a proposal for a commit of this epoch, if there is room.
    ///
    /// - Throws: `tooManyProposals`.
    mutating func keep(_ sent: SentProposal, as reference: ProposalRef) throws(MLSError) {
        guard proposals.hasRoom(for: sent, reference, options.proposalLimits) else {
            throw MLSError(.tooManyProposals, "as many of this sender wait as are kept")
        }
        proposals.insert(sent, reference, options.proposalLimits)
    }

    /// Keeps room for the proposals that a commit names and that are not here.
    ///
    /// To be called when a commit was refused with `missingProposal`: after that, proposals that were refused with
    /// `tooManyProposals` are taken if it names them, and then the commit can be read again. Nothing is spent, and what
    /// one member's commits get this way is bounded (``ProposalLimits/named``).
    ///
    /// - Throws: what ``process(_:)`` throws; `unexpectedMessage` for what is no commit of a member, `limitExceeded` for
    ///   one that names more than any list of proposals should hold.
    public mutating func keepRoom(forProposalsOf message: MLSMessage) throws(MLSError) {
        guard message.epoch?.groupID == groupID else { throw MLSError(.wrongGroup) }
        let content = try authenticated(message).content.content
        guard case .commit(let commit) = content.content, case .member = content.sender else {
            throw MLSError(.unexpectedMessage, "no commit of a member")
        }
        let names = Set(commit.proposals.compactMap(\.reference)).filter { proposals[$0] == nil }
        guard names.count <= ProposalLimits.mostNamed else { throw MLSError(.limitExceeded, "proposals of a commit") }
        proposals.keepRoom(for: names, namedBy: content.sender)
    }
}
