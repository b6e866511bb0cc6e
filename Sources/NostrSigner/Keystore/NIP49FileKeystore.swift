public import NostrCore
public import NostrNIPs

/// Keeps each key as `<npub>.ncryptsec` in one directory, beside `accounts.json` with names and times.
///
/// Files are readable by their owner only and written so that a crash leaves the old or the new one whole. Everything,
/// scrypt too, runs on one queue of its own, away from the threads that Swift's tasks share.
public final class NIP49FileKeystore: Keystore {
    private let folder: AccountFolder
    private let logN: UInt8
    private let queue = KeystoreQueue()

    /// Takes a directory, which is made with the first account.
    ///
    /// - Parameters:
    ///   - directory: an absolute path.
    ///   - logN: the cost of guessing the passphrase of new keys, see ``/NostrNIPs/EncryptedSecretKey/defaultLogN``.
    ///   - now: the moment to note beside an account.
    public init(
        directory: String, logN: UInt8 = EncryptedSecretKey.defaultLogN, now: @escaping @Sendable () -> Timestamp
    ) {
        folder = AccountFolder(
            directory: directory, indexName: "accounts.json", keySuffix: ".ncryptsec", wordsSuffix: ".words",
            pairingSuffix: ".bunker", kind: .encrypted, pairingKind: .remote, now: now)
        self.logN = logN
    }

    /// All accounts, from the key files and `accounts.json`, the last used first.
    public func accounts() async throws -> [KeystoreAccount] {
        try await queue.perform { try self.folder.accounts() }
    }

    /// Encrypts a key, writes it, reads it back and decrypts it.
    public func add(
        _ signer: LocalSigner, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) async throws -> KeystoreAccount {
        try await queue.perform {
            let encrypted = try signer.encrypted(passphrase: passphrase, logN: self.logN, handling: handling)
            return try self.keep(encrypted, of: signer.publicKey, name: name, passphrase: passphrase)
        }
    }

    /// Writes an encrypted key as it is, once the passphrase has opened it.
    public func add(
        _ encrypted: EncryptedSecretKey, name: String, passphrase: String
    ) async throws -> KeystoreAccount {
        try await queue.perform {
            let key = try encrypted.decrypt(passphrase: passphrase).publicKey
            return try self.keep(encrypted, of: key, name: name, passphrase: passphrase)
        }
    }

    /// Writes an encrypted key from a backup as it is, without opening it.
    ///
    /// - Parameter key: whose it is, as the backup says; ``unlock(_:passphrase:)`` finds out whether that is so.
    public func restore(
        _ encrypted: EncryptedSecretKey, of key: PublicKey, name: String
    ) async throws -> KeystoreAccount {
        try await queue.perform {
            try self.folder.write(Array("\(encrypted)\n".utf8), for: key, replacing: false)
            return try self.folder.note(key, name: name, kind: .encrypted)
        }
    }

    /// Notes a person to read as in `accounts.json`.
    public func addReadOnly(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        try await queue.perform {
            guard try self.load(key) == nil, try self.folder.pairing(of: key) == nil else {
                throw AccountFolder.alreadyThere
            }
            return try self.folder.note(key, name: name, kind: .readOnly)
        }
    }

    /// Encrypts the client's key and writes it with the rest as `<npub>.bunker`.
    public func add(
        _ pairing: RemotePairing, client: LocalSigner, name: String, passphrase: String
    ) async throws -> KeystoreAccount {
        try await queue.perform {
            guard try self.load(pairing.user) == nil else { throw AccountFolder.alreadyThere }
            let key = try client.encrypted(passphrase: passphrase, logN: self.logN, handling: .secure)
            try self.folder.write(KeptPairing(pairing, key: key))
            guard let kept = try self.folder.pairing(of: pairing.user),
                try self.client(of: kept, passphrase: passphrase).publicKey == client.publicKey
            else { throw KeystoreError(.io, .pairingNotReadBack) }
            return try self.folder.note(pairing.user, name: name, kind: .remote)
        }
    }

    /// Notes a person whose key is in a browser in `accounts.json`.
    public func addBrowser(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        try await queue.perform {
            guard try self.load(key) == nil else { throw AccountFolder.alreadyThere }
            try self.folder.removePairing(of: key)
            return try self.folder.note(key, name: name, kind: .browser)
        }
    }

    /// Decrypts the client's key and notes the time.
    public func pairing(
        of key: PublicKey, passphrase: String
    ) async throws -> (pairing: RemotePairing, client: LocalSigner) {
        try await queue.perform {
            guard let kept = try self.folder.pairing(of: key) else { throw AccountFolder.notPaired }
            let client = try self.client(of: kept, passphrase: passphrase)
            self.folder.noteUse(of: key)
            return (kept.pairing, client)
        }
    }

