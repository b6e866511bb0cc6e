/// Choosing among the proposals that wait.
///
/// Source: RFC 9420 §12.2, §12.4.
extension Group {
    /// A proposal that came before, and how a commit names it.
    typealias WaitingProposal = (reference: ProposalRef, sent: SentProposal)

    /// The proposals that wait and that we may commit, in a fixed order.
    var committable: [WaitingProposal] {
        proposals
            .filter { _, sent in
                guard policy.commits(sent.proposal, from: sent.sender, in: self) else { return false }
                guard sent.sender == .member(ownIndex) else { return sent.proposal != .remove(ownIndex) }
                return sent.proposal.type != .update && sent.proposal.type != .selfRemove
            }
            .sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
            .map { ($0.key, $0.value) }
    }

    /// Those proposals that are valid by themselves and beside those that go before them.
    ///
    /// So nobody can keep us from committing by what they propose.
    ///
    /// - Parameter changes: what the commit holds besides.
    func compatible(_ waiting: [WaitingProposal], with changes: [Proposal]) -> [WaitingProposal] {
        var kept: [WaitingProposal] = []
        for rank in 0...3 {
            for one in waiting where one.sent.proposal.rank == rank && isValid(kept + [one], with: changes) {
                kept.append(one)
            }
        }
        return kept
    }

    private func isValid(_ waiting: [WaitingProposal], with changes: [Proposal]) -> Bool {
        let sender = Sender.member(ownIndex)
        do {
            let list = try ProposalList(
                waiting.map(\.sent) + changes.map { SentProposal(proposal: $0, sender: sender) }, committer: sender,
                registered: options.codec.customProposals, algorithms)
            _ = try preSharedKeys(list.psks)
            _ = try EpochChange(list, to: self, at: policy.now)
            return true
        } catch {
            return false
        }
    }
}

extension Proposal {
    /// What goes first when two proposals exclude each other: who leaves, then anything else, ReInit last.
    fileprivate var rank: Int {
        switch self {
        case .custom(.selfRemove, _): 0
        case .remove: 1
        case .reInit: 3
        default: 2
        }
    }
}
