public import NostrCore
public import NostrNIPs

/// Several keystores as one: new keys go to the first, those already kept stay where they are.
///
/// People who are only read are noted in the first too.
public struct JoinedKeystores: Keystore {
    private let first: any Keystore
    private let others: [any Keystore]

    /// The order decides: new keys go into the first, and the others keep what they have.
    public init(_ first: any Keystore, _ others: [any Keystore]) {
        self.first = first
        self.others = others
    }

    /// All accounts, the last used first; each once, as it can do most.
    public func accounts() async throws -> [KeystoreAccount] {
        var found: [PublicKey: KeystoreAccount] = [:]
        for keystore in [first] + others {
            for account in try await keystore.accounts() {
                if let before = found[account.key], before.rank >= account.rank { continue }
                found[account.key] = account
            }
        }
        return found.values.sorted { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
    }

    /// Keeps a key in the first keystore, if no other has it.
    public func add(
        _ signer: LocalSigner, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) async throws -> KeystoreAccount {
        try await demandRoom(for: signer.publicKey)
        let kept = try await first.add(signer, name: name, passphrase: passphrase, handling: handling)
        try await forgetReading(kept.key)
        return kept
    }

    /// Keeps an encrypted key in the first keystore, if no other has it.
    public func add(_ encrypted: EncryptedSecretKey, name: String, passphrase: String) async throws -> KeystoreAccount {
        let kept = try await first.add(encrypted, name: name, passphrase: passphrase)
        do { try await demandRoom(for: kept.key) } catch {
            // The other keystore has it; the copy just made goes again.
            try await first.remove(kept.key)
            throw error
        }
        try await forgetReading(kept.key)
        return kept
    }

    /// Notes a person to read as, unless there is more.
    public func addReadOnly(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        for keystore in others where try await keystore.accounts().contains(where: { $0.key == key && $0.canSign }) {
            throw AccountFolder.alreadyThere
        }
        return try await first.addReadOnly(key, name: name)
    }

    /// Keeps a pairing in the first keystore, if no other has the person's key.
    public func add(
        _ pairing: RemotePairing, client: LocalSigner, name: String, passphrase: String
    ) async throws -> KeystoreAccount {
        try await demandRoom(for: pairing.user)
        let kept = try await first.add(pairing, client: client, name: name, passphrase: passphrase)
        try await forgetReading(kept.key)
        return kept
    }

    /// Notes a person whose key is in a browser in the first keystore, if no other has it.
    public func addBrowser(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        try await demandRoom(for: key)
        let kept = try await first.addBrowser(key, name: name)
        try await forgetReading(kept.key)
        return kept
    }

    /// A pairing from where it is kept.
    public func pairing(
        of key: PublicKey, passphrase: String
    ) async throws -> (pairing: RemotePairing, client: LocalSigner) {
        try await keystore(of: key).pairing(of: key, passphrase: passphrase)
    }

    /// Keeps the relays where the pairing is kept.
    public func move(_ key: PublicKey, to relays: [RelayURL]) async throws {
        try await keystore(of: key).move(key, to: relays)
    }

    /// Gives out a key from where it is kept.
    public func unlock(_ key: PublicKey, passphrase: String) async throws -> LocalSigner {
        try await keystore(of: key).unlock(key, passphrase: passphrase)
    }

    /// The encrypted key from where it is kept.
    public func export(_ key: PublicKey) async throws -> EncryptedSecretKey {
        try await keystore(of: key).export(key)
    }

    /// The encrypted key from where it is kept.
    public func export(_ key: PublicKey, elseWith passphrase: String) async throws -> EncryptedSecretKey {
        try await keystore(of: key).export(key, elseWith: passphrase)
    }

    /// Changes the passphrase where the key is kept.
    public func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws {
        try await keystore(of: key).changePassphrase(of: key, from: old, to: new)
    }

    /// Names an account where it is kept.
    public func rename(_ key: PublicKey, to name: String) async throws {
        try await keystore(of: key).rename(key, to: name)
    }

    /// Keeps the words where the key is kept.
    public func keepWords(_ words: String, of signer: LocalSigner) async throws {
        try await keystore(of: signer.publicKey).keepWords(words, of: signer)
    }

    /// The words from where the key is kept.
    public func words(of key: PublicKey, passphrase: String) async throws -> String? {
        try await keystore(of: key).words(of: key, passphrase: passphrase)
    }

    /// The sealed words from where the key is kept.
    public func sealedWords(of key: PublicKey) async throws -> [UInt8]? {
        try await keystore(of: key).sealedWords(of: key)
    }

    /// Puts sealed words where the key is kept.
    public func putSealedWords(_ sealed: [UInt8], of key: PublicKey) async throws {
        try await keystore(of: key).putSealedWords(sealed, of: key)
    }

    /// Forgets an account in every keystore that knows it.
    public func remove(_ key: PublicKey) async throws {
        var found = false
        for keystore in [first] + others {
            do {
                try await keystore.remove(key)
                found = true
            } catch let error as KeystoreError where error.code == .unknownAccount {
                // Another one may know it.
            }
        }
        guard found else { throw AccountFolder.unknown }
    }
}

extension JoinedKeystores {
    /// The keystore with the key of a person, else one that can have it asked, else one that knows the person, else the
    /// first.
    private func keystore(of key: PublicKey) async throws -> any Keystore {
        var best: (keystore: any Keystore, rank: Int)?
        for keystore in [first] + others {
            guard let account = try await keystore.accounts().first(where: { $0.key == key }) else { continue }
            if (best?.rank ?? 0) < account.rank { best = (keystore, account.rank) }
        }
        return best?.keystore ?? first
    }

    private func demandRoom(for key: PublicKey) async throws {
        for keystore in others where try await keystore.accounts().contains(where: { $0.key == key && $0.hasKey }) {
            throw AccountFolder.alreadyThere
        }
    }

    /// An account that only read and now has its key is listed once.
    private func forgetReading(_ key: PublicKey) async throws {
        for keystore in others where try await keystore.accounts().contains(where: { $0.key == key }) {
            try await keystore.remove(key)
        }
    }
}

extension KeystoreAccount {
    /// How much can be done with what is kept: reading, having it signed elsewhere, signing.
    fileprivate var rank: Int { hasKey ? 3 : canSign ? 2 : 1 }
}
