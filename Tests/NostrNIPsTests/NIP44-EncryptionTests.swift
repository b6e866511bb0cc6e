import Crypto
import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-44 encryption")
struct NIP44EncryptionTests {
    private static let key = "c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d"
    private static let nonce = String(repeating: "0", count: 63) + "1"

    // MARK: official vectors

    @Test("derives the official conversation keys", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func conversationKeys() throws {
        let valid = try VectorFile.read().v2.valid
        for vector in valid.get_conversation_key {
            let made = try ConversationKey(
                between: SecretKey(hex: vector.sec1), and: PublicKey(hex: vector.pub2))
            #expect(made.key == symmetric(vector.conversation_key))
        }
        #expect(valid.get_conversation_key.count == 35)
    }

    @Test("derives the official message keys", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func messageKeys() throws {
        let group = try VectorFile.read().v2.valid.get_message_keys
        for vector in group.keys {
            let keys = PayloadKeys(of: symmetric(group.conversation_key), nonce: bytes(vector.nonce))
            #expect(keys.cipher == symmetric(vector.chacha_key))
            #expect(keys.cipherNonce == bytes(vector.chacha_nonce))
            #expect(keys.authentication == symmetric(vector.hmac_key))
        }
        #expect(group.keys.count == 32)
    }

    @Test("pads to the official lengths", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func padding() throws {
        let vectors = try VectorFile.read().v2.valid.calc_padded_len
        for vector in vectors { #expect(PaddedText.paddedLength(vector[0]) == vector[1]) }
        #expect(vectors.count == 24)
        #expect(PaddedText.paddedLength(Int(UInt32.max)) == 1 << 32)
    }

    @Test("encrypts and decrypts the official messages", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func messages() throws {
        let vectors = try VectorFile.read().v2.valid.encrypt_decrypt
        for vector in vectors {
            let first = try SecretKey(hex: vector.sec1)
            let second = try SecretKey(hex: vector.sec2)
            let key = try ConversationKey(between: first, and: second.publicKey)
            let other = try ConversationKey(between: second, and: first.publicKey)
            #expect(key.key == symmetric(vector.conversation_key) && other.key == key.key)
            #expect(try key.encrypt(vector.plaintext, nonce: bytes(vector.nonce)) == vector.payload)
            #expect(try other.decrypt(vector.payload) == vector.plaintext)
        }
        #expect(vectors.count == 10)
    }

    @Test("encrypts and decrypts long messages", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func longMessages() throws {
        let vectors = try VectorFile.read().v2.valid.encrypt_decrypt_long_msg
        for vector in vectors {
            let text = String(repeating: vector.pattern, count: vector.repeat)
            #expect(digest(text) == vector.plaintext_sha256)
            let key = ConversationKey(symmetric(vector.conversation_key))
            let payload = try key.encrypt(text, nonce: bytes(vector.nonce))
            #expect(digest(payload) == vector.payload_sha256)
            #expect(try key.decrypt(payload) == text)
        }
        #expect(vectors.count == 3)
    }

    @Test("refuses the official bad lengths", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func badLengths() throws {
        let lengths = try VectorFile.read().v2.invalid.encrypt_msg_lengths
        // Those above 65 535 were bad before the text of 2026; they are still refused without leave.
        for length in lengths {
            // The longest are never built: strings of gigabytes prove nothing more.
            let text = String(repeating: "a", count: min(length, 1_000_000))
            #expect(throws: length == 0 ? PayloadError.empty : .tooLong(limit: 65_535)) {
                try ConversationKey(symmetric(Self.key)).encrypt(text, nonce: bytes(Self.nonce))
            }
        }
        #expect(lengths.count == 4)
    }

    @Test("refuses the official bad keys", .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func badKeys() throws {
        let vectors = try VectorFile.read().v2.invalid.get_conversation_key
        for vector in vectors {
            #expect(throws: (any Error).self, "\(vector.note)") {
                _ = try ConversationKey(between: SecretKey(hex: vector.sec1), and: PublicKey(hex: vector.pub2))
            }
        }
        #expect(vectors.count == 8)
    }

    @Test(
        "refuses the official bad payloads, each for its reason",
        .enabled(if: Vectors.hold(VectorFile.path), VectorFile.absent))
    func badPayloads() throws {
        let vectors = try VectorFile.read().v2.invalid.decrypt
        for vector in vectors {
            let key = ConversationKey(symmetric(vector.conversation_key))
            do {
                _ = try key.decrypt(vector.payload)
                Issue.record("decrypted: \(vector.note)")
            } catch {
                switch (vector.note.split(separator: ":")[0], error) {
                case ("unknown encryption version", .unknownVersion(nil)),
                    ("unknown encryption version 0", .unknownVersion(0)),
                    ("invalid base64", .malformed), ("invalid MAC", .wrongKey), ("invalid padding", .invalidPadding),
                    ("invalid payload length", .wrongLength), ("invalid payload length", .unknownVersion(nil)):
                    break
                default: Issue.record("\(vector.note): \(error)")
                }
            }
        }
        #expect(vectors.count == 12)
    }

    // MARK: the extended form of 2026

    @Test(
        "writes and reads both forms of the prefix as the NIP's own vectors",
        arguments: [
            (
                65_535, "6e1bebca6a8229364a162a72ef064826c4cd7457bf54f190ef782bd9deff3e42",
                "6d8c2810d1e870fbaa1f0a0937126cca837a15f9260e27060c331d70a3c0bc84"
            ),
            (
                65_536, "bf718b6f653bebc184e1479f1935b8da974d701b893afcf49e701f3e2f9f9c5a",
                "b7b4edb36ba92e267d322d56d9aebc22e7fa96ff52e3c12adc07f07a43cbc616"
            ),
            (
                65_537, "008ffc88d3c96a9f307524eb361e47c5222a887fc45fa0c1fb8d429c5c23b430",
                "eeb7c7c5373894ea2c1547cfd3ccb15d5a0b2d619da852e5c79df792dcc9e435"
            ),
        ])
    func extended(length: Int, plain: String, sealed: String) throws {
        let key = ConversationKey(symmetric(Self.key))
        let text = String(repeating: "a", count: length)
        #expect(digest(text) == plain)
        let payload = try key.encrypt(text, limit: 100_000, nonce: bytes(Self.nonce))
        #expect(digest(payload) == sealed)
        #expect(try key.decrypt(payload) == text)
    }

    @Test("the extended form is written only with leave, and read within a limit")
    func rule() throws {
        let key = ConversationKey(symmetric(Self.key))
        let text = String(repeating: "a", count: 65_536)
        #expect(throws: PayloadError.tooLong(limit: 65_535)) { try key.encrypt(text, nonce: bytes(Self.nonce)) }
        let payload = try key.encrypt(text, limit: 65_536, nonce: bytes(Self.nonce))
        #expect(throws: PayloadError.tooLong(limit: 65_535)) { try key.decrypt(payload, limit: 65_535) }
        #expect(throws: PayloadError.tooLong(limit: 1 << 20)) {
            try key.decrypt(String(repeating: "A", count: 3_000_000))
        }
        #expect(try key.decrypt(payload, limit: .max) == text)
    }

    @Test("a length in the form that is not its own is refused")
    func wrongForm() throws {
        // 40 bytes announced in the extended form, with padding that fits.
        let padded: [UInt8] =
            [0, 0, 0, 0, 0, 40] + [UInt8](repeating: 97, count: 40) + [UInt8](repeating: 0, count: 24)
        #expect(throws: PayloadError.invalidPadding) { _ = try PaddedText.text(in: padded) }
        for length in [0, 1, 33, 34, 35, 37] {
            #expect(throws: PayloadError.invalidPadding) {
                _ = try PaddedText.text(in: [UInt8](repeating: 0xFF, count: length))
            }
        }
    }

    // MARK: everything else

    @Test("two people and oneself read what was encrypted; nobody else does")
    func people() throws {
        var random = SeededRandom(seed: 1)
        let (alice, bob, eve) = (TestPerson.alice, TestPerson.bob, TestPerson.eve)
        let payload = try ConversationKey(between: alice.secretKey, and: bob.publicKey)
            .encrypt("grüße 🦜", using: &random)
        #expect(try ConversationKey(between: bob.secretKey, and: alice.publicKey).decrypt(payload) == "grüße 🦜")
        #expect(throws: PayloadError.wrongKey) {
            try ConversationKey(between: eve.secretKey, and: alice.publicKey).decrypt(payload)
        }
        let own = try ConversationKey(between: alice.secretKey, and: alice.publicKey)
        #expect(try own.decrypt(own.encrypt("mine", using: &random)) == "mine")
    }

    @Test("any change of a character is noticed")
    func tampering() throws {
        let key = ConversationKey(symmetric(Self.key))
        let payload = try key.encrypt("attack at dawn", nonce: bytes(Self.nonce))
        for place in payload.utf8.indices.map({ payload.utf8.distance(from: payload.startIndex, to: $0) }) {
            var changed = Array(payload.utf8)
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: PayloadError.self) { try key.decrypt(String(decoding: changed, as: UTF8.self)) }
        }
        for length in 0..<payload.utf8.count {
            #expect(throws: PayloadError.self) { try key.decrypt(String(payload.prefix(length))) }
        }
    }

    @Test("what is no text is refused after the code was checked")
    func notText() throws {
        let key = symmetric(Self.key)
        let keys = PayloadKeys(of: key, nonce: bytes(Self.nonce))
        let padded: [UInt8] = [0, 2, 0xC3, 0x28] + [UInt8](repeating: 0, count: 30)
        var raw = [2] + bytes(Self.nonce) + keys.chacha20(padded[...])
        raw += HMAC<SHA256>.authenticationCode(for: raw.dropFirst(), using: keys.authentication)
        #expect(throws: PayloadError.notText) { try ConversationKey(key).decrypt(Base64.encode(raw.span)) }
    }

    @Test("Base64 agrees with Foundation's and takes nothing that is not canonical")
    func base64() throws {
        var random = SeededRandom(seed: 3)
        for length in 0..<100 {
            let bytes = randomBytes(length, using: &random)
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes.span) == text)
            #expect(Base64.decode(text) == bytes)
        }
        for text in [
            "A", "AA", "AAA", "A===", "AA=A", "AAA\n", "AB==", "AAB=", "AA==AAAA", "====", "A A=", "-_==", "é==",
        ] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }

