import Testing

@testable import MLS

@Suite struct MessageProtectionTests {
    struct Case: SuiteCase {
        let cipherSuite: UInt16
        let groupId: Hex
        let epoch: UInt64
        let treeHash: Hex
        let confirmedTranscriptHash: Hex
        let signaturePriv: Hex
        let signaturePub: Hex
        let encryptionSecret: Hex
        let senderDataSecret: Hex
        let membershipKey: Hex
        let proposal: Hex
        let proposalPub: Hex
        let proposalPriv: Hex
        let commit: Hex
        let commitPub: Hex
        let commitPriv: Hex
        let application: Hex
        let applicationPriv: Hex

        var context: [UInt8] {
            GroupContext(
                cipherSuite: suite, groupID: groupId.bytes, epoch: epoch, treeHash: treeHash.bytes,
                confirmedTranscriptHash: confirmedTranscriptHash.bytes, extensions: []
            ).encoded
        }
        var keys: MessageKeys {
            MessageKeys(
                senderData: SenderDataSecret(senderDataSecret.bytes),
                tree: SecretTree(EncryptionSecret(encryptionSecret.bytes), size: TreeSize(holding: 2)))
        }
        func framed(_ content: Content) -> FramedContent {
            FramedContent(
                groupID: groupId.bytes, epoch: epoch, sender: .member(LeafIndex(1)), authenticatedData: [1, 2],
                content: content)
        }
    }

    @Test("opens and makes the messages of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func vectors() throws {
        for one in try MLSVectors.supported("message-protection.json", as: Case.self) {
            let proposal = Content.proposal(try Proposal(bytes: one.proposal.bytes))
            let commit = Content.commit(try Commit(bytes: one.commit.bytes))
            try openPublic(one.proposalPub, one, is: proposal)
            try openPublic(one.commitPub, one, is: commit)
            try openPrivate(one.proposalPriv, one, is: proposal)
            try openPrivate(one.commitPriv, one, is: commit)
            try openPrivate(one.applicationPriv, one, is: .application(one.application.bytes))
            for content in [proposal, commit, .application(one.application.bytes)] { try make(content, one) }
        }
    }

    private func openPublic(_ hex: Hex, _ one: Case, is content: Content) throws {
        guard case .publicMessage(let message) = try MLSMessage(bytes: hex.bytes).body else {
            throw MLSError(.unexpectedMessage)
        }
        let algorithms = try Algorithms(one.suite)
        let key = MembershipKey(one.membershipKey.bytes)
        let opened = try algorithms.unprotect(message, context: one.context, membershipKey: key)
        try algorithms.verify(opened, context: one.context, key: SignaturePublicKey(one.signaturePub.bytes))
        #expect(opened.content.content == content)
        let forged = PublicMessage(content: message.content, auth: message.auth, membershipTag: [])
        #expect(throws: MLSError(.badTag)) {
            try algorithms.unprotect(forged, context: one.context, membershipKey: key)
        }
    }

    private func openPrivate(_ hex: Hex, _ one: Case, is content: Content) throws {
        guard case .privateMessage(let message) = try MLSMessage(bytes: hex.bytes).body else {
            throw MLSError(.unexpectedMessage)
        }
        let algorithms = try Algorithms(one.suite)
        var keys = one.keys
        let opened = try keys.unprotect(message, algorithms)
        try algorithms.verify(opened, context: one.context, key: SignaturePublicKey(one.signaturePub.bytes))
        #expect(opened.content.content == content)
        #expect(throws: MLSError(.keyConsumed)) { try keys.unprotect(message, algorithms) }
    }

    private func make(_ content: Content, _ one: Case) throws {
        let algorithms = try Algorithms(one.suite)
        let key = try SignaturePrivateKey(bytes: one.signaturePriv.bytes, for: one.suite)
        var signed = try algorithms.sign(
            one.framed(content), as: .privateMessage, context: one.context, key: key)
        if content.type == .commit { signed.auth.confirmationTag = [1, 2, 3] }
        var (sender, receiver) = (one.keys, one.keys)
        let wrapped = try sender.protect(signed, padding: .multiple(of: 64), algorithms)
        #expect(try receiver.unprotect(wrapped, algorithms) == signed)
        try algorithms.verify(signed, context: one.context, key: key.publicKey)
        guard content.type != .application else {
            #expect(throws: MLSError(.unexpectedMessage)) {
                try algorithms.sign(one.framed(content), as: .publicMessage, context: one.context, key: key)
            }
            return
        }
        signed = try algorithms.sign(one.framed(content), as: .publicMessage, context: one.context, key: key)
        if content.type == .commit { signed.auth.confirmationTag = [1, 2, 3] }
        let membershipKey = MembershipKey(one.membershipKey.bytes)
        let tagged = try algorithms.protect(signed, context: one.context, membershipKey: membershipKey)
        #expect(
            try algorithms.unprotect(tagged, context: one.context, membershipKey: membershipKey) == signed)
    }
}
