/// Chooses among proposals that wait, in one pass over the members and one over the proposals.
///
/// It takes what is valid beside what it took before. What it takes makes a valid list; where that would need a closer
/// look, such as at a key that comes free, it leaves a proposal for another commit. Source: RFC 9420 §12.2.
struct ProposalSelection {
    private let group: Group
    /// Whether our commit holds nothing else.
    private let isAlone: Bool
    private let added: [KeyPackage]
    /// The leaves that a proposal changes; none is changed twice.
    private var changed: Set<LeafIndex> = []
    private var removed: Set<LeafIndex> = []
    private var psks: Set<PreSharedKeyID> = []
    private var replacesContext: Bool
    /// What the context after the commit asks of a leaf; nothing if it cannot be read.
    private var requirements: GroupRequirements?
    private var reInit: ReInit?
    private var acceptedAny = false
    private let allCanLeave: Bool
    private var staying: StayingMembers?

    /// - Parameter changes: what our commit holds besides.
    init(_ group: Group, beside changes: [Proposal]) {
        self.group = group
        isAlone = changes.isEmpty
        var extensions: [Extension]?
        for change in changes {
            switch change {
            case .remove(let leaf): removed.insert(leaf)
            case .preSharedKey(let id): psks.insert(id)
            case .groupContextExtensions(let list): extensions = list
            case .reInit(let parameters): reInit = parameters
            case .add, .update, .externalInit, .custom: continue
            }
        }
        changed = removed
        replacesContext = extensions != nil
        // If they cannot be read, our commit does not come about, whatever is chosen.
        requirements = try? GroupRequirements(extensions ?? group.context.extensions)
        let removed = removed
        allCanLeave = group.tree.members.allSatisfy {
            removed.contains($0.index) || $0.leaf.capabilities.supports(.selfRemove)
        }
        added = changes.compactMap { if case .add(let keyPackage) = $0 { keyPackage } else { nil } }
    }

    /// Those of a list that are taken: first who leaves or is removed, then other extensions, then the rest with the last
    /// Update of each member, and a ReInit if there is nothing else.
    mutating func choose(among waiting: [WaitingProposal]) -> [WaitingProposal] {
        var ranks = [[WaitingProposal]](repeating: [], count: 6)
        for one in waiting { ranks[one.sent.proposal.rank].append(one) }
        ranks[Proposal.rankOfUpdates].reverse()
        return ranks.flatMap { rank in rank.filter { accepts($0.sent) } }
    }

    private mutating func accepts(_ sent: SentProposal) -> Bool {
        guard reInit == nil, group.policy.allows(sent.proposal, from: sent.sender),
            // Only whether it may be in a list at all; what it does to others is looked at after that.
            passes({ () throws(MLSError) in
                _ = try ProposalList(
                    [sent], committer: .member(group.ownIndex), registered: group.options.codec.customProposals,
                    group.algorithms)
            }), fits(sent)
        else { return false }
        acceptedAny = true
        return true
    }

    private mutating func fits(_ sent: SentProposal) -> Bool {
        switch sent.proposal {
        case .custom(.selfRemove, _):
            guard allCanLeave, case .member(let leaf) = sent.sender else { return false }
            return removes(leaf)
        case .remove(let leaf): return removes(leaf)
        case .groupContextExtensions(let list): return replacesExtensions(list)
        case .update(let leaf):
            guard case .member(let index) = sent.sender else { return false }
            return updates(index, leaf)
        case .add(let keyPackage): return adds(keyPackage)
        case .preSharedKey(let id):
            guard passes({ () throws(MLSError) in _ = try group.preSharedKeys([id]) }), psks.count < Int(UInt16.max)
            else { return false }
            return psks.insert(id).inserted
        case .custom(let type, _): return stayingMembers { $0.allSupport(type) }
        case .reInit(let parameters):
            guard isAlone, !acceptedAny,
                passes({ () throws(MLSError) in try parameters.checkExternalSenders(group.policy) })
            else { return false }
            reInit = parameters
            return true
        case .externalInit: return false
        }
    }

    private mutating func removes(_ leaf: LeafIndex) -> Bool {
        guard leaf != group.ownIndex, group.tree.leaf(leaf) != nil, changed.insert(leaf).inserted else { return false }
        removed.insert(leaf)
        return true
    }

    private mutating func replacesExtensions(_ list: [Extension]) -> Bool {
        // What cannot be read is not taken.
        guard !replacesContext, let requirements = try? GroupRequirements(list),
            passes({ () throws(MLSError) in try group.checkExternalSenders(in: list) }),
            stayingMembers({ $0.meet(requirements) })
        else { return false }
        (replacesContext, self.requirements) = (true, requirements)
        return true
    }

    private mutating func updates(_ index: LeafIndex, _ leaf: LeafNode) -> Bool {
        let former = group.tree.leaf(index)
        guard !changed.contains(index),
            passes({ () throws(MLSError) in try EpochChange.checkUpdate(leaf, at: index, in: group) }),
            meetsRequirements(leaf),
            stayingMembers({ $0.admit(leaf, after: former, initKey: nil) })
        else { return false }
        changed.insert(index)
        return true
    }

    private mutating func adds(_ keyPackage: KeyPackage) -> Bool {
        passes { () throws(MLSError) in try group.check(keyPackage, at: group.policy.now) }
            && meetsRequirements(keyPackage.leafNode)
            && stayingMembers { $0.admit(keyPackage.leafNode, after: nil, initKey: keyPackage.initKey) }
    }

    private func meetsRequirements(_ leaf: LeafNode) -> Bool {
        guard let requirements else { return false }
        return passes { () throws(MLSError) in try requirements.check(leaf) }
    }

    /// Whether a check does; why it does not is for its proposer to find out.
    private func passes(_ check: () throws(MLSError) -> Void) -> Bool {
        do {
            try check()
            return true
        } catch {
            return false
        }
    }

    /// Asks those who stay, once it is known who does not.
    private mutating func stayingMembers(_ ask: (inout StayingMembers) -> Bool) -> Bool {
        // Taken out, so that what it holds is changed and not copied.
        var all = staying.take() ?? StayingMembers(group.tree, without: removed, and: added)
        defer { staying = all }
        return ask(&all)
    }
}

extension Proposal {
    /// What goes first when two proposals exclude each other.
    fileprivate var rank: Int {
        switch self {
        case .custom(.selfRemove, _): 0
        case .remove: 1
        case .groupContextExtensions: 2
        case .update: Self.rankOfUpdates
        case .reInit: 5
        default: 4
        }
    }

    fileprivate static let rankOfUpdates = 3
}
