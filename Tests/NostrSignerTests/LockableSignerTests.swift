import NostrCore
import NostrSigner
import NostrTesting
import Testing

@Suite("A lockable signer")
struct LockableSignerTests {
    private let draft = EventDraft(kind: 1, content: "hello", createdAt: Timestamp(seconds: 1))

    @Test("signs only between unlock and lock")
    func signsWhileUnlocked() async throws {
        let key = LocalSigner.generate()
        let signer = LockableSigner(key.publicKey)
        #expect(signer.isLocked)
        await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
        try signer.unlock(with: key)
        #expect(try await signer.sign(draft).pubkey == key.publicKey)
        signer.lock()
        #expect(signer.isLocked && key.isLocked)
        await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
    }

    @Test("refuses another person's key")
    func refusesOthers() throws {
        let signer = LockableSigner(LocalSigner.generate().publicKey)
        #expect(throws: SigningFailure.refused) { try signer.unlock(with: LocalSigner.generate()) }
        #expect(signer.isLocked)
    }
}
