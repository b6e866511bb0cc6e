import NostrCore
import NostrSigner
import NostrTesting
import Testing

@Suite("Local signer")
struct LocalSignerTests {
    private let draft = EventDraft(kind: 1, content: "hello", createdAt: Timestamp(seconds: 1_700_000_000))

    @Test("signs events that verify")
    func signs() async throws {
        let signer = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1))
        let event = try await signer.sign(draft)
        #expect(event.pubkey == TestPerson.alice.publicKey)
        #expect(event.content == "hello")
        #expect(try Event(verifying: event.unverified) == event)
    }

    @Test("signs nothing once it is locked")
    func locks() async throws {
        let signer = LocalSigner(TestPerson.alice.secretKey)
        #expect(!signer.isLocked)
        signer.lock()
        #expect(signer.isLocked)
        #expect(signer.publicKey == TestPerson.alice.publicKey)
        await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
    }

    @Test("draws another key each time")
    func generates() {
        #expect(LocalSigner.generate().publicKey != LocalSigner.generate().publicKey)
        let seeded = LocalSigner.generate(random: SeededRandom(seed: 7))
        #expect(seeded.publicKey == LocalSigner.generate(random: SeededRandom(seed: 7)).publicKey)
    }

    @Test("a lockable signer signs while it is unlocked, and takes no other person's key")
    func lockable() async throws {
        let signer = LockableSigner(TestPerson.alice.publicKey)
        await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
        #expect(throws: SigningFailure.refused) { try signer.unlock(with: LocalSigner(TestPerson.bob.secretKey)) }
        #expect(signer.isLocked)
        let opened = LocalSigner(TestPerson.alice.secretKey)
        try signer.unlock(with: opened)
        #expect(try await signer.sign(draft).pubkey == TestPerson.alice.publicKey)
        signer.lock()
        #expect(signer.isLocked && opened.isLocked)
        await #expect(throws: SigningFailure.locked) { try await signer.sign(draft) }
    }

    @Test("a read-only account never signs")
    func readOnly() async throws {
        let signer = ReadOnlySigner(TestPerson.bob.publicKey)
        await #expect(throws: SigningFailure.readOnly) { try await signer.sign(draft) }
    }
}
