@testable import MLS

/// What a member can send who has the keys of a group and not the manners.
extension Group {
    /// Signs and wraps any content as ourselves, or as somebody else.
    mutating func forge(
        _ content: Content, as wireFormat: WireFormat = .publicMessage, sender: Sender? = nil,
        epoch: UInt64? = nil, groupID: [UInt8]? = nil, key: SignaturePrivateKey? = nil,
        confirmationTag: [UInt8]? = nil, membershipTag: (([UInt8]) -> [UInt8])? = nil
    ) throws -> MLSMessage {
        let framed = FramedContent(
            groupID: groupID ?? self.groupID, epoch: epoch ?? self.epoch, sender: sender ?? .member(ownIndex),
            authenticatedData: [], content: content)
        let encoded = context.encoded
        let signature = try algorithms.sign(
            framed.toBeSigned(wireFormat, context: encoded), label: "FramedContentTBS", key: key ?? signer)
        let junk = [UInt8](repeating: 0, count: algorithms.hashLength)
        let auth = FramedContentAuthData(
            signature: signature, confirmationTag: content.type == .commit ? confirmationTag ?? junk : nil)
        let message = AuthenticatedContent(wireFormat: wireFormat, content: framed, auth: auth)
        guard wireFormat == .publicMessage else {
            return MLSMessage(.privateMessage(try keys.protect(message, algorithms)))
        }
        let honest = try algorithms.protect(message, context: encoded, membershipKey: secrets.membership)
        return MLSMessage(
            .publicMessage(
                PublicMessage(
                    content: framed, auth: auth,
                    membershipTag: honest.membershipTag.map { membershipTag?($0) ?? $0 })))
    }

    /// A commit with a confirmation tag that is wrong, unless one is given.
    mutating func forgeCommit(
        _ proposals: [Proposal] = [], references: [ProposalRef] = [], path: UpdatePath? = nil,
        as wireFormat: WireFormat = .publicMessage, confirmationTag: [UInt8]? = nil
    ) throws -> MLSMessage {
        let all = references.map { ProposalOrRef.reference($0) } + proposals.map { .proposal($0) }
        return try forge(
            .commit(Commit(proposals: all, path: path)), as: wireFormat, confirmationTag: confirmationTag)
    }

    /// Our path over the tree as these proposals leave it, but for what a test changes.
    ///
    /// - Parameter leaf: changes our next leaf, which has the parent hash it should have, before it is signed.
    func forgedPath(
        after proposals: [Proposal] = [], leaf change: (LeafNode) throws -> LeafNode = { $0 }
    ) throws -> UpdatePath {
        let sent = proposals.map { SentProposal(proposal: $0, sender: .member(ownIndex)) }
        let list = try ProposalList(
            sent, committer: .member(ownIndex), registered: options.codec.customProposals, algorithms)
        var applied = try EpochChange(list, to: self, at: nil)
        let path = try applied.makePath(at: ownIndex) { (key, parentHash) throws(MLSError) in
            let honest = try ownLeaf(key, source: .commit(parentHash: parentHash))
            do {
                return try change(honest).signed(by: signer, groupID: groupID, at: ownIndex)
            } catch {
                throw error as? MLSError ?? MLSError(.malformed, "\(error)")
            }
        }
        let context = provisionalContext(&applied)
        return try path.encrypted(in: applied.tree, newLeaves: Set(applied.added), context: context.encoded)
    }

    /// A proposal of ours, sent to others without looking at it; they keep it if they may.
    mutating func forgeProposal(_ proposal: Proposal, as wireFormat: WireFormat = .publicMessage) throws -> MLSMessage {
        try forge(.proposal(proposal), as: wireFormat)
    }

    /// Takes a proposal and tells how a commit names it.
    mutating func accept(_ message: MLSMessage) throws -> ProposalRef {
        guard case .proposal(_, _, let reference) = try process(message) else { throw MLSError(.unexpectedMessage) }
        return reference
    }
}

extension LeafNode {
    /// The same leaf but for some fields, and unsigned.
    func with(
        encryptionKey: HPKEPublicKey? = nil, signatureKey: SignaturePublicKey? = nil, credential: Credential? = nil,
        capabilities: Capabilities? = nil, source: LeafNodeSource? = nil, extensions: [Extension]? = nil
    ) -> LeafNode {
        LeafNode(
            encryptionKey: encryptionKey ?? self.encryptionKey, signatureKey: signatureKey ?? self.signatureKey,
            credential: credential ?? self.credential, capabilities: capabilities ?? self.capabilities,
            source: source ?? self.source, extensions: extensions ?? self.extensions)
    }

    /// The same leaf, signed unless it carries a signature already.
    func signed(by key: SignaturePrivateKey, groupID: [UInt8], at index: LeafIndex) throws -> LeafNode {
        guard signature.isEmpty else { return self }
        var leaf = self
        leaf.signature = try Algorithms(.x25519AES128).sign(
            toBeSigned(groupID: groupID, at: index), label: "LeafNodeTBS", key: key)
        return leaf
    }

    /// The same leaf with a signature that is none.
    var spoiled: LeafNode {
        var leaf = self
        leaf.signature = [UInt8](repeating: 0, count: 64)
        return leaf
    }
}

extension UpdatePath {
    /// The same path but for its nodes.
    func with(_ change: ([UpdatePathNode]) -> [UpdatePathNode]) -> UpdatePath {
        UpdatePath(leafNode: leafNode, nodes: change(nodes))
    }
}

extension OwnKeyPackage {
    /// The published half with another leaf or other fields, signed again as it should be.
    func forged(
        version: UInt16 = 1, cipherSuite: CipherSuite? = nil, initKey: HPKEPublicKey? = nil,
        extensions: [Extension]? = nil, signature: [UInt8]? = nil, leaf change: (LeafNode) throws -> LeafNode = { $0 }
    ) throws -> KeyPackage {
        let algorithms = try Algorithms(keyPackage.cipherSuite)
        let leaf = try change(keyPackage.leafNode).signed(by: signer, groupID: [], at: LeafIndex(0))
        let package = KeyPackage(
            cipherSuite: cipherSuite ?? keyPackage.cipherSuite, initKey: initKey ?? keyPackage.initKey, leafNode: leaf,
            extensions: extensions ?? keyPackage.extensions)
        var bytes = package.toBeSigned
        (bytes[0], bytes[1]) = (UInt8(version >> 8), UInt8(version & 0xff))
        var writer = Writer()
        writer.fixed(bytes)
        writer.opaque(try signature ?? algorithms.sign(bytes, label: "KeyPackageTBS", key: signer))
        return try KeyPackage(bytes: writer.bytes)
    }
}
