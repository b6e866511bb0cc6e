import Testing

@testable import MLS

/// RFC 9420 §7.3: a leaf that breaks one rule is refused in whatever it comes.
@Suite struct LeafNodeRefusals {
    enum Carrier: String, CaseIterable, Sendable {
        case keyPackage, update, path, tree
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: String
        let code: MLSError.Code
        let reason: String
        var carriers: [Carrier] = Carrier.allCases
        let change: @Sendable (LeafNode, Scene) throws -> LeafNode

        var testDescription: String { rule }
    }

    private static func capabilities(_ change: (inout Capabilities) -> Void) -> Capabilities {
        var capabilities = Scene.capabilities
        change(&capabilities)
        return capabilities
    }

    private static func lacking(_ rule: String, _ change: @escaping @Sendable (inout Capabilities) -> Void) -> Rule {
        Rule(rule: rule, code: .invalidLeafNode, reason: "it lacks a required capability") { leaf, _ in
            leaf.with(capabilities: capabilities(change))
        }
    }

    static let rules: [Rule] = [
        Rule(rule: "its credential is believed", code: .refusedByPolicy, reason: "a credential") { leaf, _ in
            leaf.with(credential: ScenePolicy.disbelieved)
        },
        Rule(rule: "its signature is right", code: .badSignature, reason: "of a leaf") { leaf, _ in leaf.spoiled },
        lacking("it supports the required extensions") { $0.extensions = [] },
        lacking("it supports the required proposals") { $0.proposals = [] },
        Rule(
            rule: "it supports the required credentials", code: .invalidLeafNode,
            reason: "it lacks a required capability"
        ) { leaf, _ in
            leaf.with(
                credential: .other(CredentialType(rawValue: 0x77), body: []),
                capabilities: capabilities { $0.credentials = [CredentialType(rawValue: 0x77)] })
        },
        Rule(
            rule: "all support its credential", code: .invalidLeafNode,
            reason: "a member does not support a credential in use"
        ) { leaf, _ in
            leaf.with(
                credential: .other(CredentialType(rawValue: 0x77), body: []),
                capabilities: capabilities { $0.credentials.append(CredentialType(rawValue: 0x77)) })
        },
        Rule(
            rule: "it supports its own credential", code: .invalidLeafNode,
            reason: "it does not support its own credential"
        ) { leaf, _ in leaf.with(credential: .other(CredentialType(rawValue: 0x77), body: [])) },
        Rule(
            rule: "its extensions are among its capabilities", code: .invalidLeafNode,
            reason: "it has an extension it does not support"
        ) { leaf, _ in leaf.with(extensions: [Extension(type: ExtensionType(rawValue: 0x7b00), data: [])]) },
        Rule(
            rule: "its extensions are of different types", code: .invalidLeafNode,
            reason: "two extensions have one type"
        ) { leaf, _ in leaf.with(extensions: [1, 2].map { Extension(type: Scene.required, data: [$0]) }) },
        Rule(
            rule: "its extensions belong into a leaf", code: .invalidLeafNode,
            reason: "an extension that belongs elsewhere"
        ) { leaf, _ in leaf.with(extensions: [Extension(type: .externalPub, data: [])]) },
        Rule(
            rule: "it supports the version and the cipher suite", code: .invalidLeafNode,
            reason: "it does not support the version and cipher suite it is for"
        ) { leaf, _ in leaf.with(capabilities: capabilities { $0.cipherSuites = [.p256AES128] }) },
        Rule(
            rule: "it lists no default types", code: .invalidLeafNode,
            reason: "it lists a default type among its capabilities"
        ) { leaf, _ in leaf.with(capabilities: capabilities { $0.extensions.append(.ratchetTree) }) },
        Rule(
            rule: "its encryption key is a key", code: .invalidLeafNode,
            reason: "its encryption key is none of the suite"
        ) { leaf, _ in leaf.with(encryptionKey: HPKEPublicKey([UInt8](repeating: 0, count: 32))) },
        Rule(
            rule: "its encryption key is its own", code: .invalidTree, reason: "two nodes have one encryption key",
            carriers: [.keyPackage, .update, .tree]
        ) { leaf, scene in leaf.with(encryptionKey: try #require(scene.dave.tree.leaf(LeafIndex(3))).encryptionKey) },
        Rule(
            rule: "its encryption key is its own", code: .invalidCommit, reason: "a key of a path is not new",
            carriers: [.path]
        ) { leaf, scene in leaf.with(encryptionKey: try #require(scene.dave.tree.leaf(LeafIndex(3))).encryptionKey) },
        Rule(
            rule: "an Update and a path renew the encryption key", code: .invalidLeafNode,
            reason: "it keeps its encryption key", carriers: [.update, .path]
        ) { leaf, scene in leaf.with(encryptionKey: try #require(scene.alice.tree.leaf(LeafIndex(0))).encryptionKey) },
        Rule(
            rule: "a key package has a leaf for key packages", code: .invalidLeafNode,
            reason: "a leaf that is not for a key package", carriers: [.keyPackage]
        ) { leaf, _ in leaf.with(source: .update) },
        Rule(
            rule: "an Update has a leaf for Updates", code: .invalidLeafNode, reason: "not a leaf of an Update",
            carriers: [.update]
        ) { leaf, _ in leaf.with(source: .commit(parentHash: [])) },
        Rule(
            rule: "a path has a leaf for commits", code: .invalidLeafNode, reason: "not a leaf of a commit",
            carriers: [.path]
        ) { leaf, _ in leaf.with(source: .keyPackage(Lifetime(notBefore: 0, notAfter: 5_000))) },
        Rule(
            rule: "a member stays who they are", code: .refusedByPolicy, reason: "a credential",
            carriers: [.update, .path]
        ) { leaf, _ in leaf.with(credential: ScenePolicy.stranger) },
        Rule(
            rule: "its lifetime has begun", code: .invalidLeafNode, reason: "out of its lifetime", carriers: [.tree]
        ) { leaf, _ in leaf.with(source: .keyPackage(Lifetime(notBefore: 1_001, notAfter: 5_000))) },
        Rule(
            rule: "its lifetime has not ended", code: .invalidLeafNode, reason: "out of its lifetime", carriers: [.tree]
        ) { leaf, _ in leaf.with(source: .keyPackage(Lifetime(notBefore: 500, notAfter: 999))) },
        Rule(
            rule: "its lifetime is within the application's bound", code: .invalidLeafNode,
            reason: "its lifetime is too long, or ends before it starts", carriers: [.keyPackage, .tree]
        ) { leaf, _ in leaf.with(source: .keyPackage(Lifetime(notBefore: 500, notAfter: 10_501))) },
    ]

    @Test("a leaf is refused unless", arguments: rules)
    func refused(rule: Rule) throws {
        let scene = try Scene.open()
        for carrier in rule.carriers {
            expectRefusal(rule.code, rule.reason, "\(rule.rule), in a \(carrier.rawValue)") {
                try carrier.carry(in: scene) { try rule.change($0, scene) }
            }
        }
    }

    @Test("a leaf is refused if another has its signature key", arguments: Carrier.allCases)
    func signatureKey(carrier: Carrier) throws {
        var scene = try Scene.open()
        let dave = scene.dave.signer
        switch carrier {
        case .keyPackage:
            let package = try OwnKeyPackage(
                cipherSuite: .x25519AES128, signer: dave, credential: .basic(identity: [1]),
                capabilities: Scene.capabilities, lifetime: Lifetime(notBefore: 500, notAfter: 5_000))
            expectRefusal(.invalidTree, "two leaves have one signature key", "in a key package") {
                _ = try scene.bob.process(scene.alice.forgeCommit([.add(package.keyPackage)]))
            }
        case .update, .path:
            let change: (LeafNode) throws -> LeafNode = { leaf in
                try leaf.with(signatureKey: dave.publicKey)
                    .signed(by: dave, groupID: scene.alice.groupID, at: LeafIndex(0))
            }
            let isUpdate = carrier == .update
            expectRefusal(
                isUpdate ? .invalidTree : .invalidCommit, "two leaves have one signature key", carrier.rawValue
            ) { try carrier.carry(in: scene, change) }
        case .tree:
            expectRefusal(.invalidTree, "two leaves have one signature key", "in a tree") {
                try carrier.carry(in: scene) { leaf in
                    try leaf.with(signatureKey: dave.publicKey)
                        .signed(by: dave, groupID: scene.alice.groupID, at: LeafIndex(1))
                }
            }
        }
    }

    @Test("an unchanged leaf is refused for nothing but the tag it comes with", arguments: Carrier.allCases)
    func accepted(carrier: Carrier) throws {
        let scene = try Scene.open()
        guard carrier != .tree else { return try carrier.carry(in: scene) { $0 } }
        expectRefusal(.badTag, "confirmation", "honest, in a \(carrier.rawValue)") {
            try carrier.carry(in: scene) { $0 }
        }
    }
}
