import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-04 legacy encryption")
struct LegacyEncryptionTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    @Test("reads what it writes, both ways", arguments: ["", "a", "exactly sixteen!", "grüße 🦜 \n"])
    func roundTrip(text: String) throws {
        var random = SeededRandom(seed: 1)
        let payload = try LegacyEncryption.encrypt(
            text, between: alice.secretKey, and: bob.publicKey, using: &random)
        #expect(LegacyEncryption.isPayload(payload))
        #expect(try LegacyEncryption.decrypt(payload, between: bob.secretKey, and: alice.publicKey) == text)
        #expect(try LegacyEncryption.decrypt(payload, between: alice.secretKey, and: bob.publicKey) == text)
    }

    @Test("tells a payload from that of NIP-44")
    func form() throws {
        var random = SeededRandom(seed: 1)
        let other = try ConversationKey(between: alice.secretKey, and: bob.publicKey).encrypt("x", using: &random)
        #expect(!LegacyEncryption.isPayload(other))
        #expect(!LegacyEncryption.isPayload("?iv="))
        for text in ["", "?iv=", "AAAA?iv=AAAAAAAAAAAAAAAAAAAAAA==", "?iv=AAAAAAAAAAAAAAAAAAAAAA==", other] {
            #expect(throws: PayloadError.malformed) {
                try LegacyEncryption.decrypt(text, between: bob.secretKey, and: alice.publicKey)
            }
        }
    }

    @Test("a wrong key, wrong padding and what is no text are one failure")
    func oneFailure() throws {
        var random = SeededRandom(seed: 1)
        let payload = try LegacyEncryption.encrypt(
            "attack at dawn, and not before", between: alice.secretKey, and: bob.publicKey, using: &random)
        var reasons: Set<PayloadError> = []
        var opened = 0
        for place in 0..<payload.utf8.count - 28 {
            var changed = Array(payload.utf8)
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "Q") : UInt8(ascii: "A")
            do {
                _ = try LegacyEncryption.decrypt(
                    String(decoding: changed, as: UTF8.self), between: bob.secretKey, and: alice.publicKey)
                opened += 1
            } catch { reasons.insert(error) }
        }
        // The last characters of the Base64 can stop being Base64, which everybody sees without a key.
        #expect(reasons.subtracting([.malformed]) == [.wrongKey])
        // Nothing authenticates it: some changes do go unnoticed, which is why it is legacy.
        #expect(opened < 30)
        #expect(throws: PayloadError.wrongKey) {
            try LegacyEncryption.decrypt(payload, between: TestPerson.eve.secretKey, and: alice.publicKey)
        }
    }

    @Test("a key that is not on the curve and a text without end are refused")
    func refusals() throws {
        var random = SeededRandom(seed: 1)
        let bad = try PublicKey(hex: String(repeating: "f", count: 64))
        #expect(throws: PayloadError.notAPublicKey) {
            try LegacyEncryption.encrypt("x", between: alice.secretKey, and: bad, using: &random)
        }
        let long = String(repeating: "a", count: LegacyEncryption.longestText + 1)
        #expect(throws: PayloadError.tooLong(limit: LegacyEncryption.longestText)) {
            try LegacyEncryption.encrypt(long, between: alice.secretKey, and: bob.publicKey, using: &random)
        }
        #expect(throws: PayloadError.tooLong(limit: LegacyEncryption.longestText)) {
            try LegacyEncryption.decrypt(
                String(repeating: "A", count: 2_000_000), between: alice.secretKey, and: bob.publicKey)
        }
    }

    @Test("noise never traps")
    func noise() throws {
        var random = SeededRandom(seed: 1)
        let mine = bob.secretKey
        let other = alice.publicKey
        let payload = try LegacyEncryption.encrypt(
            "attack at dawn", between: alice.secretKey, and: bob.publicKey, using: &random)
        Noise.run(Array(payload.utf8), rounds: 2_000) { bytes in
            // Only that it returns matters here.
            _ = try? LegacyEncryption.decrypt(String(decoding: bytes, as: UTF8.self), between: mine, and: other)
        }
    }
}
