import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("Keystore of NIP-49 files")
struct NIP49FileKeystoreTests {
    private let home = KeystoreHome()
    private let alice = TestPerson.alice.publicKey

    @Test("keeps a key and gives it back for the passphrase")
    func roundTrip() async throws {
        let account = try await home.addAlice()
        #expect(account.kind == .encrypted)
        #expect(account.name == "Alice")
        let again = home.reopened()
        #expect(try await again.accounts() == [account])
        #expect(try await again.unlock(alice, passphrase: "correct horse").publicKey == alice)
    }

    @Test("a wrong or empty passphrase opens nothing")
    func wrongPassphrase() async throws {
        try await home.addAlice()
        await expect(.wrongPassphrase) { _ = try await home.keystore.unlock(alice, passphrase: "wrong horse") }
        await expect(.emptyPassphrase) { _ = try await home.keystore.unlock(alice, passphrase: "") }
        await expect(.emptyPassphrase) {
            _ = try await home.keystore.add(
                LocalSigner(TestPerson.bob.secretKey), name: "", passphrase: "", handling: .secure)
        }
        #expect(try await home.keystore.accounts().map(\.key) == [alice])
    }

    @Test("no file holds the key in any form, or the passphrase")
    func secretsStayOut() async throws {
        try await home.addAlice()
        _ = try await home.keystore.unlock(alice, passphrase: "correct horse")
        let secret = TestPerson.alice.secretKey.withBytes { span in span.indices.map { span[$0] } }
        let forbidden: [[UInt8]] = [
            secret, Array(TestPerson.alice.secretHex.utf8), Array(TestPerson.alice.secretKey.exportNsec().utf8),
            Array("nsec1".utf8), Array("correct horse".utf8),
        ]
        let files = try home.files()
        #expect(files.count == 2)
        for (name, bytes) in files {
            for needle in forbidden { #expect(!contains(bytes, needle), "\(name)") }
        }
    }

    @Test("only the owner can read the files and enter the directory, whatever the umask")
    func permissions() async throws {
        try await home.addAlice()
        for name in try home.files().keys { #expect(try home.permissions(name) == 0o600, "\(name)") }
        #expect(try home.permissions("") == 0o700)
        #expect(try home.files().keys.allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test("never writes over a key that is there")
    func keepsTheFirst() async throws {
        try await home.addAlice()
        let before = try home.files()
        await expect(.alreadyThere) {
            _ = try await home.keystore.add(
                LocalSigner(TestPerson.alice.secretKey), name: "again", passphrase: "other", handling: .secure)
        }
        await expect(.alreadyThere) { _ = try await home.keystore.addReadOnly(alice, name: "again") }
        #expect(try home.files() == before)
    }

    @Test(
        "a truncated or foreign key file is named as damaged, and the account still listed", arguments: [0, 1, 20, 161])
    func truncated(length: Int) async throws {
        try await home.addAlice()
        let name = "\(alice.npub).ncryptsec"
        let whole = try #require(try home.files()[name])
        try home.write(Array(whole.prefix(length)), to: name)
        await expect(.damaged) { _ = try await home.keystore.unlock(alice, passphrase: "correct horse") }
        #expect(try await home.keystore.accounts().map(\.key) == [alice])
    }

    @Test("another person's key in the file is not taken for one's own")
    func swapped() async throws {
        try await home.addAlice()
        let bob = LocalSigner(TestPerson.bob.secretKey)
        _ = try await home.keystore.add(bob, name: "Bob", passphrase: "correct horse", handling: .secure)
        let files = try home.files()
        let bobs = try #require(files["\(bob.publicKey.npub).ncryptsec"])
        try home.write(bobs, to: "\(alice.npub).ncryptsec")
        await expect(.damaged) { _ = try await home.keystore.unlock(alice, passphrase: "correct horse") }
    }

    @Test("a damaged accounts.json loses no key and is set aside")
    func damagedIndex() async throws {
        try await home.addAlice()
        try home.write(Array("{\"version\":1,\"acc".utf8), to: "accounts.json")
        let accounts = try await home.keystore.accounts()
        #expect(accounts.map(\.key) == [alice])
        #expect(accounts.first?.kind == .encrypted)
        try await home.keystore.rename(alice, to: "A")
        #expect(try await home.keystore.accounts().map(\.name) == ["A"])
        #expect(try home.files().keys.contains { $0.hasPrefix("accounts.json.damaged-") })
    }

    @Test("a read-only account has no key to unlock and becomes one with a key")
    func readOnly() async throws {
        let account = try await home.keystore.addReadOnly(alice, name: "watching")
        #expect(account.kind == .readOnly)
        await expect(.readOnlyAccount) { _ = try await home.keystore.unlock(alice, passphrase: "x") }
        await expect(.readOnlyAccount) { _ = try await home.keystore.export(alice) }
        try await home.addAlice()
        #expect(try await home.keystore.accounts().map(\.kind) == [.encrypted])
    }

    @Test("keeps an ncryptsec as it came, once the passphrase opens it")
    func importsEncrypted() async throws {
        var random = SeededRandom(seed: 3)
        let encrypted = try EncryptedSecretKey(
            encrypting: TestPerson.carol.secretKey, passphrase: "old", logN: 2, handling: .unknown, using: &random)
        await expect(.wrongPassphrase) {
            _ = try await home.keystore.add(encrypted, name: "Carol", passphrase: "new")
        }
        #expect(try home.files().isEmpty)
        let account = try await home.keystore.add(encrypted, name: "Carol", passphrase: "old")
        #expect(account.key == TestPerson.carol.publicKey)
        #expect(try await home.keystore.export(account.key) == encrypted)
    }

    @Test("changes a passphrase, and refuses without the old one")
    func changesPassphrase() async throws {
        try await home.addAlice()
        await expect(.wrongPassphrase) {
            try await home.keystore.changePassphrase(of: alice, from: "guess", to: "new")
        }
        try await home.keystore.changePassphrase(of: alice, from: "correct horse", to: "new")
        await expect(.wrongPassphrase) { _ = try await home.keystore.unlock(alice, passphrase: "correct horse") }
        #expect(try await home.keystore.unlock(alice, passphrase: "new").publicKey == alice)
    }

    @Test(
        "a crash before the new file has its name leaves the old key, and burning takes what it left",
        arguments: [0, 50, 162])
    func crashBeforeRename(written: Int) async throws {
        try await home.addAlice()
        let name = "\(alice.npub).ncryptsec"
        let whole = try #require(try home.files()[name])
        try home.write(Array(whole.prefix(written)), to: "\(name).4711-1234.new")
        let again = home.reopened()
        #expect(try await again.accounts().map(\.key) == [alice])
        #expect(try await again.unlock(alice, passphrase: "correct horse").publicKey == alice)
        try await again.changePassphrase(of: alice, from: "correct horse", to: "new")
        #expect(try await again.unlock(alice, passphrase: "new").publicKey == alice)
        try await again.remove(alice)
        #expect(try home.files().keys.sorted() == ["accounts.json"])
    }

    @Test("forgets an account for good")
    func removes() async throws {
        try await home.addAlice()
        try await home.keystore.remove(alice)
        #expect(try await home.keystore.accounts().isEmpty)
        #expect(try home.files().keys.sorted() == ["accounts.json"])
        await expect(.unknownAccount) { try await home.keystore.remove(alice) }
        await expect(.unknownAccount) { _ = try await home.keystore.unlock(alice, passphrase: "correct horse") }
    }

    @Test("lists the last used account first")
    func order() async throws {
        try await home.addAlice()
        _ = try await home.keystore.addReadOnly(TestPerson.bob.publicKey, name: "Bob")
        #expect(try await home.keystore.accounts().map(\.key) == [TestPerson.bob.publicKey, alice])
        _ = try await home.keystore.unlock(alice, passphrase: "correct horse")
        #expect(try await home.keystore.accounts().map(\.key) == [alice, TestPerson.bob.publicKey])
    }

    @Test("an empty or missing directory holds no accounts")
    func empty() async throws {
        #expect(try await home.keystore.accounts().isEmpty)
    }

    @Test("a locked signer has no key to keep")
    func lockedSigner() async throws {
        let signer = LocalSigner(TestPerson.alice.secretKey)
        signer.lock()
        await expect(.locked) {
            _ = try await home.keystore.add(signer, name: "", passphrase: "p", handling: .secure)
        }
    }

    @Test("a file in the way of the directory gives a plain error")
    func notADirectory() async throws {
        let path = NSTemporaryDirectory() + "linnet-keystore-\(UUID().uuidString)"
        try Data().write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let keystore = NIP49FileKeystore(directory: path, logN: 2) { Timestamp(seconds: 0) }
        await expect(.io) {
            _ = try await keystore.add(
                LocalSigner(TestPerson.alice.secretKey), name: "", passphrase: "p", handling: .secure)
        }
    }

    private func expect(
        _ code: KeystoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("expected \(code)", sourceLocation: sourceLocation)
        } catch let error as KeystoreError {
            #expect(error.code == code, sourceLocation: sourceLocation)
        } catch {
            Issue.record("expected \(code), got \(error)", sourceLocation: sourceLocation)
        }
    }

    private func contains(_ haystack: [UInt8], _ needle: [UInt8]) -> Bool {
        guard haystack.count >= needle.count else { return false }
        return (0...(haystack.count - needle.count)).contains { haystack[$0..<$0 + needle.count].elementsEqual(needle) }
    }
}
