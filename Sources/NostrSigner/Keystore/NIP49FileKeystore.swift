internal import Dispatch
public import NostrCore
public import NostrNIPs

/// Keeps each key as `<npub>.ncryptsec` in one directory, beside `accounts.json` with names and times.
///
/// Files are readable by their owner only and written so that a crash leaves the old or the new one whole. The key files
/// alone are enough: without `accounts.json` every key is still listed. Everything, scrypt too, runs on one queue of its
/// own, away from the threads that Swift's tasks share.
public final class NIP49FileKeystore: Keystore {
    private let directory: String
    private let logN: UInt8
    private let now: @Sendable () -> Timestamp
    private let queue = DispatchQueue(label: "linnet.keystore")

    /// Takes a directory, which is made with the first account.
    ///
    /// - Parameters:
    ///   - directory: an absolute path.
    ///   - logN: the cost of guessing the passphrase of new keys, see ``/NostrNIPs/EncryptedSecretKey/defaultLogN``.
    ///   - now: the moment to note beside an account.
    public init(
        directory: String, logN: UInt8 = EncryptedSecretKey.defaultLogN, now: @escaping @Sendable () -> Timestamp
    ) {
        self.directory = directory
        self.logN = logN
        self.now = now
    }

    /// All accounts, from the key files and `accounts.json`, the last used first.
    public func accounts() async throws -> [KeystoreAccount] {
        try await perform { try self.list() }
    }

    /// Encrypts a key, writes it, reads it back and decrypts it.
    public func add(
        _ signer: LocalSigner, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) async throws -> KeystoreAccount {
        try await perform {
            let encrypted = try signer.encrypted(passphrase: passphrase, logN: self.logN, handling: handling)
            return try self.keep(encrypted, of: signer.publicKey, name: name, passphrase: passphrase)
        }
    }

    /// Writes an encrypted key as it is, once the passphrase has opened it.
    public func add(
        _ encrypted: EncryptedSecretKey, name: String, passphrase: String
    ) async throws -> KeystoreAccount {
        try await perform {
            let key = try encrypted.decrypt(passphrase: passphrase).publicKey
            return try self.keep(encrypted, of: key, name: name, passphrase: passphrase)
        }
    }

    /// Notes a person to read as in `accounts.json`.
    public func addReadOnly(_ key: PublicKey, name: String) async throws -> KeystoreAccount {
        try await perform {
            guard try self.load(key) == nil else {
                throw KeystoreError(.alreadyThere, "There is a key for this account already.")
            }
            return try self.note(key, name: name, isReadOnly: true)
        }
    }

    /// Decrypts the key of an account and notes the time.
    public func unlock(_ key: PublicKey, passphrase: String) async throws -> LocalSigner {
        try await perform {
            let signer = LocalSigner(try self.existing(key).decrypt(passphrase: passphrase))
            guard signer.publicKey == key else { throw KeystoreError(.damaged, "The file holds another person's key.") }
            // The time is a convenience: a full disk must not keep a person out of their account.
            try? self.changeIndex { $0.entries[key]?.lastUsed = self.now() }
            return signer
        }
    }

    /// What is in the key file of an account.
    public func export(_ key: PublicKey) async throws -> EncryptedSecretKey {
        try await perform { try self.existing(key) }
    }

    /// Replaces the key file of an account in one step.
    public func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws {
        try await perform {
            let encrypted = try self.existing(key)
            let signer = LocalSigner(try encrypted.decrypt(passphrase: old))
            let changed = try signer.encrypted(passphrase: new, logN: self.logN, handling: encrypted.handling)
            guard try changed.decrypt(passphrase: new).publicKey == key else {
                throw KeystoreError(.io, "The key could not be encrypted; nothing was changed.")
            }
            try DurableFile.write(Array("\(changed)\n".utf8), to: self.path(of: key), replacing: true)
        }
    }

    /// Writes a name into `accounts.json`.
    public func rename(_ key: PublicKey, to name: String) async throws {
        try await perform {
            guard let account = try self.list().first(where: { $0.key == key }) else { throw self.unknown }
            try self.changeIndex { index in
                index.entries[key] = AccountIndex.Entry(
                    name: name, isReadOnly: account.kind == .readOnly, added: account.added,
                    lastUsed: account.lastUsed)
            }
        }
    }

