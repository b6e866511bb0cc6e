import NostrTesting
import Secp256k1
import Synchronization
import Testing

private let order =
    [UInt8](repeating: 0xFF, count: 15) + [
        0xFE, 0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]

private func scalar(_ small: UInt8) -> [UInt8] {
    [UInt8](repeating: 0, count: 31) + [small]
}

private func sharedX(_ secret: [UInt8], _ other: [UInt8]) throws -> [UInt8] {
    let key = try SigningKey(secret: secret.span)
    var output = [UInt8](repeating: 0, count: 32)
    var span = output.mutableSpan
    try key.sharedX(with: other.span, into: &span)
    return output
}

private func isValid(_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool {
    SchnorrSignature.isValid(signature.span, message: message.span, publicKey: publicKey.span)
}

@Suite("keys on the curve")
struct KeyTests {
    @Test(
        "that are none are refused",
        arguments: [
            ([UInt8](repeating: 0, count: 32), CurveError.notASecretKey), (order, .notASecretKey),
            ([UInt8](repeating: 0xFF, count: 32), .notASecretKey), ([1, 2, 3], .wrongLength(got: 3)),
            ([], .wrongLength(got: 0)),
        ])
    func refuses(bytes: [UInt8], why: CurveError) {
        #expect(throws: why) { _ = try SigningKey(secret: bytes.span) }
    }

    @Test("of the scalar one give the other's x as the shared secret")
    func identity() throws {
        for small in UInt8(1)...20 {
            let other = try SigningKey(secret: scalar(small).span).publicKey
            #expect(try sharedX(scalar(1), other) == other)
        }
    }

    @Test("share the same secret from both sides")
    func symmetric() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<20 {
            let a = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            let b = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            let publicA = try SigningKey(secret: a.span).publicKey
            let publicB = try SigningKey(secret: b.span).publicKey
            #expect(try sharedX(a, publicB) == sharedX(b, publicA))
        }
    }

    @Test("share nothing with what is no key")
    func noSharedSecret() {
        #expect(throws: CurveError.wrongLength(got: 2)) { try sharedX(scalar(1), [1, 2]) }
        #expect(throws: CurveError.notAPublicKey) { try sharedX(scalar(1), [UInt8](repeating: 0xFF, count: 32)) }
        // x = 5 has no y on the curve.
        #expect(throws: CurveError.notAPublicKey) { try sharedX(scalar(1), scalar(5)) }
    }

    @Test("are told from numbers that are no x coordinate")
    func publicKeys() throws {
        let isKey = { (bytes: [UInt8]) in SchnorrSignature.isPublicKey(bytes.span) }
        #expect(isKey(try SigningKey(secret: scalar(1).span).publicKey))
        #expect(!isKey(scalar(5)))
        #expect(!isKey([UInt8](repeating: 1, count: 31)))
    }

    @Test("sign only 32 bytes with 32 bytes of randomness")
    func lengths() throws {
        let key = try SigningKey(secret: scalar(9).span)
        #expect(throws: CurveError.wrongLength(got: 31)) {
            try key.sign([UInt8](repeating: 0, count: 31), auxiliary: scalar(0))
        }
        #expect(throws: CurveError.wrongLength(got: 1)) { try key.sign(scalar(0), auxiliary: [1]) }
    }

    @Test("leave a valid signature that fails when any bit of it, the message or the key changes")
    func tampering() throws {
        let key = try SigningKey(secret: scalar(7).span)
        let message = scalar(42)
        let signature = try key.sign(message, auxiliary: scalar(0))
        #expect(isValid(signature, message, key.publicKey))
        for bit in stride(from: 0, to: 512, by: 7) {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(changed, message, key.publicKey))
        }
        for bit in stride(from: 0, to: 256, by: 7) {
            var other = message
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(signature, other, key.publicKey))
            var stranger = key.publicKey
            stranger[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(signature, message, stranger))
        }
        #expect(!isValid([], message, key.publicKey))
    }
}

/// Holds in a release build too: the wipe is a call that the optimiser must keep.
@Suite("secret memory")
struct WipedMemoryTests {
    private func use(_ memory: consuming WipedMemory) {
        memory.withMutableBytes { span in for i in span.indices { span[i] = UInt8(truncatingIfNeeded: i + 1) } }
        #expect(memory.withBytes { $0.count == 64 && $0[63] == 64 })
    }

    @Test("starts as zeros and is zero again before it is given back")
    func wiped() {
        let seen = Mutex<[UInt8]?>(nil)
        use(WipedMemory(count: 64) { left in seen.withLock { $0 = left } })
        #expect(seen.withLock { $0 } == [UInt8](repeating: 0, count: 64))
        #expect(WipedMemory(count: 3).withBytes { $0[0] | $0[1] | $0[2] } == 0)
    }

    @Test("of a signing key is zero after the key is gone, also when it never was one", arguments: [0, 1] as [UInt8])
    func signingKey(small: UInt8) {
        let seen = Mutex<[UInt8]?>(nil)
        do {
            let memory = WipedMemory(count: 96) { left in seen.withLock { $0 = left } }
            let key = try SigningKey(secret: scalar(small).span, memory: memory)
            _ = try key.sign(scalar(1), auxiliary: scalar(0))
        } catch {
            #expect(error == .notASecretKey && small == 0)
        }
        #expect(seen.withLock { $0 } == [UInt8](repeating: 0, count: 96))
    }
}
