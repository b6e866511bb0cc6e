import AsyncPrimitives
internal import Circles
import Logging
import NostrClient
import NostrCore
import NostrSigner
import NostrStore
import SQLiteStorage
import ViewModels

extension AccountHost {
    /// Removes an account with everything it left on this machine; see ``Burning``.
    func burn(_ key: PublicKey, passphrase: String) async throws {
        guard key != demo?.signer.publicKey else {
            throw Trouble(AccountsWords.demoStays, canRetry: false)
        }
        let kept = try await kept(key)
        if kept.asksForPassphrase {
            try await withTypedPassphrase(of: key) { try await keystore.check(passphrase, of: kept) }
        }
        guard burning.insert(key).inserted else { return }
        defer { burning.remove(key) }
        try await leaveCircles(of: key)
        try ashes.begin(key)
        await putDown(key)
        do {
            try await ashes.finish(key)
        } catch let error as KeystoreError {
            throw Trouble(error.sentence)
        } catch is DurableFile.Failure {
            throw Trouble(AccountsWords.burnUnfinished)
        }
    }

    /// Leaves the circles of an account that is unlocked; of a locked one they cannot be read.
    ///
    /// - Throws: a ``Trouble`` where others would be left without an admin; nothing was done then.
    private func leaveCircles(of key: PublicKey) async throws {
        guard let circles = atWork[key]?.account.circles else { return }
        do {
            let names = try await circles.administration.circlesWithoutSuccessor()
            guard names.isEmpty else { throw Trouble(AccountsWords.onlyAdmin(of: names), canRetry: false) }
            if try await !circles.administration.leaveAll(within: .seconds(15)) {
                log.warning("an account is removed whose circles have not heard that it leaves")
            }
        } catch let trouble as Trouble {
            throw trouble
        } catch {
            // Circles that cannot be read keep nobody from removing an account.
            log.warning("circles could not be left", metadata: ["reason": "\(type(of: error))"])
        }
    }

    /// Finishes what an earlier run began; call before any account is opened.
    func finishBurning() async {
        await ashes.finishAll()
    }

    /// Works, then closes the files of the accounts that are at work by then, and further ones, however the work ends.
    ///
    /// - Throws: what the work throws, else what closing does.
    nonisolated func closing<Value: Sendable>(
        _ further: [@Sendable () throws -> Void], after work: () async throws -> Value
    ) async throws -> Value {
        let value: Value
        do {
            value = try await work()
        } catch {
            // The first failure is the one to tell.
            try? await close(and: further)
            throw error
        }
        try await close(and: further)
        return value
    }

    private func close(and further: [@Sendable () throws -> Void]) throws {
        try OpenFiles(atWork.values.map { $0.records.close } + further).close()
    }

    /// Locks an account, ends its work and its connections, and lets go of its files.
    private func putDown(_ key: PublicKey) async {
        idle[key] = nil
        await logOut(of: elsewhere.removeValue(forKey: key))
        browsers[key] = nil
        guard let open = atWork.removeValue(forKey: key) else { return }
        comings.send(())
        open.signer?.lock()
        open.account.lockDidChange()
        await open.account.keyDidLock()
        await open.work.stop()
        // A page still open may be reading; the file goes all the same, and with it what it reads.
        try? open.records.close()
    }

    private var ashes: Burning {
        Burning(
            directory: factory.directory, keystore: keystore, store: factory.store,
            signing: factory.signing?.records, log: log)
    }
}
