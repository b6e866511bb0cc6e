public import NostrCore
public import NostrNIPs

/// Keeps keys in the system's own keyring, where they open with the person's session instead of a passphrase.
///
/// In one directory it notes which keys those are (`<npub>.keyring`, empty files), with names and times in
/// `keyring.json`; the words a key was made from rest there sealed, as ``NIP49FileKeystore`` keeps them.
public final class KeyringKeystore: Keystore {
    private let keyring: any SystemKeyring
    private let folder: AccountFolder
    private let logN: UInt8
    private let queue = KeystoreQueue()

    /// Takes the keyring and a directory, which is made with the first account.
    ///
    /// - Parameters:
    ///   - directory: an absolute path; may be the one of a ``NIP49FileKeystore``.
    ///   - logN: the cost of guessing the passphrase of keys exported for a backup.
    ///   - now: the moment to note beside an account.
    public init(
        _ keyring: any SystemKeyring, directory: String, logN: UInt8 = EncryptedSecretKey.defaultLogN,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.keyring = keyring
        self.logN = logN
        folder = AccountFolder(
            directory: directory, indexName: "keyring.json", keySuffix: ".keyring",
            wordsSuffix: ".keyring-words", pairingSuffix: ".keyring-bunker", kind: .keyring,
            pairingKind: .keyringRemote, now: now)
    }

    /// All accounts whose keys are in the keyring, the last used first; does not ask the keyring.
    public func accounts() async throws -> [KeystoreAccount] {
        try await queue.perform { try self.folder.accounts() }
    }

    /// Puts a key into the keyring, notes it, and reads it back; the passphrase is not used.
    public func add(
        _ signer: LocalSigner, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) async throws -> KeystoreAccount {
        let key = signer.publicKey
        let nsec = try await queue.perform {
            guard try self.folder.key(of: key) == nil else { throw AccountFolder.alreadyThere }
            return try signer.withKey { $0.exportNsec() }
        }
        try await keyring.put(nsec, label: "Linnet: \(name.isEmpty ? key.npub : name)", for: key)
        guard try await keyring.secret(of: key) == nsec else {
            throw KeystoreError(.io, .keyringKeyNotReadBack)
        }
        return try await queue.perform {
            try self.folder.write([], for: key, replacing: false)
            try self.folder.removePairing(of: key)
            return try self.folder.note(key, name: name, kind: .keyring)
        }
    }

    /// Decrypts a key and puts it into the keyring.
    public func add(
        _ encrypted: EncryptedSecretKey, name: String, passphrase: String
    ) async throws -> KeystoreAccount {
        let signer = try await queue.perform { LocalSigner(try encrypted.decrypt(passphrase: passphrase)) }
        return try await add(signer, name: name, passphrase: passphrase, handling: encrypted.handling)
    }

    /// Notes a person to read as in `keyring.json`.
    public func addReadOnly(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        try await queue.perform {
            guard try self.folder.key(of: key) == nil, try self.folder.pairing(of: key) == nil else {
                throw AccountFolder.alreadyThere
            }
            return try self.folder.note(key, name: name, kind: .readOnly)
        }
    }

    /// Puts the client's key into the keyring and the rest into `<npub>.keyring-bunker`; the passphrase is not used.
    public func add(
        _ pairing: RemotePairing, client: LocalSigner, name: String, passphrase: String
    ) async throws -> KeystoreAccount {
        let (nsec, older) = try await queue.perform {
            guard try self.folder.key(of: pairing.user) == nil else { throw AccountFolder.alreadyThere }
            // One that cannot be read is written over; its key stays behind in the keyring, where nothing asks for it.
            return (try client.withKey { $0.exportNsec() }, try? self.folder.pairing(of: pairing.user))
        }
        let label = "Linnet, paired signer: \(name.isEmpty ? pairing.user.npub : name)"
        try await keyring.put(nsec, label: label, for: pairing.client)
        guard try await keyring.secret(of: pairing.client) == nsec else {
            throw KeystoreError(.io, .keyringPairingNotReadBack)
        }
        let account = try await queue.perform {
            try self.folder.write(KeptPairing(pairing))
            return try self.folder.note(pairing.user, name: name, kind: .keyringRemote)
        }
        if let older, older.pairing.client != pairing.client { try await keyring.remove(older.pairing.client) }
        return account
    }

    /// Notes a person whose key is in a browser in `keyring.json`.
    public func addBrowser(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        let older = try await queue.perform {
            guard try self.folder.key(of: key) == nil else { throw AccountFolder.alreadyThere }
            // As above.
            let older = try? self.folder.pairing(of: key)
            try self.folder.removePairing(of: key)
            return older
        }
        if let older { try await keyring.remove(older.pairing.client) }
        return try await queue.perform { try self.folder.note(key, name: name, kind: .browser) }
    }

