public import NostrCore
public import NostrNIPs
public import NostrSigner

/// A keystore that forgets when the test ends; keys are encrypted, at the lowest cost.
public actor MemoryKeystore: Keystore {
    private struct Kept {
        var account: KeystoreAccount
        var encrypted: EncryptedSecretKey?
        var words: [UInt8]?
        var pairing: RemotePairing?
    }

    private let now: @Sendable () -> Timestamp
    private var kept: [PublicKey: Kept] = [:]

    /// An empty one.
    public init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
    }

    public func accounts() -> [KeystoreAccount] {
        kept.values.map(\.account).sorted { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
    }

    public func add(
        _ signer: LocalSigner, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) throws -> KeystoreAccount {
        guard !signer.isLocked else { throw KeystoreError(.locked) }
        let encrypted = try encrypt(signer, passphrase, handling)
        return try keep(encrypted, of: signer.publicKey, name: name)
    }

    public func add(_ encrypted: EncryptedSecretKey, name: String, passphrase: String) throws -> KeystoreAccount {
        try keep(encrypted, of: try Self.open(encrypted, passphrase).publicKey, name: name)
    }

    public func addReadOnly(_ key: PublicKey, name: String) throws -> KeystoreAccount {
        guard kept[key]?.encrypted == nil, kept[key]?.pairing == nil else { throw Self.alreadyThere }
        return note(key, name: name, kind: .readOnly, encrypted: nil)
    }

    public func add(
        _ pairing: RemotePairing, client: LocalSigner, name: String, passphrase: String
    ) throws -> KeystoreAccount {
        let user = pairing.user
        guard kept[user]?.account.hasKey != true else { throw Self.alreadyThere }
        let account = note(
            user, name: name, kind: .remote, encrypted: try encrypt(client, passphrase, .secure))
        kept[user]?.pairing = pairing
        return account
    }

    public func addBrowser(_ key: PublicKey, name: String) throws -> KeystoreAccount {
        guard kept[key]?.account.hasKey != true else { throw Self.alreadyThere }
        return note(key, name: name, kind: .browser, encrypted: nil)
    }

    public func pairing(
        of key: PublicKey, passphrase: String
    ) throws -> (pairing: RemotePairing, client: LocalSigner) {
        guard let found = kept[key], let pairing = found.pairing, let encrypted = found.encrypted else {
            throw KeystoreError(.notPaired)
        }
        return (pairing, try Self.open(encrypted, passphrase))
    }

    public func move(_ key: PublicKey, to relays: [RelayURL]) throws {
        guard kept[key]?.pairing != nil else {
            throw KeystoreError(.notPaired)
        }
        kept[key]?.pairing?.relays = relays
    }

    public func unlock(_ key: PublicKey, passphrase: String) throws -> LocalSigner {
        let signer = try Self.open(try export(key), passphrase)
        if let found = kept[key] {
            _ = note(key, name: found.account.name, kind: found.account.kind, encrypted: found.encrypted)
        }
        return signer
    }

    public func export(_ key: PublicKey) throws -> EncryptedSecretKey {
        guard let found = kept[key] else { throw Self.unknown }
        guard let encrypted = found.encrypted, found.pairing == nil else {
            throw KeystoreError(.readOnlyAccount)
        }
        return encrypted
    }

    public func export(_ key: PublicKey, elseWith passphrase: String) throws -> EncryptedSecretKey {
        try export(key)
    }

    public func changePassphrase(of key: PublicKey, from old: String, to new: String) throws {
        if kept[key]?.pairing != nil {
            let (_, client) = try pairing(of: key, passphrase: old)
            kept[key]?.encrypted = try encrypt(client, new, .secure)
            return
        }
        let encrypted = try export(key)
        kept[key]?.encrypted = try encrypt(try Self.open(encrypted, old), new, encrypted.handling)
    }

    public func rename(_ key: PublicKey, to name: String) throws {
        guard let account = kept[key]?.account else { throw Self.unknown }
        kept[key]?.account = KeystoreAccount(
            key: key, name: name, kind: account.kind, added: account.added, lastUsed: account.lastUsed)
    }

    public func keepWords(_ words: String, of signer: LocalSigner) throws {
        try putSealedWords(try signer.seal(words: words), of: signer.publicKey)
    }

    public func words(of key: PublicKey, passphrase: String) throws -> String? {
        let signer = try Self.open(try export(key), passphrase)
        return try kept[key]?.words.map { try signer.open(sealedWords: $0) }
    }

    public func sealedWords(of key: PublicKey) -> [UInt8]? { kept[key]?.words }

    public func putSealedWords(_ sealed: [UInt8], of key: PublicKey) throws {
        _ = try export(key)
        kept[key]?.words = sealed
    }

    public func remove(_ key: PublicKey) throws {
        guard kept.removeValue(forKey: key) != nil else { throw Self.unknown }
    }

    private static let unknown = KeystoreError(.unknownAccount)
    private static let alreadyThere = KeystoreError(.alreadyThere)

    private func keep(_ encrypted: EncryptedSecretKey, of key: PublicKey, name: String) throws -> KeystoreAccount {
        guard kept[key]?.account.hasKey != true else { throw Self.alreadyThere }
        return note(key, name: name, kind: .encrypted, encrypted: encrypted)
    }

    private func note(
        _ key: PublicKey, name: String, kind: KeystoreAccount.Kind, encrypted: EncryptedSecretKey?
    ) -> KeystoreAccount {
        let account = KeystoreAccount(
            key: key, name: name, kind: kind, added: kept[key]?.account.added ?? now(), lastUsed: now())
        kept[key] = Kept(account: account, encrypted: encrypted, words: kept[key]?.words)
        return account
    }

    private func encrypt(
        _ signer: LocalSigner, _ passphrase: String, _ handling: EncryptedSecretKey.Handling
    ) throws -> EncryptedSecretKey {
        do {
            return try signer.encrypted(passphrase: passphrase, logN: 1, handling: handling)
        } catch let error as EncryptedKeyError {
            throw KeystoreError(error)
        }
    }

    private static func open(_ encrypted: EncryptedSecretKey, _ passphrase: String) throws -> LocalSigner {
        do { return LocalSigner(try encrypted.decrypt(passphrase: passphrase)) } catch { throw KeystoreError(error) }
    }
}
