/// A proposal and who made it.
struct SentProposal: Sendable, Hashable {
    let proposal: Proposal
    let sender: Sender
}

/// The proposals of one commit, sorted by kind and checked against each other.
///
/// Source: RFC 9420 §12.2.
struct ProposalList: Sendable {
    private(set) var adds: [KeyPackage] = []
    private(set) var updates: [(leaf: LeafIndex, node: LeafNode)] = []
    private(set) var removes: [LeafIndex] = []
    private(set) var psks: [PreSharedKeyID] = []
    private(set) var reInit: ReInit?
    private(set) var kemOutput: [UInt8]?
    private(set) var extensions: [Extension]?
    private(set) var custom: [SentProposal] = []
    let count: Int

    /// - Throws: `invalidProposal` for a list that RFC 9420 §12.2 does not allow.
    init(_ sent: [SentProposal], committer: Sender, _ algorithms: Algorithms) throws(MLSError) {
        count = sent.count
        for one in sent { try sort(one) }
        switch committer {
        case .member(let leaf): try checkRegular(committer: leaf)
        default: try checkExternal(sent)
        }
        let leaves = removes + updates.map(\.leaf)
        guard Set(leaves).count == leaves.count else {
            throw MLSError(.invalidProposal, "two proposals change one leaf")
        }
        guard Set(psks).count == psks.count else { throw MLSError(.invalidProposal, "a pre-shared key twice") }
        for psk in psks { try check(psk, algorithms) }
        guard reInit == nil || sent.count == 1 else {
            throw MLSError(.invalidProposal, "ReInit is not alone")
        }
        let signatureKeys = adds.map(\.leafNode.signatureKey)
        guard Set(signatureKeys).count == adds.count else { throw MLSError(.invalidProposal, "one client twice") }
    }

    private mutating func sort(_ one: SentProposal) throws(MLSError) {
        switch one.proposal {
        case .add(let keyPackage): adds.append(keyPackage)
        case .update(let node):
            guard case .member(let leaf) = one.sender else {
                throw MLSError(.invalidProposal, "an Update from outside")
            }
            updates.append((leaf, node))
        case .remove(let leaf): removes.append(leaf)
        case .preSharedKey(let id): psks.append(id)
        case .reInit(let parameters): try Self.setOnce(&reInit, parameters)
        case .externalInit(let output): try Self.setOnce(&kemOutput, output)
        case .groupContextExtensions(let list): try Self.setOnce(&extensions, list)
        case .custom(.selfRemove, _):
            guard case .member(let leaf) = one.sender else {
                throw MLSError(.invalidProposal, "a SelfRemove from outside")
            }
            removes.append(leaf)
            custom.append(one)
        case .custom: custom.append(one)
        }
    }

    private static func setOnce<Value>(_ place: inout Value?, _ value: Value) throws(MLSError) {
        guard place == nil else { throw MLSError(.invalidProposal, "two proposals of a kind that stands once") }
        place = value
    }

    private func checkRegular(committer: LeafIndex) throws(MLSError) {
        guard kemOutput == nil else { throw MLSError(.invalidProposal, "ExternalInit from a member") }
        guard !updates.contains(where: { $0.leaf == committer }), !removes.contains(committer) else {
            throw MLSError(.invalidProposal, "a committer changes their own leaf by a proposal")
        }
    }

    /// An external commit holds one ExternalInit, at most one Remove, and pre-shared keys.
    private func checkExternal(_ sent: [SentProposal]) throws(MLSError) {
        guard kemOutput != nil, removes.count <= 1, adds.isEmpty, updates.isEmpty, extensions == nil, reInit == nil,
            !custom.contains(where: { $0.proposal.type == .selfRemove })
        else { throw MLSError(.invalidProposal, "not allowed in an external commit") }
    }

    private func check(_ psk: PreSharedKeyID, _ algorithms: Algorithms) throws(MLSError) {
        guard psk.nonce.count == algorithms.hashLength else {
            throw MLSError(.invalidProposal, "the nonce of a pre-shared key has another length")
        }
        if case .resumption(let usage, _, _) = psk.source, usage != .application {
            throw MLSError(.invalidProposal, "a resumption key for another use")
        }
    }

    /// Whether a commit of these needs new keys.
    ///
    /// Source: RFC 9420 §12.4.
    var requiresPath: Bool {
        count == 0 || !updates.isEmpty || !removes.isEmpty || kemOutput != nil || extensions != nil
    }
}
