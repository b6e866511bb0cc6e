import Crypto
import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-06 and BIP-39 mnemonics")
struct MnemonicsTests {
    private static let example =
        "leader monkey parrot ring guide accident before fence cannon height naive bean"

    @Test("derives the keys of the NIP's examples", .enabled(if: Vectors.hold("nostr/nip06-examples.json")))
    func nip06() throws {
        struct Example: Decodable {
            let mnemonic: String
            let private_key: String
            let npub: String
        }
        let examples = try Vectors.decode([Example].self, from: "nostr/nip06-examples.json")
        #expect(examples.count == 2)
        for example in examples {
            let mnemonic = try Mnemonic(example.mnemonic)
            #expect(mnemonic.language == .english)
            #expect(mnemonic.phrase() == example.mnemonic)
            let key = try mnemonic.secretKey()
            #expect(key.exportHex() == example.private_key)
            #expect(key.publicKey.npub == example.npub)
        }
    }

    @Test(
        "passes the vectors of BIP-39 in every language",
        .enabled(if: Vectors.hold("bitcoin/bip39-trezor-vectors.json")), arguments: Mnemonic.Language.allCases)
    func bip39(language: Mnemonic.Language) throws {
        let all = try Vectors.decode([String: [[String]]].self, from: "bitcoin/bip39-trezor-vectors.json")
        let vectors = try #require(all[language.rawValue.replacing("-", with: "_")])
        #expect(vectors.count == 24)
        for vector in vectors {
            try #require(vector.count == 4)
            let entropy = try decodeHex(vector[0], byteCount: vector[0].utf8.count / 2)
            let written = try Mnemonic(entropy: entropy.span, language: language)
            #expect(written.phrase() == vector[1])
            #expect(encodeHex(written.seed(passphrase: "TREZOR").array) == vector[2])
            let read = try Mnemonic(vector[1], language: language)
            #expect(encodeHex(read.entropyBytes) == vector[0])
            // Some phrases are good in more than one language; keys come from the words, so the seed is the same.
            let detected = try Mnemonic(vector[1])
            #expect(encodeHex(detected.seed(passphrase: "TREZOR").array) == vector[2])
        }
    }

    @Test("derives the keys of BIP-32's first vector")
    func bip32() throws {
        let seed = try decodeHex("000102030405060708090a0b0c0d0e0f", byteCount: 16)
        let root = try ExtendedKey(seed: seed.span)
        #expect(root.key.exportHex() == "e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35")
        let first = try root.child(.hardened(0))
        #expect(first.key.exportHex() == "edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea")
        let second = try first.child(.normal(1))
        #expect(second.key.exportHex() == "3c6cb8d0f6a264c91ea8b5030fadaa8e538b020f0a387421a12de9319dc93368")
        #expect(throws: SecretKeyError.notASecretKey) { _ = try root.child(.normal(1 << 31)) }
        #expect(throws: SecretKeyError.notASecretKey) { _ = try root.child(.hardened(1 << 31)) }
    }

    @Test(
        "ships the lists of BIP-39 to the last letter",
        arguments: [
            (Mnemonic.Language.english, "187db04a869dd9bc7be80d21a86497d692c0db6abd3aa8cb6be5d618ff757fae"),
            (.chineseSimplified, "106cc8387ac3fc7d44ca1072e30a0b27ed017b1d377501bb909c2833ef60c186"),
            (.chineseTraditional, "407312f9014543242bd157c255125a753ac60128fc15883a33b8685a9328b0cc"),
            (.czech, "63a3babb46c556473cd58ddf195dcd2a91aff3674a9656efa6e0ad8598875f3e"),
            (.french, "b8caec12319d0ffb127c84e42c8866c86a54ac9951fe2cfbf902d35552c65e4f"),
            (.italian, "ffefe450a4be8015d9c291d6ae305ab7e814e822113fa874268c3074af42b27e"),
            (.japanese, "a3c2aa5c689341519e8a579e28d2956910313e372b04cf0f31baef40dc44d69c"),
            (.korean, "e7375c57574d3f2db755dedda43ff20d6166e2f0cad4c9618b6f7929b8b39aed"),
            (.portuguese, "882265ece9ce1178b9fe47463d571dfa399c6fc7cb17895eb2767f1930c945eb"),
            (.russian, "cdc7d5258285b324cfe4fd769fe29ff0b0c053e4afe6314c1305f2f4877e22f2"),
            (.spanish, "2f06d28020d49115a2e502fb6042aaa593e90773edb947685482d05ee2af6a03"),
            (.turkish, "13ec2e577c73f61aa9dc156e2d16fb4262c95a38e9cd86c7982a8ed030dad2bb"),
        ])
    func lists(language: Mnemonic.Language, digest: String) {
        let words = WordList.of(language).words
        #expect(words.count == 2048)
        #expect(encodeHex(Array(SHA256.hash(data: Data(words.joined(separator: "\n").utf8)))) == digest)
    }