    /// Deletes the key file of an account and its entry.
    public func remove(_ key: PublicKey) async throws {
        try await perform {
            guard try self.list().contains(where: { $0.key == key }) else { throw self.unknown }
            if try self.load(key) != nil { try DurableFile.remove(self.path(of: key)) }
            try self.changeIndex { $0.entries[key] = nil }
        }
    }
}

extension NIP49FileKeystore {
    /// Runs work on the keystore's queue, one piece after the other.
    private func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try Self.named(work) })
            }
        }
    }

    /// Gives every failure its plain sentence.
    private static func named<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as EncryptedKeyError {
            throw KeystoreError(error)
        } catch let failure as DurableFile.Failure {
            throw KeystoreError(failure)
        } catch SigningFailure.locked {
            throw KeystoreError(.locked, SigningFailure.locked.description)
        }
    }

    private var unknown: KeystoreError { KeystoreError(.unknownAccount, "There is no such account here.") }

    private func path(of key: PublicKey) -> String { "\(directory)/\(key.npub).ncryptsec" }

    private var indexPath: String { "\(directory)/accounts.json" }

    /// The encrypted key of a person; `nil` when there is no file.
    private func load(_ key: PublicKey) throws -> EncryptedSecretKey? {
        guard let bytes = try DurableFile.read(path(of: key), limit: 4096) else { return nil }
        return try EncryptedSecretKey(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
    }

    private func existing(_ key: PublicKey) throws -> EncryptedSecretKey {
        if let encrypted = try load(key) { return encrypted }
        guard try readIndex().entries[key] != nil else { throw unknown }
        throw KeystoreError(.readOnlyAccount, "Of this account only the public key is here.")
    }

    /// Writes a key, reads it back, and only then takes it for kept.
    private func keep(
        _ encrypted: EncryptedSecretKey, of key: PublicKey, name: String, passphrase: String
    ) throws -> KeystoreAccount {
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(Array("\(encrypted)\n".utf8), to: path(of: key), replacing: false)
        guard try load(key)?.decrypt(passphrase: passphrase).publicKey == key else {
            throw KeystoreError(.io, "The key was written but cannot be read back; keep your own copy of it.")
        }
        return try note(key, name: name, isReadOnly: false)
    }

    private func note(_ key: PublicKey, name: String, isReadOnly: Bool) throws -> KeystoreAccount {
        try DurableFile.makeDirectory(directory)
        let moment = now()
        try changeIndex { index in
            let added = index.entries[key]?.added ?? moment
            index.entries[key] = AccountIndex.Entry(
                name: name, isReadOnly: isReadOnly, added: added, lastUsed: moment)
        }
        return KeystoreAccount(
            key: key, name: name, kind: isReadOnly ? .readOnly : .encrypted,
            added: try readIndex().entries[key]?.added ?? moment, lastUsed: moment)
    }

    private func list() throws -> [KeystoreAccount] {
        let index = try readIndex()
        var withKey: Set<PublicKey> = []
        for name in try names() where name.hasSuffix(".ncryptsec") {
            // Files with other names are not ours.
            if let key = try? PublicKey(npub: String(name.dropLast(10))) { withKey.insert(key) }
        }
        let readOnly = index.entries.filter { $0.value.isReadOnly }.keys
        return withKey.union(readOnly).map { key in
            let entry = index.entries[key]
            return KeystoreAccount(
                key: key, name: entry?.name ?? "", kind: withKey.contains(key) ? .encrypted : .readOnly,
                added: entry?.added ?? Timestamp(seconds: 0), lastUsed: entry?.lastUsed ?? Timestamp(seconds: 0))
        }.sorted { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
    }

    private func names() throws -> [String] {
        do {
            return try DurableFile.names(in: directory)
        } catch  where error.isMissing {
            return []
        }
    }

    private func readIndex() throws -> AccountIndex {
        guard let bytes = try DurableFile.read(indexPath, limit: 1 << 20) else { return AccountIndex() }
        return AccountIndex(json: bytes) ?? AccountIndex()
    }

    /// Changes `accounts.json`; a damaged one is set aside, not written over.
    private func changeIndex(_ change: (inout AccountIndex) -> Void) throws {
        var index = AccountIndex()
        if let bytes = try DurableFile.read(indexPath, limit: 1 << 20) {
            if let read = AccountIndex(json: bytes) {
                index = read
            } else {
                try DurableFile.move(indexPath, to: "\(indexPath).damaged-\(now().seconds)")
            }
        }
        change(&index)
        try DurableFile.write(index.json, to: indexPath, replacing: true)
    }
}
