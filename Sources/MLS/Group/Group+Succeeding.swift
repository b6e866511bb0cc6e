/// Groups that follow from another: subgroups, and groups that start again with other parameters.
///
/// Each is made by a first commit of one of the members, and tied to the old group by its resumption key.
/// Source: RFC 9420 §11.2, §11.3.
extension Group {
    /// A new group of some of our members, with the parameters of this one.
    ///
    /// - Parameters:
    ///   - id: of the new group.
    ///   - own: our own key package for it; it is spent.
    ///   - members: a new key package of each of the others.
    ///   - extensions: of the new context; nil for those of this group.
    /// - Returns: the new group in its first epoch, and the Welcome for the others.
    /// - Throws: `invalidKeyPackage` for another cipher suite or for somebody who is not a member here.
    public func branch(
        _ id: [UInt8], with own: OwnKeyPackage, members: [KeyPackage], extensions: [Extension]? = nil,
        treeInWelcome: Bool = true
    ) throws(MLSError) -> (group: Group, welcome: Welcome) {
        try requireOpen()
        guard own.keyPackage.cipherSuite == context.cipherSuite else {
            throw MLSError(.invalidKeyPackage, "for another cipher suite")
        }
        try requireMembers([own.keyPackage] + members)
        return try found(id, .branch, own, members, extensions ?? context.extensions, treeInWelcome)
    }

    /// The group that follows this one, which has ended by ReInit.
    ///
    /// - Parameters:
    ///   - own: our own key package for the new group and its cipher suite; it is spent.
    ///   - members: a new key package of each of the others.
    /// - Returns: the new group in its first epoch, and the Welcome for the others.
    /// - Throws: `unexpectedMessage` while this group goes on, `invalidKeyPackage` for another cipher suite, for
    ///   somebody who is not a member here, or if one is missing.
    public func startAgain(
        with own: OwnKeyPackage, members: [KeyPackage], treeInWelcome: Bool = true
    ) throws(MLSError) -> (group: Group, welcome: Welcome) {
        guard let successor else { throw MLSError(.unexpectedMessage, "the group has not ended") }
        guard successor.version == .mls10 else {
            throw MLSError(.unsupported, "version \(successor.version.rawValue)")
        }
        guard own.keyPackage.cipherSuite == successor.cipherSuite else {
            throw MLSError(.invalidKeyPackage, "for another cipher suite")
        }
        let packages = [own.keyPackage] + members
        try requireMembers(packages)
        guard tree.members.allSatisfy({ old in packages.contains { isSame($0.leafNode, as: old.leaf.credential) } })
        else {
            throw MLSError(.invalidKeyPackage, "a member is missing")
        }
        return try found(successor.groupID, .reInit, own, members, successor.extensions, treeInWelcome)
    }

    private func found(
        _ id: [UInt8], _ usage: ResumptionUsage, _ own: OwnKeyPackage, _ members: [KeyPackage],
        _ extensions: [Extension], _ treeInWelcome: Bool
    ) throws(MLSError) -> (group: Group, welcome: Welcome) {
        guard id != groupID, !policy.isMember(of: id) else { throw MLSError(.wrongGroup, "the id is taken") }
        var group = try Group(creating: id, with: own, extensions: extensions, policy: policy, options: options)
        let key = PreSharedKeyID(
            source: .resumption(usage, groupID: groupID, epoch: epoch),
            nonce: Algorithms.random(group.algorithms.hashLength))
        let founding = Founding(usage: usage, key: (key, PreSharedKey(secrets.resumption.key)))
        let commit = try group.commit(
            members.map { .add($0) } + [.preSharedKey(key)], pending: [],
            CommitOptions(treeInWelcome: treeInWelcome, founding: founding))
        try group.merge(commit.staged)
        guard let welcome = commit.welcome else { throw MLSError(.invalidCommit, "a group of nobody else") }
        return (group, welcome)
    }

    private func requireMembers(_ packages: [KeyPackage]) throws(MLSError) {
        guard packages.allSatisfy({ new in tree.members.contains { isSame(new.leafNode, as: $0.leaf.credential) } })
        else {
            throw MLSError(.invalidKeyPackage, "of somebody who is no member")
        }
    }

    private func isSame(_ new: LeafNode, as old: Credential) -> Bool { policy.allows(new.credential, after: old) }

    /// The resumption key by which a group of ours follows from another.
    struct Founding {
        let usage: ResumptionUsage
        let key: (id: PreSharedKeyID, key: PreSharedKey)
    }
}

/// Joining a group that follows from another.
extension Group {
    /// Checks that a new group is what its resumption key says: a subgroup, or the one that follows a group of ours.
    ///
    /// - Throws: `invalidWelcome`, or `missingPSK` for an epoch whose members are forgotten.
    ///   Source: RFC 9420 §11.2, §11.3, §12.4.3.1.
    static func checkDescent(
        _ psks: [PreSharedKeyID], _ context: GroupContext, _ tree: RatchetTree, _ policy: any GroupPolicy
    ) throws(MLSError) {
        guard let (usage, groupID, epoch) = psks.compactMap(\.predecessor).first else { return }
        guard let old = policy.group(groupID), let members = old.members(at: epoch) else {
            throw MLSError(.missingPSK, "the group before is not known")
        }
        guard context.epoch == 1 else { throw MLSError(.invalidWelcome, "not the first epoch after another group") }
        let new = tree.members.map(\.leaf)
        switch usage {
        case .application: return
        case .branch:
            guard context.version == old.context.version, context.cipherSuite == old.context.cipherSuite else {
                throw MLSError(.invalidWelcome, "a subgroup with another version or cipher suite")
            }
            guard new.allSatisfy({ leaf in members.contains { old.isSame(leaf, as: $0) } }) else {
                throw MLSError(.invalidWelcome, "a subgroup with somebody new")
            }
        case .reInit:
            guard let successor = old.successor, old.epoch == epoch else {
                throw MLSError(.invalidWelcome, "the group before has not ended")
            }
            guard context.groupID == successor.groupID, context.version == successor.version,
                context.cipherSuite == successor.cipherSuite, context.extensions == successor.extensions
            else { throw MLSError(.invalidWelcome, "not what the ReInit said") }
            guard members.allSatisfy({ leaf in new.contains { old.isSame($0, as: leaf) } }) else {
                throw MLSError(.invalidWelcome, "a member of the group before is missing")
            }
        }
    }

    /// The members of an epoch, if they are still known.
    private func members(at epoch: UInt64) -> [Credential]? {
        guard epoch != self.epoch else { return tree.members.map(\.leaf.credential) }
        return past.first { $0.epoch == epoch }?.members.compactMap { $0?.credential }
    }
}

extension PreSharedKeyID {
    /// The epoch of another group that this key says a group follows from.
    var predecessor: (usage: ResumptionUsage, groupID: [UInt8], epoch: UInt64)? {
        guard case .resumption(let usage, let groupID, let epoch) = source, usage != .application else { return nil }
        return (usage, groupID, epoch)
    }
}