    @Test("noise never traps, and what decrypts is what was encrypted")
    func noise() throws {
        let key = ConversationKey(symmetric(Self.key))
        let payload = try key.encrypt("attack at dawn", nonce: bytes(Self.nonce))
        Noise.run(Array(payload.utf8), rounds: 10_000) { bytes in
            // Nothing but the very same payload opens.
            if let text = try? key.decrypt(String(decoding: bytes, as: UTF8.self)) { #expect(text == "attack at dawn") }
        }
        Noise.run(PaddedText.pad("hello".utf8), rounds: 10_000) { bytes in
            // Only that it returns matters here.
            _ = try? PaddedText.text(in: bytes)
        }
        Noise.run(Array("QUJDREVGRw==".utf8), rounds: 10_000) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let decoded = Base64.decode(text) { #expect(Base64.encode(decoded.span) == text) }
        }
    }

    private func symmetric(_ hex: String) -> SymmetricKey { SymmetricKey(data: bytes(hex)) }

    private func digest(_ text: String) -> String { encodeHex(Array(SHA256.hash(data: Array(text.utf8)))) }
}

@Suite("Conversation keys kept")
struct ConversationKeyCacheTests {
    @Test("gives the same key as deriving it, and holds no more than it may")
    func bounded() throws {
        let cache = ConversationKeyCache(capacity: 4)
        let alice = TestPerson.alice.secretKey
        var random = SeededRandom(seed: 5)
        let others = (0..<20).map { _ in SecretKey.generate(using: &random).publicKey }
        for other in others {
            let key = try cache.key(between: alice, and: other)
            #expect(try key.key == ConversationKey(between: alice, and: other).key)
            #expect(cache.count <= 4)
        }
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test("gives up what was used longest ago")
    func leastRecent() throws {
        let cache = ConversationKeyCache(capacity: 3)
        let key = TestPerson.alice.secretKey
        let people = TestPerson.allCases.map(\.publicKey)
        for person in [people[1], people[2], people[3], people[1], people[4]] {
            _ = try cache.key(between: key, and: person)
        }
        #expect(cache.holds(people[1]) && cache.holds(people[4]))
        #expect(!cache.holds(people[2]))
    }

    @Test("a key that is not on the curve is refused and not kept")
    func offCurve() throws {
        let cache = ConversationKeyCache()
        let bad = try PublicKey(hex: String(repeating: "f", count: 64))
        #expect(throws: SharedSecretError.notAPublicKey) {
            _ = try cache.key(between: TestPerson.alice.secretKey, and: bad)
        }
        #expect(cache.count == 0)
    }
}

/// Lowercase hex as bytes.
private func bytes(_ hex: String) -> [UInt8] {
    do { return try decodeHex(hex, byteCount: hex.utf8.count / 2) } catch { preconditionFailure("no hex: \(error)") }
}

/// The official vectors, named as in the file.
private struct VectorFile: Decodable {
    static let path = "nostr/nip44.vectors.json"
    static let absent: Testing.Comment = "official vectors are not here"

