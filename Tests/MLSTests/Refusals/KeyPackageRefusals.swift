import Testing

@testable import MLS

/// RFC 9420 §10.1, and what §10 and §13 say of key packages: one that breaks one rule is added by nobody.
@Suite struct KeyPackageRefusals {
    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: String
        let code: MLSError.Code
        let reason: String
        let make: @Sendable (OwnKeyPackage) throws -> KeyPackage

        var testDescription: String { rule }
    }

    static let rules: [Rule] = [
        Rule(rule: "its version is the group's", code: .unsupported, reason: "version 2") { try $0.forged(version: 2) },
        Rule(
            rule: "its cipher suite is the group's", code: .invalidKeyPackage, reason: "for another cipher suite"
        ) { try $0.forged(cipherSuite: .x25519ChaCha20) },
        Rule(rule: "its leaf is valid", code: .badSignature, reason: "of a leaf") { try $0.forged { $0.spoiled } },
        Rule(
            rule: "its leaf is for a key package", code: .invalidLeafNode,
            reason: "a leaf that is not for a key package"
        ) { try $0.forged { $0.with(source: .update) } },
        Rule(rule: "its signature is right", code: .badSignature, reason: "of a key package") {
            try $0.forged(signature: [UInt8](repeating: 0, count: 64))
        },
        Rule(rule: "its signature is there", code: .badSignature, reason: "of a key package") {
            try $0.forged(signature: [])
        },
        Rule(rule: "its init key is not its leaf's", code: .invalidKeyPackage, reason: "one key serves twice") {
            try $0.forged(initKey: $0.keyPackage.leafNode.encryptionKey)
        },
        Rule(rule: "its init key is a key", code: .invalidKeyPackage, reason: "its init key is none of the suite") {
            try $0.forged(initKey: HPKEPublicKey([1, 2, 3]))
        },
        Rule(
            rule: "its init key is not of low order", code: .invalidKeyPackage,
            reason: "its init key is none of the suite"
        ) { try $0.forged(initKey: HPKEPublicKey([1] + [UInt8](repeating: 0, count: 31))) },
        Rule(
            rule: "its extensions are of different types", code: .invalidKeyPackage,
            reason: "two extensions have one type"
        ) { try $0.forged(extensions: [1, 2].map { Extension(type: Scene.required, data: [$0]) }) },
        Rule(
            rule: "its extensions belong there", code: .invalidKeyPackage,
            reason: "an extension that belongs elsewhere"
        ) { try $0.forged(extensions: [Extension(type: .ratchetTree, data: [])]) },
        Rule(rule: "last_resort has nothing in it", code: .malformed, reason: "last_resort is empty") {
            try $0.forged(extensions: [Extension(type: .lastResort, data: [0])])
        },
    ]

    @Test("a key package is refused by who would add it and by who follows, unless", arguments: rules)
    func refused(rule: Rule) throws {
        var scene = try Scene.open()
        let package = try rule.make(scene.eve)
        expectRefusal(rule.code, rule.reason, rule.rule) { _ = try scene.alice.commit([.add(package)]) }
        expectRefusal(rule.code, rule.reason, rule.rule) {
            _ = try scene.bob.process(scene.alice.forgeCommit([.add(package)]))
        }
    }

    @Test("what is unknown in a key package is no reason to refuse it")
    func unknown() throws {
        var scene = try Scene.open()
        var random = SeededRandom(seed: 20)
        let package = try scene.eve.forged(extensions: [GREASE.extension(&random)])
        _ = try scene.alice.commit([.add(package)])
        expectRefusal(.badTag, "confirmation", "an unknown extension") {
            _ = try scene.bob.process(scene.alice.forgeCommit([.add(package)]))
        }
    }

    @Test("a message of another version is refused with the key package in it")
    func messageVersion() throws {
        var bytes = MLSMessage(try Scene.open().eve.keyPackage).encoded
        bytes[1] = 2
        expectRefusal(.unsupported, "version 2", "version") { _ = try MLSMessage(bytes: bytes) }
    }
}
