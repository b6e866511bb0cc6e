/// One member's view of a group, as a value.
///
/// Every verb that changes it leaves it as it was when it throws. A commit, our own or another's, first becomes a
/// ``StagedCommit`` that the caller inspects and merges or drops.
/// It is one type in many files, one for each thing the RFC has a member do (found, join, send, commit, follow, succeed):
/// all of them read and replace the same epoch. Source: RFC 9420 §11, §12.
public struct Group: Sendable {
    /// What all members agree on.
    public internal(set) var context: GroupContext
    /// This member's own choices.
    public var options: GroupOptions
    let policy: any GroupPolicy
    /// The key that our leaf of this epoch names.
    var signer: SignaturePrivateKey
    let algorithms: Algorithms
    var tree: RatchetTree
    var own: PrivateTree
    var secrets: EpochSecrets
    var keys: MessageKeys
    var interimTranscriptHash: [UInt8]
    var confirmationTag: [UInt8]
    /// The proposals of this epoch.
    var proposals = WaitingProposals()
    /// The private keys of our own Update proposals.
    var updateKeys: [HPKEPublicKey: HPKEPrivateKey] = [:]
    /// The keys for signatures that our own Update proposals bring, by their public halves.
    var updateSigners: [SignaturePublicKey: SignaturePrivateKey] = [:]
    var past: [PastEpoch] = []
    var psks = PSKs()
    /// The parameters of the group that follows this one; once they are set, this one is closed.
    public internal(set) var successor: ReInit?

    /// Our own place.
    public var ownIndex: LeafIndex { own.index }
    /// The number of commits so far.
    public var epoch: UInt64 { context.epoch }
    /// The id of the group.
    public var groupID: [UInt8] { context.groupID }
    /// What members can compare to see that they are in the same epoch.
    public var epochAuthenticator: [UInt8] { secrets.authenticator }
    /// The members and their places.
    public var members: [(index: LeafIndex, leaf: LeafNode)] { tree.members }
    /// The encoded ratchet tree, for those who join without it in their Welcome.
    public var ratchetTree: [UInt8] { tree.list.encoded }

    /// A key for another purpose, the same for all members of the epoch.
    ///
    /// - Parameter count: 1 to 255 times the hash length.
    /// - Throws: `limitExceeded` for another count. Source: RFC 9420 §8.5.
    public func export(label: String, context: [UInt8], count: Int) throws(MLSError) -> [UInt8] {
        guard count > 0, count <= 255 * algorithms.hashLength else { throw MLSError(.limitExceeded, "an export") }
        return secrets.export(algorithms, label: label, context: context, count: count)
    }

    func preSharedKeys(
        _ ids: [PreSharedKeyID]
    ) throws(MLSError) -> [(id: PreSharedKeyID, key: PreSharedKey)] {
        try psks.find(ids, groupID: groupID, policy)
    }

    /// Makes an external pre-shared key known under its id.
    public mutating func setPSK(_ key: [UInt8], id: [UInt8]) { psks.external[id] = PreSharedKey(key) }
}

/// The pre-shared keys a member can bring into the key schedule.
struct PSKs: Sendable {
    var external: [[UInt8]: PreSharedKey] = [:]
    /// Of this group, by epoch.
    var resumption: [UInt64: ResumptionSecret] = [:]

    /// The keys of some names, in their order.
    ///
    /// - Parameters:
    ///   - groupID: of this group; nil while it is not known yet.
    ///   - policy: knows our other groups.
    /// - Throws: `missingPSK`.
    func find(
        _ ids: [PreSharedKeyID], groupID: [UInt8]?, _ policy: any GroupPolicy
    ) throws(MLSError) -> [(id: PreSharedKeyID, key: PreSharedKey)] {
        var found: [(id: PreSharedKeyID, key: PreSharedKey)] = []
        for id in ids {
            let key: PreSharedKey? =
                switch id.source {
                case .external(let name): external[name]
                case .resumption(_, groupID, let epoch): resumption[epoch].map { PreSharedKey($0.key) }
                case .resumption(_, let other, let epoch):
                    policy.group(other)?.psks.resumption[epoch].map { PreSharedKey($0.key) }
                }
            guard let key else { throw MLSError(.missingPSK) }
            found.append((id, key))
        }
        return found
    }
}
