import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("Signers that encrypt")
struct SignerEncryptionTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    @Test("what one encrypts the other decrypts", arguments: ContentCipher.allCases)
    func roundTrip(cipher: ContentCipher) async throws {
        let (sender, reader) = (LocalSigner(alice.secretKey), LockableSigner(bob.publicKey))
        try reader.unlock(with: LocalSigner(bob.secretKey))
        let payload = try await sender.encrypt("grüße 🦜", for: bob.publicKey, by: cipher)
        #expect(try await reader.decrypt(payload, from: alice.publicKey, by: cipher) == "grüße 🦜")
        #expect(try await sender.decrypt(payload, from: bob.publicKey, by: cipher) == "grüße 🦜")
        let again = try await sender.encrypt("grüße 🦜", for: bob.publicKey, by: cipher)
        #expect(again != payload)
        await #expect(throws: PayloadError.wrongKey) {
            try await LocalSigner(TestPerson.eve.secretKey).decrypt(payload, from: alice.publicKey, by: cipher)
        }
    }

    @Test("a long text is encrypted only by a signer that may")
    func longText() async throws {
        let text = String(repeating: "a", count: 70_000)
        await #expect(throws: PayloadError.tooLong(limit: 65_535)) {
            try await LocalSigner(alice.secretKey).encrypt(text, for: alice.publicKey, by: .nip44)
        }
        let signer = LocalSigner(alice.secretKey, longestText: 100_000)
        let payload = try await signer.encrypt(text, for: alice.publicKey, by: .nip44)
        #expect(try await LocalSigner(alice.secretKey).decrypt(payload, from: alice.publicKey, by: .nip44) == text)
    }

    @Test("a key that is not on the curve is named", arguments: ContentCipher.allCases)
    func offCurve(cipher: ContentCipher) async throws {
        let bad = try PublicKey(hex: String(repeating: "f", count: 64))
        await #expect(throws: PayloadError.notAPublicKey) {
            try await LocalSigner(alice.secretKey).encrypt("x", for: bad, by: cipher)
        }
    }

    @Test("opens many wraps in their order, good ones between bad ones")
    func opens() async throws {
        var random = SeededRandom(seed: 1)
        let eve = TestPerson.eve
        var wraps: [Event] = []
        for number in 0..<120 {
            let author = number % 2 == 0 ? alice : eve
            let draft = EventDraft(kind: 14, content: "\(number)", createdAt: Timestamp(seconds: Int64(number)))
            wraps.append(
                try GiftWrap.make(
                    Rumor(draft, author: author.publicKey), by: author.secretKey,
                    for: number % 5 == 4 ? eve.publicKey : bob.publicKey, now: Timestamp(seconds: 1_700_000_000),
                    using: &random))
        }
        let outcomes = try await LocalSigner(bob.secretKey).open(wraps)
        #expect(outcomes.count == 120)
        for (number, outcome) in outcomes.enumerated() {
            if number % 5 == 4 {
                #expect(outcome == .failure(.notForUs))
            } else {
                let gift = try outcome.get()
                #expect(gift.rumor.content == "\(number)" && gift.wrapID == wraps[number].id)
                #expect(gift.rumor.pubkey == (number % 2 == 0 ? alice : eve).publicKey)
            }
        }
        #expect(try await LocalSigner(bob.secretKey).open([]).isEmpty)
    }

    @Test("does nothing once it is locked")
    func locked() async throws {
        let local = LocalSigner(alice.secretKey)
        let payload = try await local.encrypt("x", for: bob.publicKey, by: .nip44)
        let wrap = bob.event("x", kind: 1059)
        local.lock()
        for signer in [local, LockableSigner(alice.publicKey)] as [any EventSigner] {
            await #expect(throws: SigningFailure.locked) {
                try await signer.encrypt("x", for: bob.publicKey, by: .nip44)
            }
            await #expect(throws: SigningFailure.locked) {
                try await signer.decrypt(payload, from: bob.publicKey, by: .nip04)
            }
            await #expect(throws: SigningFailure.locked) { try await signer.open([wrap]) }
        }
        await #expect(throws: SigningFailure.cannotEncrypt) { try await ReadOnlySigner(alice.publicKey).open([wrap]) }
    }

    @Test("many tasks use one signer at once, also while it is being locked")
    func concurrent() async throws {
        let signer = LocalSigner(alice.secretKey)
        let bob = bob.publicKey
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    if number == 40 { signer.lock() }
                    do {
                        let payload = try await signer.encrypt("\(number)", for: bob, by: .nip44)
                        return try await signer.decrypt(payload, from: bob, by: .nip44) == "\(number)"
                    } catch { return error as? SigningFailure == .locked }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: true, count: 60))
        #expect(signer.isLocked)
    }
}
