import Testing

@testable import MLS

/// RFC 9420 §12.2: a list that breaks one rule is neither committed nor followed.
@Suite struct ProposalListRefusals {
    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: String
        let code: MLSError.Code
        let reason: String
        let list: @Sendable (Scene) throws -> [Proposal]

        init(
            _ rule: String, _ code: MLSError.Code, _ reason: String,
            _ list: @escaping @Sendable (Scene) throws -> [Proposal]
        ) {
            (self.rule, self.code, self.reason, self.list) = (rule, code, reason, list)
        }

        init(_ rule: String, _ reason: String, _ list: @escaping @Sendable (Scene) throws -> [Proposal]) {
            self.init(rule, .invalidProposal, reason, list)
        }

        var testDescription: String { rule }
    }

    static func psk(_ source: PreSharedKeyID.Source = .external(id: [1]), nonce: Int = 32) -> Proposal {
        .preSharedKey(PreSharedKeyID(source: source, nonce: [UInt8](repeating: 1, count: nonce)))
    }

    static func reInit(version: UInt16 = 1) throws -> Proposal {
        var bytes = ReInit(groupID: [9], cipherSuite: .x25519AES128, extensions: []).encoded
        (bytes[2], bytes[3]) = (UInt8(version >> 8), UInt8(version & 0xff))
        return .reInit(try ReInit(bytes: bytes))
    }

    static func requiring(
        _ extensions: [ExtensionType] = [], _ proposals: [ProposalType] = [], _ credentials: [CredentialType] = []
    ) -> Proposal {
        let required = RequiredCapabilities(
            extensions: extensions, proposals: proposals, credentials: credentials)
        return .groupContextExtensions([Extension(type: .requiredCapabilities, data: required.encoded)])
    }

    static let rules: [Rule] = [
        Rule("no Update of the committer's", "a committer changes their own leaf by a proposal") { scene in
            let pair = try scene.alice.algorithms.generateKeyPair()
            return [.update(try scene.alice.ownLeaf(pair.publicKey, source: .update))]
        },
        Rule("no Remove of the committer", "a committer changes their own leaf by a proposal") { _ in
            [.remove(LeafIndex(0))]
        },
        Rule("no two Removes of one leaf", "two proposals change one leaf") { _ in
            [.remove(LeafIndex(2)), .remove(LeafIndex(2))]
        },
        Rule("no Remove of a blank leaf", "a Remove of nobody") { _ in [.remove(LeafIndex(5))] },
        Rule("no Remove far outside the tree", "a Remove of nobody") { _ in [.remove(LeafIndex(rawValue: .max))] },
        Rule("no two Adds of one client", "one client twice") { scene in
            [.add(scene.eve.keyPackage), .add(scene.eve.keyPackage)]
        },
        Rule("no Add of a member", .invalidTree, "two leaves have one signature key") { scene in
            [.add(try again(scene.dave))]
        },
        Rule("no two Adds with one init key", .invalidKeyPackage, "two key packages have one init key") { scene in
            [
                .add(scene.eve.keyPackage),
                .add(try Scene.keyPackage("Frank").forged(initKey: scene.eve.keyPackage.initKey)),
            ]
        },
        Rule("no Add whose init key is in the tree", .invalidTree, "two nodes have one encryption key") { scene in
            let key = try #require(scene.alice.tree.leaf(LeafIndex(2))).encryptionKey
            return [.add(try scene.eve.forged(initKey: key))]
        },
        Rule("no pre-shared key twice", "a pre-shared key twice") { _ in [psk(), psk()] },
        Rule("no short nonce", "the nonce of a pre-shared key has another length") { _ in [psk(nonce: 31)] },
        Rule("no long nonce", "the nonce of a pre-shared key has another length") { _ in [psk(nonce: 33)] },
        Rule("no resumption key of a branch", "a resumption key for another use") { scene in
            [psk(.resumption(.branch, groupID: scene.alice.groupID, epoch: 1))]
        },
        Rule("no resumption key of a ReInit", "a resumption key for another use") { scene in
            [psk(.resumption(.reInit, groupID: scene.alice.groupID, epoch: 1))]
        },
        Rule("no pre-shared key that is not here", .missingPSK, "") { _ in [psk(.external(id: [2]))] },
        Rule("no resumption key of a group that is not known", .missingPSK, "") { _ in
            [psk(.resumption(.application, groupID: [8], epoch: 0))]
        },
        Rule("no two GroupContextExtensions", "two proposals of a kind that stands once") { scene in
            let same = Proposal.groupContextExtensions(scene.alice.context.extensions)
            return [same, same]
        },
        Rule("no ReInit beside anything", "ReInit is not alone") { scene in
            [try reInit(), .add(scene.eve.keyPackage)]
        },
        Rule("no two ReInits", "two proposals of a kind that stands once") { _ in [try reInit(), try reInit()] },
        Rule("no ReInit to an older version", "ReInit to an older version") { _ in [try reInit(version: 0)] },
        Rule("no ExternalInit", "ExternalInit from a member") { _ in [.externalInit(kemOutput: [1])] },
        Rule("no custom type that a member does not know", "a member does not support a type of proposal") { _ in
            [.custom(Scene.custom, body: [1])]
        },
        Rule("no custom type in another shape", "a type that is not registered, or not as registered") { _ in
            [.custom(Scene.custom, body: nil)]
        },
        Rule(
            "no requirement that a member does not meet: extensions", .invalidLeafNode,
            "it lacks a required capability"
        ) { _ in [requiring([ExtensionType(rawValue: 0x7b01)])] },
        Rule(
            "no requirement that a member does not meet: proposals", .invalidLeafNode, "it lacks a required capability"
        ) { _ in [requiring([], [Scene.custom])] },
        Rule(
            "no requirement that a member does not meet: credentials", .invalidLeafNode,
            "it lacks a required capability"
        ) { _ in [requiring([], [], [.x509])] },
        Rule("no requirement that a new member does not meet", .invalidLeafNode, "it lacks a required capability") {
            scene in
            let plain = try Scene.keyPackage("Frank", capabilities: Capabilities()).keyPackage
            return [requiring([Scene.required]), .add(plain)]
        },
        Rule(
            "no extension that a member does not know", .invalidLeafNode,
            "it does not support an extension of the group"
        ) { _ in [.groupContextExtensions([Extension(type: ExtensionType(rawValue: 0x7b01), data: [])])] },
        Rule("no two extensions of one type", "two extensions have one type") { _ in
            [.groupContextExtensions([1, 2].map { Extension(type: Scene.required, data: [$0]) })]
        },
        Rule("no extension that belongs elsewhere", "an extension that belongs elsewhere") { _ in
            [.groupContextExtensions([Extension(type: .ratchetTree, data: [])])]
        },
        Rule("no Add of an invalid key package", .badSignature, "of a key package") { scene in
            [.add(try scene.eve.forged(signature: []))]
        },
    ]

    /// Another key package of a member, under the same signature key.
    static func again(_ member: Group) throws -> KeyPackage {
        try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: member.signer, credential: .basic(identity: Array("Dave".utf8)),
            capabilities: Scene.capabilities, lifetime: Lifetime(notBefore: 500, notAfter: 5_000)
        ).keyPackage
    }

    @Test("the rule holds for who commits and for who follows:", arguments: rules)
    func refused(rule: Rule) throws {
        var scene = try Scene.open()
        for place in [\Scene.alice, \Scene.bob] { scene[keyPath: place].setPSK([1], id: [1]) }
        let list = try rule.list(scene)
        expectRefusal(rule.code, rule.reason, "\(rule.rule): committing") { _ = try scene.alice.commit(list) }
        let path = try scene.alice.forgedPath()
        expectRefusal(rule.code, rule.reason, "\(rule.rule): following") {
            _ = try scene.bob.process(scene.alice.forgeCommit(list, path: path))
        }
    }
}
