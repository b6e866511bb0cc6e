import AsyncPrimitives
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

// Accounts whose key is elsewhere: with another signer (NIP-46), or in a browser (NIP-07).
extension AccountHost {
    /// How long opening an account waits for its signer; after that it goes on in the background.
    private static let patience: Duration = .seconds(5)

    /// Opens the way to an account's signer and gives it to the account.
    func unlockElsewhere(_ key: PublicKey, passphrase: String) async throws -> any Account {
        let (pairing, client) = try await withTypedPassphrase(of: key) {
            try await keystore.pairing(of: key, passphrase: passphrase)
        }
        if let open = atWork[key], open.signer?.isLocked == false { return open.account }
        return try await putToWork(pairing, client: client)
    }

    /// As ``unlockElsewhere(_:passphrase:)``, with the pairing at hand.
    private func putToWork(_ pairing: RemotePairing, client: LocalSigner) async throws -> any Account {
        let live = try await accountAtWork(pairing.user).account
        let way = SignerElsewhere(
            pairing, client: client, transport: factory.transport, blocked: live.blockedRelays)
        elsewhere[pairing.user] = way
        let account = try await unlocked(way.signer)
        let work = StoppableWork { [keystore, log] in
            guard await live.loadFromDisk() else { return }
            await way.run { relays in
                do { try await keystore.move(pairing.user, to: relays) } catch {
                    log.error("where a signer is reached from now on could not be kept")
                }
            } returned: {
                await live.signerDidReturn()
            }
        }
        arrive.yield { await work.run() }
        await waitBriefly { await live.keyDidUnlock() }
        return account
    }

    /// Opens an account whose key is in a browser; it signs as soon as a page is open there.
    func openInBrowser(_ key: PublicKey) async throws -> any Account {
        if let open = atWork[key], open.signer?.isLocked == false { return open.account }
        let signer = BrowserSigner(key, time: time)
        let account = try await unlocked(signer)
        browsers[key] = signer
        guard let live = atWork[key]?.account else { return account }
        arrive.yield {
            for await isThere in signer.presence() where isThere { await live.signerDidReturn() }
        }
        return account
    }

    /// Tells a signer that it is no longer needed, and waits no longer than a moment for its answer.
    func logOut(of way: SignerElsewhere?) async {
        guard let way else { return }
        await waitBriefly { await way.signer.logout() }
    }

    private func waitBriefly(for work: @escaping @Sendable () async -> Void) async {
        await withDeadline(Self.patience, on: time.clock, work)
    }
}

extension Keystore {
    /// Checks the passphrase of an account that has one.
    func check(_ passphrase: String, of account: KeystoreAccount) async throws {
        if account.isRemote {
            try await pairing(of: account.key, passphrase: passphrase).client.lock()
        } else {
            try await unlock(account.key, passphrase: passphrase).lock()
        }
    }
}