    static func read() throws -> VectorFile { try Vectors.decode(VectorFile.self, from: path) }

    struct Version: Decodable {
        let valid: Valid
        let invalid: Invalid
    }
    struct Valid: Decodable {
        let get_conversation_key: [KeyPair]
        let get_message_keys: MessageKeyGroup
        let calc_padded_len: [[Int]]
        let encrypt_decrypt: [Message]
        let encrypt_decrypt_long_msg: [LongMessage]
    }
    struct Invalid: Decodable {
        let encrypt_msg_lengths: [Int]
        let get_conversation_key: [BadPair]
        let decrypt: [BadPayload]
    }
    struct KeyPair: Decodable { let sec1, pub2, conversation_key: String }
    struct BadPair: Decodable { let sec1, pub2, note: String }
    struct MessageKeyGroup: Decodable {
        struct Keys: Decodable { let nonce, chacha_key, chacha_nonce, hmac_key: String }
        let conversation_key: String
        let keys: [Keys]
    }
    struct Message: Decodable { let sec1, sec2, conversation_key, nonce, plaintext, payload: String }
    struct LongMessage: Decodable {
        let conversation_key, nonce, pattern: String
        let `repeat`: Int
        let plaintext_sha256, payload_sha256: String
    }
    struct BadPayload: Decodable { let conversation_key, payload, note: String }
    let v2: Version
}
