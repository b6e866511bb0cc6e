import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing
import ViewModels

@testable import linnet

@Suite("Locking, changing and burning the keys of this machine", .timeLimit(.minutes(10)))
struct AccountKeysTests {
    private let passphrase = "correct horse"

    @Test("an account that nobody touches locks itself after the time its owner set, and no other does")
    func autoLock() async throws {
        let home = try AccountHome()
        let host = home.host(try home.store())
        let ana = try await host.create(name: "", passphrase: passphrase).publicKey
        let ben = try await host.create(name: "", passphrase: passphrase).publicKey
        #expect(await host.autoLock(of: ana) == nil)
        try await host.setAutoLock(.seconds(300), of: ana)
        home.clock.advance(by: .seconds(200))
        await host.touch(ana)
        home.clock.advance(by: .seconds(299))
        await host.lockIdle()
        #expect(await host.isLocked(ana) == false)
        home.clock.advance(by: .seconds(1))
        await host.lockIdle()
        #expect(await host.isLocked(ana))
        #expect(await host.isLocked(ben) == false)

        let later = home.host(try home.store())
        #expect(await later.autoLock(of: ana) == .seconds(300))
        try await later.setAutoLock(nil, of: ana)
        #expect(await home.host(try home.store()).autoLock(of: ana) == nil)
        await #expect(throws: Trouble.self) { try await later.setAutoLock(.seconds(5), of: ana) }
    }

    @Test("an open page hears that the key was locked, and that it was unlocked")
    func lockIsToldToPages() async throws {
        let home = try AccountHome()
        let host = home.host(try home.store())
        let account = try await host.create(name: "", passphrase: passphrase)
        var changes = await account.changes().makeAsyncIterator()
        await host.lock(account.publicKey)
        while let change = await changes.next(), change != .lock {}
        #expect(await host.isLocked(account.publicKey))
        _ = try await host.unlock(account.publicKey, passphrase: passphrase)
        while let change = await changes.next(), change != .lock {}
        #expect(await !host.isLocked(account.publicKey))
    }

    @Test("a locked account signs nothing until it is unlocked again")
    func locking() async throws {
        let home = try AccountHome()
        let host = home.host(try home.store())
        let account = try await host.create(name: "", passphrase: passphrase)
        await host.lock(account.publicKey)
        #expect(await host.isLocked(account.publicKey))
        #expect(try await host.custody(of: account.publicKey).isLocked)
        await #expect(throws: (any Error).self) { try await account.profile.update(["name": "x"]) }
        _ = try await host.unlock(account.publicKey, passphrase: passphrase)
        #expect(try await host.custody(of: account.publicKey).isLocked == false)
    }

    @Test("the passphrase can be changed, and the key exported under it")
    func passphrases() async throws {
        let home = try AccountHome()
        let host = home.host(try home.store())
        let key = try await host.create(name: "", passphrase: passphrase).publicKey
        await #expect(throws: Trouble.self) { try await host.changePassphrase(of: key, from: "wrong", to: "new") }
        try await host.changePassphrase(of: key, from: passphrase, to: "new")
        let exported = try EncryptedSecretKey(try await host.exportEncrypted(key))
        #expect(try exported.decrypt(passphrase: "new").publicKey == key)
        #expect(try await host.custody(of: key) == KeyCustody(kind: .file, isLocked: false, hasMnemonic: true))
        let words = try await host.exportMnemonic(key, passphrase: "new")
        #expect(try Mnemonic(words).secretKey().publicKey == key)
        await #expect(throws: Trouble.self) { try await host.exportMnemonic(key, passphrase: passphrase) }
        let plain = try await host.importSecret(TestPerson.carol.secretHex, passphrase: passphrase).publicKey
        await #expect(throws: Trouble.self) { try await host.exportMnemonic(plain, passphrase: passphrase) }
    }

    @Test("a read-only account has nothing to lock, change or export")
    func readOnly() async throws {
        let home = try AccountHome()
        let host = home.host(try home.store())
        let key = TestPerson.bob.publicKey
        _ = try await host.openReadOnly(key.npub)
        #expect(
            try await host.custody(of: key) == KeyCustody(kind: .readOnly, isLocked: false, hasMnemonic: false))
        await host.lock(key)
        await #expect(throws: Trouble.self) { try await host.exportEncrypted(key) }
        try await host.burn(key, passphrase: "")
        #expect(try await host.accounts().isEmpty)
    }

    @Test("burning leaves nothing of the account, stops its work, and touches no other")
    func burns() async throws {
        let home = try AccountHome()
        let store = try home.store()
        let host = home.host(store)
        try await home.atWork(host) {
            let nsec = TestPerson.alice.secretKey.exportNsec()
            let ana = try await host.importSecret(nsec, passphrase: passphrase).publicKey
            let ben = try await host.create(name: "Ben", passphrase: passphrase).publicKey
            let theirs = TestPerson.bob.event("hello", tags: [["p", ana.hex]])
            _ = try await store.save(
                [
                    TestPerson.alice.event("mine"), theirs,
                    TestPerson.carol.event("sealed", kind: 1059, tags: [["p", ana.hex]]),
                ], from: nil)
            await #expect(throws: Trouble.self) { try await host.burn(ana, passphrase: "wrong") }
            #expect(try await host.accounts().count == 2)

            try await host.burn(ana, passphrase: passphrase)
            #expect(try await host.accounts().map(\.key) == [ben])
            #expect(try await store.query([Filter()]) == [theirs])
            #expect(try home.files().allSatisfy { !$0.contains(ana.hex) && !$0.contains(ana.npub) })
            await #expect(throws: Trouble.self) { _ = try await host.open(ana) }
            // The same key may come again, as a stranger.
            _ = try await host.importSecret(nsec, passphrase: "another")
        }
    }

    @Test("a burn that a crash cut short is finished at the next start", arguments: [0, 1, 2])
    func burnsAfterCrash(step: Int) async throws {
        let home = try AccountHome()
        let store = try home.store()
        let before = home.host(store)
        let ana = try await before.importSecret(TestPerson.alice.secretHex, passphrase: passphrase).publicKey
        _ = try await store.save([TestPerson.alice.event("mine")], from: nil)
        let burning = Burning(
            directory: home.directory, keystore: home.keystore, store: store, log: before.log)
        try burning.begin(ana)
        if step > 0 { try await home.keystore.remove(ana) }
        if step > 1 { try FileManager.default.removeItem(atPath: home.directory.account(ana.hex)) }

        let after = home.host(store)
        await after.finishBurning()
        #expect(try await after.accounts().isEmpty)
        #expect(try await store.count([Filter()]) == 0)
        #expect(try home.files().allSatisfy { !$0.contains(ana.hex) })
    }

    @Test(
        "an account locks itself exactly when nobody was there for long enough",
        arguments: [
            (nil, 0, 1_000_000, false), (60, 0, 59, false), (60, 0, 60, true), (60, 50, 100, false),
            (60, 50, 110, true),
        ] as [(Int?, Int, Int, Bool)])
    func decision(after: Int?, touched: Int, now: Int, due: Bool) {
        var rule = AutoLock(after: after.map { .seconds($0) }, at: .zero)
        rule.touch(at: .seconds(touched))
        #expect(rule.isDue(at: .seconds(now)) == due)
    }
}
