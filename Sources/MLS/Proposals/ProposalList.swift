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
    /// Who is removed, and who leaves by SelfRemove.
    private(set) var removes: [LeafIndex] = []
    private(set) var leaving: [LeafIndex] = []
    private(set) var psks: [PreSharedKeyID] = []
    private(set) var reInit: ReInit?
    private(set) var kemOutput: [UInt8]?
    private(set) var extensions: [Extension]?
    private(set) var custom: [SentProposal] = []
    private let needsPath: Bool

    /// - Parameters:
    ///   - registered: what is known of types outside RFC 9420.
    ///   - founding: the use of the resumption key by which the first commit of a group follows from another group.
    /// - Throws: `invalidProposal` for a list that RFC 9420 §12.2 does not allow.
    init(
        _ sent: [SentProposal], committer: Sender, registered: [ProposalType: CustomProposal],
        founding: ResumptionUsage? = nil, _ algorithms: Algorithms
    ) throws(MLSError) {
        needsPath = sent.isEmpty || sent.contains { $0.proposal.requiresPath(registered) }
        for one in sent { try sort(one, registered) }
        switch committer {
        case .member(let leaf): try checkRegular(committer: leaf)
        default: try checkExternal()
        }
        let leaves = removes + updates.map(\.leaf)
        guard Set(leaves).count == leaves.count else {
            throw MLSError(.invalidProposal, "two proposals change one leaf")
        }
        guard Set(psks).count == psks.count else { throw MLSError(.invalidProposal, "a pre-shared key twice") }
        guard psks.count <= Int(UInt16.max) else { throw MLSError(.limitExceeded, "pre-shared keys") }
        for psk in psks { try check(psk, founding, algorithms) }
        guard reInit?.version.rawValue ?? .max >= ProtocolVersion.mls10.rawValue else {
            throw MLSError(.invalidProposal, "ReInit to an older version")
        }
        guard reInit == nil || sent.count == 1 else {
            throw MLSError(.invalidProposal, "ReInit is not alone")
        }
        let signatureKeys = adds.map(\.leafNode.signatureKey)
        guard Set(signatureKeys).count == adds.count else { throw MLSError(.invalidProposal, "one client twice") }
    }

    private mutating func sort(
        _ one: SentProposal, _ registered: [ProposalType: CustomProposal]
    ) throws(MLSError) {
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
        case .custom(let type, let body):
            guard let rules = registered[type], rules.fits(body) else {
                throw MLSError(.invalidProposal, "a type that is not registered, or not as registered")
            }
            custom.append(one)
            guard type == .selfRemove else { return }
            guard case .member(let leaf) = one.sender else {
                throw MLSError(.invalidProposal, "a SelfRemove from outside")
            }
            removes.append(leaf)
            leaving.append(leaf)
        }
    }

    /// The former place of who joins by a commit of their own and was a member before.
    var former: LeafIndex? { removes.first { !leaving.contains($0) } }

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

    /// An external commit holds one ExternalInit, at most one Remove, pre-shared keys, and SelfRemoves.
    ///
    /// Source: RFC 9420 §12.2; the MLS extensions draft for SelfRemove.
    private func checkExternal() throws(MLSError) {
        guard kemOutput != nil, removes.count - leaving.count <= 1, adds.isEmpty, updates.isEmpty, extensions == nil,
            reInit == nil, custom.allSatisfy({ $0.proposal.type == .selfRemove })
        else { throw MLSError(.invalidProposal, "not allowed in an external commit") }
    }

    private func check(
        _ psk: PreSharedKeyID, _ founding: ResumptionUsage?, _ algorithms: Algorithms
    ) throws(MLSError) {
        guard psk.nonce.count == algorithms.hashLength else {
            throw MLSError(.invalidProposal, "the nonce of a pre-shared key has another length")
        }
        if case .resumption(let usage, _, _) = psk.source, usage != .application, usage != founding {
            throw MLSError(.invalidProposal, "a resumption key for another use")
        }
    }

    /// Whether a commit of these needs new keys.
    ///
    /// Source: RFC 9420 §12.4.
    var requiresPath: Bool { needsPath }
}

extension Proposal {
    /// Whether a commit of this needs new keys; a type nobody registered does.
    ///
    /// Source: RFC 9420 §12.4.
    func requiresPath(_ registered: [ProposalType: CustomProposal]) -> Bool {
        switch self {
        case .add, .preSharedKey, .reInit: false
        case .update, .remove, .externalInit, .groupContextExtensions: true
        case .custom(let type, _): registered[type]?.requiresPath ?? true
        }
    }
}