    @Test("draws as many words as asked for and reads them back", arguments: Mnemonic.wordCounts)
    func roundTrip(words: Int) throws {
        var random = SeededRandom(seed: UInt64(words))
        for language in Mnemonic.Language.allCases {
            let drawn = try Mnemonic.generate(words: words, language: language, using: &random)
            #expect(drawn.count == words)
            let phrase = drawn.phrase()
            #expect(phrase.split(whereSeparator: \.isWhitespace).count == words)
            #expect(phrase.contains("\u{3000}") == (language == .japanese))
            #expect(try Mnemonic(phrase, language: language).entropyBytes == drawn.entropyBytes)
        }
    }

    @Test("reads what people type: any case, any white space, any normal form")
    func typed() throws {
        let expected = try Mnemonic(Self.example).entropyBytes
        let messy = "  LEADER  monkey\tParrot ring\nguide accident before\u{3000}fence cannon height naive bean \n"
        #expect(try Mnemonic(messy).entropyBytes == expected)
        var random = SeededRandom(seed: 3)
        for language in [Mnemonic.Language.spanish, .korean, .japanese, .french, .russian, .turkish] {
            let phrase = try Mnemonic.generate(language: language, using: &random)
            let composed = phrase.phrase().precomposedStringWithCanonicalMapping
            #expect(try Mnemonic(composed, language: language).entropyBytes == phrase.entropyBytes)
            let decomposed = phrase.phrase().decomposedStringWithCompatibilityMapping
            #expect(try Mnemonic(decomposed).secretKey().publicKey == phrase.secretKey().publicKey)
        }
    }

    @Test(
        "says by its place, never by its letters, what is wrong",
        arguments: [
            ("", MnemonicError.wrongCount(0)), ("abandon", .wrongCount(1)),
            (String(repeating: "abandon ", count: 13), .wrongCount(13)),
            (String(repeating: "abandon ", count: 12), .wrongChecksum),
            (example.replacing("parrot", with: "parot"), .unknownWord(at: 3, isNearMiss: true)),
            (example.replacing("parrot", with: "parrrot"), .unknownWord(at: 3, isNearMiss: true)),
            (example.replacing("parrot", with: "praroti"), .unknownWord(at: 3, isNearMiss: false)),
            (example.replacing("bean", with: "baen"), .unknownWord(at: 12, isNearMiss: true)),
            (example.replacing("bean", with: "ß∂ƒ"), .unknownWord(at: 12, isNearMiss: false)),
        ])
    func errors(text: String, expected: MnemonicError) {
        #expect(throws: expected) { _ = try Mnemonic(text) }
    }

    @Test("takes entropy of five lengths only", arguments: [0, 4, 12, 15, 17, 18, 33, 36, 64])
    func entropyLengths(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(throws: MnemonicError.wrongEntropy(bytes: count)) { _ = try Mnemonic(entropy: bytes.span) }
    }

    @Test("draws five numbers of words only", arguments: [-1, 0, 3, 11, 13, 27, .max])
    func wordCounts(count: Int) {
        var random = SeededRandom(seed: 1)
        #expect(throws: MnemonicError.wrongCount(count)) { _ = try Mnemonic.generate(words: count, using: &random) }
    }

    @Test("accounts and passphrases lead to keys of their own")
    func accounts() throws {
        let mnemonic = try Mnemonic(Self.example)
        let keys = [
            try mnemonic.secretKey().publicKey, try mnemonic.secretKey(account: 1).publicKey,
            try mnemonic.secretKey(passphrase: "x").publicKey, try mnemonic.secretKey(account: 1 << 31 - 1).publicKey,
        ]
        #expect(Set(keys).count == 4)
        #expect(throws: MnemonicError.noKey) { _ = try mnemonic.secretKey(account: 1 << 31) }
        #expect(throws: MnemonicError.noKey) { _ = try mnemonic.secretKey(account: .max) }
    }

    @Test("never traps on noise")
    func noise() {
        Noise.run(Array(Self.example.utf8), rounds: 300) { bytes in
            _ = try? Mnemonic(String(decoding: bytes, as: UTF8.self)).count
        }
    }
}

extension SecretBytes {
    fileprivate var array: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}

extension Mnemonic {
    fileprivate var entropyBytes: [UInt8] { withEntropy { bytes in bytes.indices.map { bytes[$0] } } }
}
