import Testing

@testable import MLS

/// RFC 9420 §12.4.3.1: nobody joins by a Welcome, or with a tree, that breaks one rule.
@Suite struct WelcomeRefusals {
    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: String
        let code: MLSError.Code
        let reason: String
        let change: @Sendable (inout ForgedWelcome, Scene) throws -> Void

        init(
            _ rule: String, _ code: MLSError.Code, _ reason: String,
            _ change: @escaping @Sendable (inout ForgedWelcome, Scene) throws -> Void
        ) {
            (self.rule, self.code, self.reason, self.change) = (rule, code, reason, change)
        }

        var testDescription: String { rule }
    }

    private static let parentHash = "a parent hash does not match"

    static let rules: [Rule] = [
        Rule("signed by another key than the signer's", .badSignature, "of a GroupInfo") { welcome, _ in
            welcome.signer = LeafIndex(2)
        },
        Rule("signed by a blank leaf", .badSignature, "of a GroupInfo") { welcome, _ in welcome.signer = LeafIndex(6) },
        Rule("signed by a leaf outside the tree", .badSignature, "of a GroupInfo") { welcome, _ in
            welcome.signer = LeafIndex(rawValue: .max)
        },
        Rule("a spoiled signature", .badSignature, "of a GroupInfo") { welcome, _ in
            welcome.signature = { _ in [UInt8](repeating: 0, count: 64) }
        },
        Rule("no signature", .badSignature, "of a GroupInfo") { welcome, _ in welcome.signature = { _ in [] } },
        Rule("another tree hash", .invalidTree, "another tree hash") { welcome, _ in welcome.context.treeHash[0] ^= 1 },
        Rule("no tree hash", .invalidTree, "another tree hash") { welcome, _ in welcome.context.treeHash = [] },
        Rule("no tree", .invalidWelcome, "there is no tree") { welcome, _ in welcome.carriesTree = false },
        Rule("a tree with a byte behind it", .trailingBytes, "NodeList") { welcome, _ in
            welcome.carriesTree = false
            welcome.extensions = [Extension(type: .ratchetTree, data: welcome.tree.list.encoded + [0])]
        },
        Rule("a tree that ends blank", .invalidTree, "the last node is blank") { welcome, _ in
            var list = Writer()
            list.vector(welcome.tree.list.nodes + [nil]) { $0.optional($1) }
            welcome.carriesTree = false
            welcome.extensions = [Extension(type: .ratchetTree, data: list.bytes)]
        },
        Rule("two extensions of one type", .invalidWelcome, "two extensions have one type") { welcome, _ in
            welcome.extensions = [1, 2].map { Extension(type: Scene.required, data: [$0]) }
        },
        Rule("a tree without us", .invalidWelcome, "we are not in the tree") { welcome, scene in
            welcome.change { $0.remove(LeafIndex(4)) }
        },
        Rule("a group extension we do not know", .invalidLeafNode, "it does not support an extension of the group") {
            welcome, _ in
            welcome.context.extensions.append(Extension(type: ExtensionType(rawValue: 0x7b01), data: []))
        },
        Rule("a requirement we do not meet", .invalidLeafNode, "it lacks a required capability") { welcome, _ in
            guard case .groupContextExtensions(let extensions) = ProposalListRefusals.requiring([], [Scene.custom])
            else { return }
            welcome.context.extensions = extensions
        },
        Rule("requirements with a byte behind them", .trailingBytes, "RequiredCapabilities") { welcome, _ in
            let old = welcome.context.extensions[0]
            welcome.context.extensions[0] = Extension(type: old.type, data: old.data + [0])
        },
        Rule("external senders with a byte behind them", .trailingBytes, "ExternalSenders") { welcome, _ in
            let old = welcome.context.extensions[1]
            welcome.context.extensions[1] = Extension(type: old.type, data: old.data + [0])
        },
        Rule("a path secret for a blank node", .invalidWelcome, "a secret for a blank node") { welcome, _ in
            welcome.pathSecret = PathSecret([UInt8](repeating: 1, count: 32))
        },
        Rule(
            "a path secret for another key", .invalidCommit, "a path secret does not lead to the key in the tree"
        ) { welcome, scene in
            // Alice's path over the tree with Eve in it, and a secret that is not of it.
            var alice = scene.alice
            alice.tree = welcome.tree
            let path = try alice.forgedPath()
            try welcome.change { try $0.merge(path, from: LeafIndex(0)) }
            welcome.pathSecret = PathSecret([UInt8](repeating: 1, count: 32))
        },
        Rule("a pre-shared key we do not have", .missingPSK, "") { welcome, _ in
            let id = PreSharedKeyID(source: .external(id: [3]), nonce: [UInt8](repeating: 0, count: 32))
            welcome.psks = [(id, PreSharedKey([1]))]
        },
        Rule("a root that nobody vouches for", .invalidTree, parentHash) { welcome, _ in
            let key = HPKEPublicKey([UInt8](repeating: 9, count: 32))
            welcome.change { $0.set($0.size.root, to: .parent(ParentNode(encryptionKey: key, parentHash: []))) }
        },
        Rule("a parent whose key is none", .invalidTree, "the key of a parent is none of the suite") { welcome, _ in
            welcome.change {
                $0.set($0.size.root, to: .parent(ParentNode(encryptionKey: HPKEPublicKey([1]), parentHash: [])))
            }
        },
        Rule("two parents with one key", .invalidTree, "two nodes have one encryption key") { welcome, _ in
            let key = HPKEPublicKey([UInt8](repeating: 9, count: 32))
            welcome.change { tree in
                for node in [1, 5] {
                    tree.set(NodeIndex(node), to: .parent(ParentNode(encryptionKey: key, parentHash: [])))
                }
            }
        },
        Rule("a member who is not believed", .refusedByPolicy, "a credential") { welcome, scene in
            try welcome.change(LeafIndex(1), of: scene.bob) { $0.with(credential: ScenePolicy.disbelieved) }
            welcome.change { tree in tree.members.forEach { tree.blankDirectPath(of: $0.index) } }
        },
    ]

    @Test("nobody joins by a Welcome with", arguments: rules)
    func refused(rule: Rule) throws {
        let scene = try Scene.open()
        var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        try rule.change(&welcome, scene)
        expectRefusal(rule.code, rule.reason, rule.rule) { _ = try welcome.join(scene.eve) }
    }

    @Test("an honest forgery lets somebody in")
    func honest() throws {
        let scene = try Scene.open()
        let welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        #expect(try welcome.join(scene.eve).members.count == 5)
    }

    @Test("nobody joins a group they are in, or one of the same id, by Welcome or from outside")
    func uniqueID() throws {
        let scene = try Scene.open()
        let policy = ScenePolicy(memberships: [scene.alice.groupID])
        let welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        expectRefusal(.invalidWelcome, "we are in a group of this id", "by Welcome") {
            _ = try welcome.join(scene.eve, policy: policy)
        }
        expectRefusal(.invalidWelcome, "we are in a group of this id", "from outside") {
            _ = try Group.join(scene.alice.groupInfo(), with: scene.eve, policy: policy)
        }
    }

    @Test("a Welcome is refused that is for another key package, suite or key")
    func notForUs() throws {
        let scene = try Scene.open()
        let welcome = try ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage]).make(
            for: scene.eve.keyPackage)
        let frank = try Scene.keyPackage("Frank")
        expectRefusal(.invalidWelcome, "not for this key package", "Frank's") {
            _ = try Group(joining: welcome, with: frank, policy: ScenePolicy())
        }
        let relabeled = Welcome(
            cipherSuite: .x25519ChaCha20, secrets: welcome.secrets, encryptedGroupInfo: welcome.encryptedGroupInfo)
        expectRefusal(.invalidWelcome, "not for this key package", "another suite") {
            _ = try Group(joining: relabeled, with: scene.eve, policy: ScenePolicy())
        }
        let misdirected = Welcome(
            cipherSuite: welcome.cipherSuite,
            secrets: [
                EncryptedGroupSecrets(
                    newMember: try frank.keyPackage.reference(),
                    encryptedGroupSecrets: welcome.secrets[0].encryptedGroupSecrets)
            ], encryptedGroupInfo: welcome.encryptedGroupInfo)
        expectRefusal(.decryptionFailed, "HPKE", "another key") {
            _ = try Group(joining: misdirected, with: frank, policy: ScenePolicy())
        }
    }

    @Test("a Welcome is refused whose group has another suite than it says")
    func innerSuite() throws {
        let scene = try Scene.open()
        var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        welcome.context = GroupContext(
            cipherSuite: .x25519ChaCha20, groupID: welcome.context.groupID, epoch: 2,
            treeHash: welcome.context.treeHash, confirmedTranscriptHash: [], extensions: welcome.context.extensions)
        expectRefusal(.invalidWelcome, "the group has another cipher suite or version", "suite") {
            _ = try welcome.join(scene.eve)
        }
    }
}
