internal import Logging
internal import NostrCore
internal import NostrSigner
internal import NostrStore

/// The vault: what is private of an account rests encrypted under a random key, which rests encrypted under the
/// account's own.
extension LiveAccount {
    static let vaultTable = "vault"
    static let vaultRoot = "root"

    /// The vault's records; `nil` while the account is locked, or the vault cannot be read.
    var sealed: SealedRecords? {
        if case .open(let records) = vault { records } else { nil }
    }

    /// The account's key can be used from now on: opens the vault, and whatever waited for it.
    ///
    /// Returns once all that is open, whoever began it. Does nothing when it is; a key that turns out to be locked
    /// after all changes nothing.
    public func keyDidUnlock() async {
        await openingVault.take {
            guard await openVault(), let sealed else { return }
            ownListsDidChange()
            feed.send(.lists)
            await mailDidUnlock(sealed)
            feed.send(.messaging)
            await circlesDidUnlock(sealed)
        }
    }

    /// A signer elsewhere answers again: does what it could not be asked for meanwhile.
    public func signerDidReturn() async {
        guard sealed != nil else { return await keyDidUnlock() }
        do {
            try await openWaiting()
        } catch {
            report("messages that waited for the signer could not be kept", error)
        }
        feed.send(.messaging)
    }

    /// The account's key is gone: everything that was decrypted is forgotten.
    public func keyDidLock() async {
        vaultGeneration += 1
        vault = .locked
        draftsGathered = []
        forgetPrivateParts()
        await mailDidLock()
        await circlesDidLock()
        feed.send(.messaging)
    }

    /// Opens the vault, or makes it the first time; returns whether it has just been opened.
    ///
    /// For who has the turn.
    private func openVault() async -> Bool {
        guard let signer, sealed == nil else { return false }
        let generation = vaultGeneration
        let opened: VaultState
        do {
            let key = try await sealingKey(signer)
            opened = .open(SealedRecords(records, key))
        } catch let failure as SigningFailure {
            log.info("the vault stays closed", metadata: ["why": "\(failure)"])
            return false
        } catch is CancellationError {
            // Nothing was found out; whoever asks next finds it closed.
            return false
        } catch {
            report("the vault does not open", error)
            opened = .damaged(
                "Your private messages and drafts on this machine cannot be opened with this key. They are kept as "
                    + "they are; a backup of the account's folder may help.")
        }
        // Locked again while the signer worked: what it gave is dropped.
        guard generation == vaultGeneration else { return false }
        vault = opened
        if case .damaged = opened { feed.send(.messaging) }
        return sealed != nil
    }

    // A wrapped key that does not open is never replaced: what it seals would be lost for good.
    private func sealingKey(_ signer: any EventSigner) async throws -> SealingKey {
        if let kept = try await records.value(Self.vaultRoot, in: Self.vaultTable) {
            return try await WrappedSealingKey(payload: String(decoding: kept, as: UTF8.self)).open(by: signer)
        }
        var root = drawBytes(32)
        defer { for index in root.indices { root[index] = 0 } }
        let (wrapped, key) = try await WrappedSealingKey.make(root: root, by: signer)
        try await records.put(Array(wrapped.payload.utf8), for: Self.vaultRoot, in: Self.vaultTable)
        return key
    }
}

/// How the vault stands.
enum VaultState: Sendable {
    /// The key is locked.
    case locked
    /// The records can be read.
    case open(SealedRecords)
    /// They cannot; why, for a person.
    case damaged(String)
}
