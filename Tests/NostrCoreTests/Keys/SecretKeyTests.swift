import NostrCore
import NostrTesting
import Testing

@Suite("secret keys")
struct SecretKeyTests {
    @Test(
        "that are none are refused without repeating them",
        arguments: [
            ("", SecretKeyError.notHex(.wrongLength(expected: 64, got: 0))),
            (String(repeating: "0", count: 64), .notASecretKey),
            (String(repeating: "f", count: 64), .notASecretKey),
            (String(repeating: "F", count: 64), .notHex(.notLowercaseHex(at: 0))),
        ])
    func refuses(hex: String, why: SecretKeyError) {
        #expect(throws: why) { _ = try SecretKey(hex: hex) }
    }

    @Test("share the same secret from both sides")
    func shared() throws {
        let alice = TestPerson.alice.secretKey
        let bob = TestPerson.bob.secretKey
        let ours = try alice.sharedX(with: bob.publicKey)
        let theirs = try bob.sharedX(with: alice.publicKey)
        let same = ours.withBytes { a in theirs.withBytes { b in encodeHex(a) == encodeHex(b) } }
        #expect(same)
        #expect(ours.count == 32)
    }

    @Test("share nothing with a key that is not on the curve")
    func offCurve() throws {
        let key = TestPerson.alice.secretKey
        let none = PublicKey(try Bytes32([UInt8](repeating: 0xFF, count: 32).span))
        #expect(throws: SharedSecretError.notAPublicKey) { _ = try key.sharedX(with: none) }
    }

    @Test("generated with the same randomness are the same")
    func generated() {
        var a = SeededRandom(seed: 5)
        var b = SeededRandom(seed: 5)
        #expect(SecretKey.generate(using: &a).publicKey == SecretKey.generate(using: &b).publicKey)
        #expect(SecretKey.generate(using: &a).publicKey != TestPerson.alice.publicKey)
    }

    @Test("lend the bytes they were made of")
    func lend() {
        #expect(TestPerson.dave.secretKey.withBytes { encodeHex($0) } == TestPerson.dave.secretHex)
    }
}
