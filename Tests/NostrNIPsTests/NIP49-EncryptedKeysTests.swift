import Crypto
import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-49 encrypted keys")
struct EncryptedKeysTests {
    private static let example =
        "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p"

    @Test("decrypts the example of the NIP")
    func example() throws {
        let encrypted = try EncryptedSecretKey(Self.example)
        #expect(encrypted.logN == 16)
        #expect(encrypted.description == Self.example)
        let key = try encrypted.decrypt(passphrase: "nostr")
        #expect(key.exportHex() == "3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683")
    }

    @Test("normalises the passphrase as the NIP's example")
    func normalisation() {
        let typed = "\u{212B}\u{2126}\u{1E9B}\u{0323}"
        #expect(EncryptedSecretKey.normalised(typed) == [0xC3, 0x85, 0xCE, 0xA9, 0xE1, 0xB9, 0xA9])
    }

    @Test("a passphrase typed in another normal form opens the key")
    func otherForm() throws {
        var random = SeededRandom(seed: 1)
        let encrypted = try EncryptedSecretKey(
            encrypting: TestPerson.alice.secretKey, passphrase: "\u{212B}", logN: 1, handling: .secure, using: &random)
        #expect(encrypted.handling == .secure)
        #expect(try EncryptedSecretKey(encrypted.description) == encrypted)
        #expect(try encrypted.decrypt(passphrase: "A\u{30A}").publicKey == TestPerson.alice.publicKey)
        #expect(throws: EncryptedKeyError.wrongPassphrase) { _ = try encrypted.decrypt(passphrase: "A") }
        #expect(throws: EncryptedKeyError.emptyPassphrase) { _ = try encrypted.decrypt(passphrase: "") }
    }

    @Test("refuses to work more than it is allowed")
    func limit() throws {
        var random = SeededRandom(seed: 1)
        let encrypted = try EncryptedSecretKey(
            encrypting: TestPerson.alice.secretKey, passphrase: "p", logN: 3, handling: .unknown, using: &random)
        #expect(throws: EncryptedKeyError.costOutOfRange(logN: 3, limit: 2)) {
            _ = try encrypted.decrypt(passphrase: "p", limit: 2)
        }
        for logN: UInt8 in [0, 23, 255] {
            #expect(throws: EncryptedKeyError.costOutOfRange(logN: logN, limit: 22)) {
                _ = try EncryptedSecretKey(
                    encrypting: TestPerson.alice.secretKey, passphrase: "p", logN: logN, handling: .unknown,
                    using: &random)
            }
        }
        let decoded = try bech32Decode(encrypted.description, maxLength: 200)
        let greedy = try EncryptedSecretKey(
            bech32Encode(prefix: "ncryptsec", bytes: [2, 255] + decoded.bytes.dropFirst(2)))
        #expect(throws: EncryptedKeyError.costOutOfRange(logN: 255, limit: 22)) {
            _ = try greedy.decrypt(passphrase: "p")
        }
    }

    /// Costs nothing, whatever it is asked for.
    private static let cheap = PassphraseStretching { password, salt, logN in
        SymmetricKey(data: SHA256.hash(data: password + salt + [logN]))
    }

    @Test("what may be encrypted can be decrypted, at every cost", arguments: 0...255 as ClosedRange<UInt8>)
    func everyCost(logN: UInt8) throws {
        var random = SeededRandom(seed: 1)
        func encrypted(_ logN: UInt8) throws -> EncryptedSecretKey {
            try EncryptedSecretKey(
                encrypting: TestPerson.alice.secretKey, passphrase: "p", logN: logN, handling: .secure,
                stretching: Self.cheap, using: &random)
        }
        if (1...EncryptedSecretKey.maxLogN).contains(logN) {
            let read = try EncryptedSecretKey(try encrypted(logN).description)
            #expect(try read.decrypt(passphrase: "p", stretching: Self.cheap).publicKey == TestPerson.alice.publicKey)
        } else {
            let refusal = EncryptedKeyError.costOutOfRange(logN: logN, limit: EncryptedSecretKey.maxLogN)
            #expect(throws: refusal) { _ = try encrypted(logN) }
            let bytes = try bech32Decode(try encrypted(1).description, maxLength: 200).bytes
            let greedy = try EncryptedSecretKey(
                bech32Encode(prefix: "ncryptsec", bytes: [2, logN] + bytes.dropFirst(2)))
            #expect(throws: refusal) { _ = try greedy.decrypt(passphrase: "p", stretching: Self.cheap) }
        }
    }

    @Test("any change of a byte is noticed")
    func tampering() throws {
        var random = SeededRandom(seed: 1)
        let encrypted = try EncryptedSecretKey(
            encrypting: TestPerson.alice.secretKey, passphrase: "p", logN: 1, handling: .secure, using: &random)
        let bytes = try bech32Decode(encrypted.description, maxLength: 200).bytes
        for place in bytes.indices where place != 1 {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: EncryptedKeyError.self, "byte \(place)") {
                _ = try EncryptedSecretKey(bech32Encode(prefix: "ncryptsec", bytes: changed)).decrypt(passphrase: "p")
            }
        }
        #expect(throws: EncryptedKeyError.unknownVersion(1)) {
            _ = try EncryptedSecretKey(bech32Encode(prefix: "ncryptsec", bytes: [1] + bytes.dropFirst()))
        }
        #expect(throws: EncryptedKeyError.notAnEncryptedKey) { _ = try EncryptedSecretKey("nsec1x") }
    }

    @Test("HChaCha20 gives the example of its draft")
    func hChaCha20() throws {
        let nonce: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 0x4A, 0, 0, 0, 0, 0x31, 0x41, 0x59, 0x27]
        let output = try XChaCha20Poly1305.hChaCha20(key: SymmetricKey(data: Array(0..<32)), nonce: nonce)
        let expected = try decodeHex("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc", byteCount: 32)
        #expect(output == SymmetricKey(data: expected))
    }

    @Test(
        "agrees with Wycheproof on XChaCha20-Poly1305",
        .enabled(if: Vectors.arePresent, "official vectors are not here"))
    func wycheproof() throws {
        let file = try Vectors.decode(AEADFile.self, from: "wycheproof/xchacha20_poly1305_test.json")
        var count = 0
        for group in file.testGroups {
            for test in group.tests {
                count += 1
                let key = SymmetricKey(data: try bytes(test.key))
                let (iv, aad) = (try bytes(test.iv), try bytes(test.aad))
                let sealed = try bytes(test.ct) + bytes(test.tag)
                // A refusal of any kind is what an invalid test asks for.
                let opened = try? XChaCha20Poly1305.open(sealed, key: key, nonce: iv, authenticating: aad)
                if test.result == "valid" {
                    #expect(opened == (try bytes(test.msg)), "test \(test.tcId)")
                    let again = try XChaCha20Poly1305.seal(
                        bytes(test.msg), key: key, nonce: iv, authenticating: aad)
                    #expect(again == sealed, "test \(test.tcId)")
                } else {
                    #expect(opened == nil, "test \(test.tcId)")
                }
            }
        }
        #expect(count == file.numberOfTests)
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        try decodeHex(hex, byteCount: hex.utf8.count / 2)
    }

    private struct AEADFile: Decodable {
        struct Group: Decodable { let tests: [Case] }
        struct Case: Decodable {
            let tcId: Int
            let key, iv, aad, msg, ct, tag, result: String
        }
        let numberOfTests: Int
        let testGroups: [Group]
    }
}
