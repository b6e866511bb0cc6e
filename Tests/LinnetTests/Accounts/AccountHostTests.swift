import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing
import ViewModels

@testable import linnet

@Suite("The accounts of this machine")
struct AccountHostTests {
    /// A host over a fresh directory and a network that answers nothing.
    private func withHost(_ body: (AccountHost, DataDirectory) async throws -> Void) async throws {
        let directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
        try directory.prepare()
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        let host = AccountHost(
            keystore: NIP49FileKeystore(directory: directory.keys, logN: 4, now: { Timestamp(seconds: 1) }),
            factory: AccountFactory(
                store: MemoryEventStore(now: { Timestamp(seconds: 1) }), transport: ScriptedTransport(),
                configuration: AccountConfiguration(routing: RoutingPolicy(), searchRelays: []),
                directory: directory, log: Logger(label: "test")),
            demo: nil)
        try await body(host, directory)
    }

    @Test("a made key signs at once, is listed, and after a restart signs only once unlocked")
    func createAndUnlock() async throws {
        try await withHost { host, directory in
            let made = try await host.create(name: "Ana", passphrase: "correct horse")
            #expect(await host.isLocked(made.publicKey) == false)
            #expect(try await host.accounts().map(\.name) == ["Ana"])

            let again = AccountHost(
                keystore: NIP49FileKeystore(directory: directory.keys, logN: 4, now: { Timestamp(seconds: 2) }),
                factory: AccountFactory(
                    store: MemoryEventStore(now: { Timestamp(seconds: 2) }), transport: ScriptedTransport(),
                    configuration: AccountConfiguration(routing: RoutingPolicy(), searchRelays: []),
                    directory: directory, log: Logger(label: "test")),
                demo: nil)
            let locked = try await again.open(made.publicKey)
            #expect(locked.canSign)
            #expect(await again.isLocked(made.publicKey))
            await #expect(throws: Trouble.self) {
                _ = try await again.unlock(made.publicKey, passphrase: "wrong horse")
            }
            #expect(await again.isLocked(made.publicKey))
            _ = try await again.unlock(made.publicKey, passphrase: "correct horse")
            #expect(await again.isLocked(made.publicKey) == false)
        }
    }

    @Test("after three wrong passphrases none is looked at for a while, whatever it would open")
    func wrongPassphrases() async throws {
        let home = try AccountHome()
        let store = try home.store()
        let host = home.host(store)
        let key = try await host.create(name: "Ana", passphrase: "correct horse").publicKey
        let again = home.host(store)
        for _ in 0..<2 {
            await #expect(throws: Trouble("Wrong passphrase.")) {
                _ = try await again.unlock(key, passphrase: "wrong horse")
            }
        }
        await #expect(throws: Trouble("Wrong passphrase.")) {
            try await again.burn(key, passphrase: "wrong horse")
        }
        for time in ["5 seconds", "4 seconds"] {
            await #expect(throws: Trouble("Too many wrong passphrases: try again in \(time). Nothing was changed.")) {
                _ = try await again.unlock(key, passphrase: "correct horse")
            }
            await #expect(throws: Trouble("Too many wrong passphrases: try again in \(time). Nothing was changed.")) {
                _ = try await again.exportMnemonic(key, passphrase: "correct horse")
            }
            #expect(await again.isLocked(key))
            home.clock.advance(by: .seconds(1))
        }
        home.clock.advance(by: .seconds(3))
        _ = try await again.unlock(key, passphrase: "correct horse")
        #expect(await again.isLocked(key) == false)
    }

    @Test("a secret can be brought as nsec, hex or ncryptsec, and is the same account")
    func importForms() async throws {
        var random = SeededRandom(seed: 7)
        let key = SecretKey.generate(using: &random)
        let encrypted = try EncryptedSecretKey(
            encrypting: key, passphrase: "pass phrase", logN: 4, handling: .unknown, using: &random)
        // Bech32 may be written in capitals, as QR codes do (BIP-173).
        let capitals = encrypted.description.uppercased()
        for text in [key.exportNsec(), " \(key.exportHex())\n", encrypted.description, capitals] {
            try await withHost { host, directory in
                let account = try await host.importSecret(text, passphrase: "pass phrase")
                #expect(account.publicKey == key.publicKey)
                #expect(await host.isLocked(key.publicKey) == false)
                try expectNothingHolds(key.exportHex(), in: directory)
            }
        }
    }

    @Test("a public key opens an account that only reads; a secret in its place is refused in words")
    func readOnly() async throws {
        var random = SeededRandom(seed: 8)
        let key = SecretKey.generate(using: &random)
        let nsec = key.exportNsec()
        let npub = key.publicKey.npub
        try await withHost { host, _ in
            let account = try await host.openReadOnly("nostr:\(npub)")
            #expect(!account.canSign)
            let refused = await #expect(throws: Trouble.self) { _ = try await host.openReadOnly(nsec) }
            #expect(refused?.sentence.contains("secret") == true)
            #expect(refused?.sentence.contains(nsec) == false)
        }
    }

    @Test("what is mistyped is told as mistyped, and never repeated")
    func mistyped() async throws {
        var random = SeededRandom(seed: 9)
        let key = SecretKey.generate(using: &random)
        let nsec = key.exportNsec()
        let swapped = String(nsec.dropLast(2)) + (nsec.hasSuffix("qq") ? "pp" : "qq")
        try await withHost { host, _ in
            for (text, words) in [
                (swapped, "mistyped"), (String(nsec.dropLast()), "mistyped"), (nsec.uppercased() + "x", "mistyped"),
                (String(repeating: "f", count: 64), "not a valid secret key"), ("hello", "not a secret key"),
            ] {
                let refused = await #expect(throws: Trouble.self) {
                    _ = try await host.importSecret(text, passphrase: "pass phrase")
                }
                #expect(refused?.sentence.contains(words) == true, "\(words)")
                #expect(refused?.sentence.contains(text) == false)
            }
            let npub = String(key.publicKey.npub.dropLast()) + "q"
            let refused = await #expect(throws: Trouble.self) { _ = try await host.openReadOnly(npub + "q") }
            #expect(refused?.sentence.contains("mistyped") == true)
        }
    }

    @Test("every account at work is told of a relay that is allowed, not only the open one", .timeLimit(.minutes(1)))
    func allowedRelay() async throws {
        try await withHost { host, _ in
            let made = try await host.create(name: "Ana", passphrase: "correct horse")
            let reader = try await host.openReadOnly(TestPerson.bob.publicKey.npub)
            let changes = [await made.changes(), await reader.changes()]
            await host.didAllow(try RelayURL("ws://192.168.1.5:7777"))
            for heard in changes {
                // The last of what an account says once it has tried the relay.
                let told = await heard.first { $0 == .circles }
                #expect(told == .circles)
            }
        }
    }

    private func expectNothingHolds(_ secretHex: String, in directory: DataDirectory) throws {
        let raw = try decodeHex(secretHex, byteCount: 32)
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            guard let bytes = FileManager.default.contents(atPath: "\(directory.path)/\(name)") else { continue }
            #expect(bytes.range(of: Data(secretHex.utf8)) == nil)
            #expect(bytes.range(of: Data(raw)) == nil)
        }
    }
}