    /// Takes the client's key out of the keyring; the passphrase is not used.
    public func pairing(
        of key: PublicKey, passphrase: String
    ) async throws -> (pairing: RemotePairing, client: LocalSigner) {
        let kept = try await queue.perform {
            guard let kept = try self.folder.pairing(of: key) else { throw AccountFolder.notPaired }
            return kept.pairing
        }
        let client = try await secret(of: kept.client)
        return try await queue.perform {
            self.folder.noteUse(of: key)
            return (kept, client)
        }
    }

    /// Writes the relays into `<npub>.keyring-bunker`.
    public func move(_ key: PublicKey, to relays: [RelayURL]) async throws {
        try await queue.perform {
            guard var kept = try self.folder.pairing(of: key) else { throw AccountFolder.notPaired }
            kept.pairing.relays = relays
            try self.folder.write(kept)
        }
    }

    /// Takes the key of an account out of the keyring; the passphrase is not used.
    public func unlock(_ key: PublicKey, passphrase: String) async throws -> LocalSigner {
        let signer = try await opened(key)
        return try await queue.perform {
            self.folder.noteUse(of: key)
            return signer
        }
    }

    /// Never gives a key out: it is kept without a passphrase.
    public func export(_ key: PublicKey) async throws -> EncryptedSecretKey {
        try await demandKey(of: key)
        throw Self.noPassphrase
    }

    /// The key of an account, encrypted with this passphrase.
    public func export(_ key: PublicKey, elseWith passphrase: String) async throws -> EncryptedSecretKey {
        let signer = try await opened(key)
        return try await queue.perform {
            try signer.encrypted(passphrase: passphrase, logN: self.logN, handling: .secure)
        }
    }

    /// Never changes one: there is none.
    public func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws {
        try await demandKey(of: key)
        throw Self.noPassphrase
    }

    /// Writes a name into `keyring.json`.
    public func rename(_ key: PublicKey, to name: String) async throws {
        try await queue.perform { try self.folder.rename(key, to: name) }
    }

    /// Writes the words, sealed with the key, as `<npub>.keyring-words`.
    public func keepWords(_ words: String, of signer: LocalSigner) async throws {
        try await putSealedWords(try signer.seal(words: words), of: signer.publicKey)
    }

    /// Takes the key out of the keyring, and opens the words with it.
    public func words(of key: PublicKey, passphrase: String) async throws -> String? {
        let signer = try await opened(key)
        return try await sealedWords(of: key).map { try signer.open(sealedWords: $0) }
    }

    /// What is in `<npub>.keyring-words`.
    public func sealedWords(of key: PublicKey) async throws -> [UInt8]? {
        try await queue.perform { try self.folder.words(of: key) }
    }

    /// Writes `<npub>.keyring-words`.
    public func putSealedWords(_ sealed: [UInt8], of key: PublicKey) async throws {
        try await demandKey(of: key)
        try await queue.perform { try self.folder.write(words: sealed, for: key) }
    }

    /// Takes the key out of the keyring for good, then forgets the account.
    public func remove(_ key: PublicKey) async throws {
        let account = try await accounts().first { $0.key == key }
        if account?.hasKey == true { try await keyring.remove(key) }
        if account?.isRemote == true {
            // A damaged file does not say which key it was made with; the account goes all the same.
            let kept = try? await queue.perform { try self.folder.pairing(of: key) }
            if let client = kept?.pairing.client { try await keyring.remove(client) }
        }
        try await queue.perform { try self.folder.remove(key) }
    }
}

extension KeyringKeystore {
    private static let noPassphrase = KeystoreError(.noPassphrase)

    private func demandKey(of key: PublicKey) async throws {
        try await queue.perform {
            guard try self.folder.key(of: key) != nil else { throw try self.folder.missing(key) }
        }
    }

    private func opened(_ key: PublicKey) async throws -> LocalSigner {
        try await demandKey(of: key)
        return try await secret(of: key)
    }

    private func secret(of key: PublicKey) async throws -> LocalSigner {
        guard let nsec = try await keyring.secret(of: key) else {
            throw KeystoreError(.damaged, .keyringEntryGone)
        }
        let signer: LocalSigner
        do { signer = LocalSigner(try SecretKey.parse(pasted: nsec)) } catch {
            throw KeystoreError(.damaged, .keyringForm)
        }
        guard signer.publicKey == key else {
            throw KeystoreError(.damaged, .keyringOfAnother)
        }
        return signer
    }
}
