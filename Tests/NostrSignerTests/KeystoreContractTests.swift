import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Synchronization
import Testing

@Suite("Every keystore keeps the contract", .timeLimit(.minutes(10)))
struct KeystoreContractTests {
    @Test("in memory", arguments: KeystoreContract.rules)
    func memory(rule: KeystoreContract.Rule) async throws {
        try await rule.check { moment in MemoryKeystore { moment.now } }
    }

    @Test("in NIP-49 files", arguments: KeystoreContract.rules)
    func files(rule: KeystoreContract.Rule) async throws {
        let folder = TemporaryKeyFolder()
        try await rule.check { moment in NIP49FileKeystore(directory: folder.path, logN: 2) { moment.now } }
    }

    @Test("in a keyring", arguments: KeystoreContract.rules)
    func keyring(rule: KeystoreContract.Rule) async throws {
        let folder = TemporaryKeyFolder()
        try await rule.check { moment in
            KeyringKeystore(ScriptedKeyring(), directory: folder.path, logN: 2) { moment.now }
        }
    }

    @Test("in several keystores joined, whichever comes first", arguments: KeystoreContract.rules, [true, false])
    func joined(rule: KeystoreContract.Rule, keyringFirst: Bool) async throws {
        let folder = TemporaryKeyFolder()
        try await rule.check { moment in
            let file = NIP49FileKeystore(directory: folder.path, logN: 2) { moment.now }
            let keyring = KeyringKeystore(ScriptedKeyring(), directory: folder.path, logN: 2) { moment.now }
            return keyringFirst ? JoinedKeystores(keyring, [file]) : JoinedKeystores(file, [keyring])
        }
    }

    @Test("joined keystores keep one key in one place, and find it wherever it is")
    func oneKeyOnce() async throws {
        let folder = TemporaryKeyFolder()
        let keyring = ScriptedKeyring()
        let file = NIP49FileKeystore(directory: folder.path, logN: 2) { Timestamp(seconds: 1) }
        let system = KeyringKeystore(keyring, directory: folder.path, logN: 2) { Timestamp(seconds: 1) }
        let alice = TestPerson.alice.publicKey
        _ = try await file.add(
            LocalSigner(TestPerson.alice.secretKey), name: "in a file", passphrase: "p", handling: .secure)
        let joined = JoinedKeystores(system, [file])
        await #expect(throws: KeystoreError.self) {
            try await joined.add(
                LocalSigner(TestPerson.alice.secretKey), name: "", passphrase: "", handling: .secure)
        }
        #expect(try await joined.unlock(alice, passphrase: "p").publicKey == alice)
        #expect(try await joined.accounts().map(\.kind) == [.encrypted])
        _ = try await joined.add(
            LocalSigner(TestPerson.bob.secretKey), name: "in the keyring", passphrase: "", handling: .secure)
        #expect(try await joined.accounts().map(\.kind).contains(.keyring))
        #expect(keyring.count == 1)
        try await joined.remove(TestPerson.bob.publicKey)
        #expect(keyring.count == 0)
    }

    @Test("a key refused because another keystore has it costs that one nothing, not even its words")
    func refusalCostsNothing() async throws {
        let folder = TemporaryKeyFolder()
        let file = NIP49FileKeystore(directory: folder.path, logN: 2) { Timestamp(seconds: 1) }
        let system = KeyringKeystore(ScriptedKeyring(), directory: folder.path, logN: 2) { Timestamp(seconds: 1) }
        let alice = LocalSigner(TestPerson.alice.secretKey)
        _ = try await file.add(alice, name: "", passphrase: "p", handling: .secure)
        try await file.keepWords("some words", of: alice)
        await #expect(throws: KeystoreError.self) {
            try await JoinedKeystores(system, [file]).add(
                try await file.export(alice.publicKey), name: "", passphrase: "p")
        }
        #expect(try await file.words(of: alice.publicKey, passphrase: "p") == "some words")
        #expect(try await system.accounts().isEmpty)
    }

    @Test("a keyring that loses a key, swaps it or is away is told by name")
    func keyringTroubles() async throws {
        let folder = TemporaryKeyFolder()
        let keyring = ScriptedKeyring()
        let store = KeyringKeystore(keyring, directory: folder.path, logN: 2) { Timestamp(seconds: 1) }
        let alice = TestPerson.alice.publicKey
        _ = try await store.add(
            LocalSigner(TestPerson.alice.secretKey), name: "", passphrase: "", handling: .secure)
        for (secret, code) in [
            (TestPerson.bob.secretHex, KeystoreError.Code.damaged), ("nonsense", .damaged), (nil, .damaged),
        ] {
            keyring.set(secret, for: alice)
            await #expect { _ = try await store.unlock(alice, passphrase: "") } throws: {
                ($0 as? KeystoreError)?.code == code
            }
        }
    }
}

/// A directory for keys that goes away with the test.
final class TemporaryKeyFolder: Sendable {
    let path = NSTemporaryDirectory() + "linnet-keys-\(UUID().uuidString)"

    deinit {
        // What is left in the temporary directory does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A system's keyring that a test holds in its hand.
final class ScriptedKeyring: SystemKeyring {
    private let secrets = Mutex<[PublicKey: String]>([:])

    var count: Int { secrets.withLock { $0.count } }

    func set(_ secret: String?, for key: PublicKey) {
        secrets.withLock { $0[key] = secret }
    }

    func put(_ secret: String, label: String, for key: PublicKey) async throws { set(secret, for: key) }

    func secret(of key: PublicKey) async throws -> String? { secrets.withLock { $0[key] } }

    func remove(_ key: PublicKey) async throws { set(nil, for: key) }
}
