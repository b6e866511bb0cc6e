import Crypto
import Testing

@testable import MLS

@Suite struct CryptoBasicsTests {
    struct Case: SuiteCase {
        struct RefHash: Decodable {
            let label: String
            let value: Hex
            let out: Hex
        }
        struct Expand: Decodable {
            let secret: Hex
            let label: String
            let context: Hex
            let length: Int
            let out: Hex
        }
        struct Derive: Decodable {
            let secret: Hex
            let label: String
            let out: Hex
        }
        struct DeriveTree: Decodable {
            let secret: Hex
            let label: String
            let generation: UInt32
            let length: Int
            let out: Hex
        }
        struct Sign: Decodable {
            let priv: Hex
            let pub: Hex
            let content: Hex
            let label: String
            let signature: Hex
        }
        struct Encrypt: Decodable {
            let priv: Hex
            let pub: Hex
            let label: String
            let context: Hex
            let plaintext: Hex
            let kemOutput: Hex
            let ciphertext: Hex
        }
        let cipherSuite: UInt16
        let refHash: RefHash
        let expandWithLabel: Expand
        let deriveSecret: Derive
        let deriveTreeSecret: DeriveTree
        let signWithLabel: Sign
        let encryptWithLabel: Encrypt
    }

    @Test("computes the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func vectors() throws {
        for one in try MLSVectors.supported("crypto-basics.json", as: Case.self) {
            let algorithms = try Algorithms(one.suite)
            try hashes(one, algorithms)
            try signatures(one.signWithLabel, algorithms)
            try encryption(one.encryptWithLabel, algorithms)
        }
    }

    private func hashes(_ one: Case, _ algorithms: Algorithms) throws {
        #expect(algorithms.referenceHash(one.refHash.label, one.refHash.value.bytes) == one.refHash.out.bytes)
        let expand = one.expandWithLabel
        let expanded: EpochSecret = algorithms.expand(
            EpochSecret(expand.secret.bytes), label: expand.label, context: expand.context.bytes,
            count: expand.length)
        #expect(expanded == EpochSecret(expand.out.bytes))
        let derived: EpochSecret = algorithms.expand(
            EpochSecret(one.deriveSecret.secret.bytes), label: one.deriveSecret.label)
        #expect(derived == EpochSecret(one.deriveSecret.out.bytes))
        let tree = one.deriveTreeSecret
        let treeSecret: EpochSecret = algorithms.deriveTreeSecret(
            EpochSecret(tree.secret.bytes), label: tree.label, generation: tree.generation, count: tree.length)
        #expect(treeSecret == EpochSecret(tree.out.bytes))
    }

    private func signatures(_ one: Case.Sign, _ algorithms: Algorithms) throws {
        let publicKey = SignaturePublicKey(one.pub.bytes)
        #expect(algorithms.isValid(one.signature.bytes, of: one.content.bytes, label: one.label, key: publicKey))
        #expect(!algorithms.isValid(one.signature.bytes, of: one.content.bytes, label: "Other", key: publicKey))
        let key = try SignaturePrivateKey(bytes: one.priv.bytes, for: algorithms.suite)
        #expect(key.publicKey == publicKey)
        #expect(key.bytes == one.priv.bytes)
        let signature = try algorithms.sign(one.content.bytes, label: one.label, key: key)
        #expect(algorithms.isValid(signature, of: one.content.bytes, label: one.label, key: publicKey))
    }

    private func encryption(_ one: Case.Encrypt, _ algorithms: Algorithms) throws {
        let key = HPKEPrivateKey(one.priv.bytes)
        #expect(try algorithms.publicKey(of: key) == HPKEPublicKey(one.pub.bytes))
        let given = HPKECiphertext(kemOutput: one.kemOutput.bytes, ciphertext: one.ciphertext.bytes)
        let made = try algorithms.encrypt(
            one.plaintext.bytes, to: HPKEPublicKey(one.pub.bytes), label: one.label, context: one.context.bytes)
        for ciphertext in [given, made] {
            let plaintext = try algorithms.decrypt(
                ciphertext, with: key, label: one.label, context: one.context.bytes)
            #expect(plaintext == one.plaintext.bytes)
        }
        #expect(throws: MLSError(.decryptionFailed)) {
            try algorithms.decrypt(given, with: key, label: "Other", context: one.context.bytes)
        }
    }

    @Test("refuses the suites it does not speak by number", arguments: [0, 4, 6, 8, 0x0a0a] as [UInt16])
    func refuses(suite: UInt16) {
        #expect(throws: MLSError(.unsupported)) { try Algorithms(CipherSuite(rawValue: suite)) }
    }

    @Test("refuses a tag of another length, the empty one too")
    func refusesShortTags() throws {
        let algorithms = try Algorithms(.x25519AES128)
        let key = MembershipKey([UInt8](repeating: 1, count: 32))
        let tag = algorithms.mac([1, 2, 3], key: key)
        #expect(algorithms.isValid(mac: tag, of: [1, 2, 3], key: key))
        for wrong in [[], Array(tag.dropLast()), tag + [0]] {
            #expect(!algorithms.isValid(mac: wrong, of: [1, 2, 3], key: key))
        }
    }

    @Test("refuses every point whose product with a private key is zero", arguments: LowOrderPoints.encodings)
    func refusesLowOrder(point: [UInt8]) throws {
        let algorithms = try Algorithms(.x25519AES128)
        let pair = try algorithms.generateKeyPair()
        for top in [0, 0x80] as [UInt8] {
            let bytes: [UInt8] = point.dropLast() + [(point.last ?? 0) | top]
            #expect(throws: MLSError(.invalidKey)) {
                try algorithms.encrypt([1], to: HPKEPublicKey(bytes), label: "x", context: [])
            }
            #expect(throws: MLSError(.decryptionFailed)) {
                try algorithms.decrypt(
                    HPKECiphertext(kemOutput: bytes, ciphertext: [UInt8](repeating: 0, count: 17)),
                    with: pair.privateKey, label: "x", context: [])
            }
        }
        let secret = try? Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(
            with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: point))
        #expect(secret.map { $0 == [UInt8](repeating: 0, count: 32) } ?? true)
    }
}