    /// Writes the relays into `<npub>.bunker`.
    public func move(_ key: PublicKey, to relays: [RelayURL]) async throws {
        try await queue.perform {
            guard var kept = try self.folder.pairing(of: key) else { throw AccountFolder.notPaired }
            kept.pairing.relays = relays
            try self.folder.write(kept)
        }
    }

    /// Decrypts the key of an account and notes the time.
    public func unlock(_ key: PublicKey, passphrase: String) async throws -> LocalSigner {
        try await queue.perform {
            let signer = try self.opened(key, passphrase: passphrase)
            self.folder.noteUse(of: key)
            return signer
        }
    }

    /// What is in the key file of an account.
    public func export(_ key: PublicKey) async throws -> EncryptedSecretKey {
        try await queue.perform { try self.existing(key) }
    }

    /// What is in the key file of an account; the passphrase is not used.
    public func export(_ key: PublicKey, elseWith passphrase: String) async throws -> EncryptedSecretKey {
        try await export(key)
    }

    /// Replaces the key file of an account in one step.
    public func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws {
        try await queue.perform {
            if let kept = try self.folder.pairing(of: key) {
                let client = try self.client(of: kept, passphrase: old)
                let changed = try client.encrypted(passphrase: new, logN: self.logN, handling: .secure)
                return try self.folder.write(KeptPairing(kept.pairing, key: changed))
            }
            let handling = try self.existing(key).handling
            let signer = try self.opened(key, passphrase: old)
            let changed = try signer.encrypted(passphrase: new, logN: self.logN, handling: handling)
            guard try changed.decrypt(passphrase: new).publicKey == key else {
                throw KeystoreError(.io, .notEncrypted)
            }
            try self.folder.write(Array("\(changed)\n".utf8), for: key, replacing: true)
        }
    }

    /// Writes a name into `accounts.json`.
    public func rename(_ key: PublicKey, to name: String) async throws {
        try await queue.perform { try self.folder.rename(key, to: name) }
    }

    /// Writes the words, sealed with the key, as `<npub>.words`.
    public func keepWords(_ words: String, of signer: LocalSigner) async throws {
        try await queue.perform {
            _ = try self.existing(signer.publicKey)
            try self.folder.write(words: try signer.seal(words: words), for: signer.publicKey)
        }
    }

    /// Decrypts the key, and with it the words.
    public func words(of key: PublicKey, passphrase: String) async throws -> String? {
        try await queue.perform {
            let signer = try self.opened(key, passphrase: passphrase)
            return try self.folder.words(of: key).map { try signer.open(sealedWords: $0) }
        }
    }

    /// What is in `<npub>.words`.
    public func sealedWords(of key: PublicKey) async throws -> [UInt8]? {
        try await queue.perform { try self.folder.words(of: key) }
    }

    /// Writes `<npub>.words`.
    public func putSealedWords(_ sealed: [UInt8], of key: PublicKey) async throws {
        try await queue.perform {
            _ = try self.existing(key)
            try self.folder.write(words: sealed, for: key)
        }
    }

    /// Deletes the files of an account and its entry.
    public func remove(_ key: PublicKey) async throws {
        try await queue.perform { try self.folder.remove(key) }
    }
}

// Every one of these blocks: only on the queue.
extension NIP49FileKeystore {
    /// The encrypted key of a person; `nil` when there is no file.
    private func load(_ key: PublicKey) throws -> EncryptedSecretKey? {
        guard let bytes = try folder.key(of: key) else { return nil }
        return try EncryptedSecretKey(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
    }

    private func existing(_ key: PublicKey) throws -> EncryptedSecretKey {
        guard let encrypted = try load(key) else { throw try folder.missing(key) }
        return encrypted
    }

    private func opened(_ key: PublicKey, passphrase: String) throws -> LocalSigner {
        let signer = LocalSigner(try existing(key).decrypt(passphrase: passphrase))
        guard signer.publicKey == key else { throw KeystoreError(.damaged, .fileOfAnother) }
        return signer
    }

    /// Writes a key, reads it back, and only then takes it for kept.
    private func keep(
        _ encrypted: EncryptedSecretKey, of key: PublicKey, name: String, passphrase: String
    ) throws -> KeystoreAccount {
        try folder.write(Array("\(encrypted)\n".utf8), for: key, replacing: false)
        guard try load(key)?.decrypt(passphrase: passphrase).publicKey == key else {
            throw KeystoreError(.io, .keyNotReadBack)
        }
        try folder.removePairing(of: key)
        return try folder.note(key, name: name, kind: .encrypted)
    }

    private func client(of kept: KeptPairing, passphrase: String) throws -> LocalSigner {
        guard let key = kept.key else {
            throw KeystoreError(.damaged, .pairingKeyGone)
        }
        let client = LocalSigner(try key.decrypt(passphrase: passphrase))
        guard client.publicKey == kept.pairing.client else {
            throw KeystoreError(.damaged, .pairingOfAnother)
        }
        return client
    }
}
