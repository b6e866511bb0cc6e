/// A commit that was checked but not merged: what it changes, and the state after it.
public struct StagedCommit: Sendable {
    /// Who committed.
    public let committer: Sender
    /// Where the new members are.
    public let added: [LeafIndex]
    /// Who is gone, by their places before.
    public let removed: [LeafIndex]
    /// Whose leaf is new, the committer's not counted.
    public let updated: [LeafIndex]
    /// The proposals and who made them.
    public let proposals: [(proposal: Proposal, sender: Sender)]
    /// The parameters of the group that follows, if this one ends.
    public let reInit: ReInit?
    /// The context of the next epoch.
    public var context: GroupContext { next.context }
    /// Whether we are no longer a member; then it cannot be merged.
    public let removesUs: Bool
    let base: [UInt8]
    let next: NextEpoch

    /// The members after the commit.
    public var members: [(index: LeafIndex, leaf: LeafNode)] { next.tree.members }

    /// Which new members are out of the lifetime of their key package, by this member's clock.
    ///
    /// That is no reason not to merge: the member that added them saw to it when they did.
    ///
    /// - Parameter second: the time, in seconds since 1970.
    public func outOfLifetime(at second: UInt64) -> [LeafIndex] {
        added.filter { next.tree.leaf($0)?.lifetime?.contains(second) == false }
    }
}

/// What a commit replaces in a ``Group``.
struct NextEpoch: Sendable {
    var context: GroupContext
    var tree: RatchetTree
    /// Nothing once we are removed.
    var member: Member?

    struct Member: Sendable {
        let own: PrivateTree
        /// Our new key for signatures; nothing if it stays.
        let renewedSigner: SignaturePrivateKey?
        let secrets: EpochSecrets
        let keys: MessageKeys
        let interimTranscriptHash: [UInt8]
        let confirmationTag: [UInt8]
    }
}

extension Group {
    /// Enters the next epoch.
    ///
    /// - Throws: `wrongEpoch` if the commit was staged on another state, `unexpectedMessage` if it removes us.
    public mutating func merge(_ staged: StagedCommit) throws(MLSError) {
        guard staged.base == context.encoded else { throw MLSError(.wrongEpoch, "staged on another state") }
        guard let member = staged.next.member else {
            throw MLSError(.unexpectedMessage, "we are no longer a member")
        }
        past.append(PastEpoch(epoch: epoch, context: context.encoded, tree: tree, keys: keys))
        past.removeFirst(max(0, past.count - max(0, options.pastEpochs)))
        context = staged.next.context
        tree = staged.next.tree
        own = member.own
        if let renewed = member.renewedSigner { signer = renewed }
        (secrets, keys) = (member.secrets, member.keys)
        (interimTranscriptHash, confirmationTag) = (member.interimTranscriptHash, member.confirmationTag)
        (proposals, updateKeys, updateSigners) = (WaitingProposals(), [:], [:])
        successor = staged.reInit
        rememberResumption()
    }

    mutating func rememberResumption() {
        psks.resumption[epoch] = secrets.resumption
        guard psks.resumption.count > options.resumptionEpochs else { return }
        let oldest = epoch - min(epoch, UInt64(max(0, options.resumptionEpochs - 1)))
        psks.resumption = psks.resumption.filter { $0.key >= oldest }
    }
}
