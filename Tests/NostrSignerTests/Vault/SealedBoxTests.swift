import Crypto
import NostrSigner
import NostrTesting
import Testing

@Suite("sealing to a vault that is closed")
struct SealedBoxTests {
    private let key = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 5, count: 32)))
    private let text = Array("planted in the ground".utf8)

    @Test("the open vault reads it, under the name it was sealed for, and no other vault")
    func opens() throws {
        let sealed = try SealingKey.seal(text, toBox: key.boxPublicKey, as: "a/1")
        #expect(sealed.count == 32 + text.count + 16)
        #expect(try key.openBox(sealed, as: "a/1") == text)
        #expect(try SealingKey.seal(text, toBox: key.boxPublicKey, as: "a/1") != sealed)
        let other = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 6, count: 32)))
        #expect(other.boxPublicKey != key.boxPublicKey)
        #expect(throws: SealingKey.Failure.doesNotOpen) { try other.openBox(sealed, as: "a/1") }
        #expect(throws: SealingKey.Failure.doesNotOpen) { try key.openBox(sealed, as: "a/2") }
    }

    @Test("what was changed or is no key is refused, and noise never traps")
    func hostile() throws {
        let sealed = try SealingKey.seal(text, toBox: key.boxPublicKey, as: "a/1")
        for bad in [[], [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33)] {
            #expect(throws: SealingKey.Failure.doesNotOpen) { try SealingKey.seal(text, toBox: bad, as: "a/1") }
        }
        for bad in [[], Array(sealed.prefix(32)), Array(sealed.dropLast())] {
            #expect(throws: SealingKey.Failure.doesNotOpen) { try key.openBox(bad, as: "a/1") }
        }
        Noise.run(sealed, rounds: 100) { bytes in
            guard let opened = try? key.openBox(bytes, as: "a/1") else { return }
            #expect(bytes == sealed && opened == text)
        }
    }
}
