public import NostrCore
public import NostrNIPs

/// Keeps the accounts of a person and their keys, encrypted.
///
/// Every call that throws throws ``KeystoreError``.
public protocol Keystore: Sendable {
    /// All accounts, the last used first.
    func accounts() async throws -> [KeystoreAccount]

    /// Keeps a key under a passphrase; returns only after the encrypted key is durable and was read back and decrypted.
    ///
    /// A read-only account of the same person becomes one with a key.
    ///
    /// - Throws: ``KeystoreError`` with code `alreadyThere` when there is a key for this person: none is overwritten.
    func add(
        _ signer: LocalSigner, name: String, passphrase: String, handling: EncryptedSecretKey.Handling
    ) async throws -> KeystoreAccount

    /// Keeps an encrypted key as it is, once the passphrase has opened it.
    func add(_ encrypted: EncryptedSecretKey, name: String, passphrase: String) async throws -> KeystoreAccount

    /// Keeps a person to read as.
    func addReadOnly(_ key: PublicKey, name: String) async throws -> KeystoreAccount

    /// Decrypts the key of an account.
    func unlock(_ key: PublicKey, passphrase: String) async throws -> LocalSigner

    /// The encrypted key of an account, for a backup.
    func export(_ key: PublicKey) async throws -> EncryptedSecretKey

    /// Encrypts the key of an account anew.
    func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws

    /// Names an account.
    func rename(_ key: PublicKey, to name: String) async throws

    /// Forgets an account and deletes its encrypted key for good.
    func remove(_ key: PublicKey) async throws
}

/// One account of a keystore.
public struct KeystoreAccount: Hashable, Sendable, Identifiable {
    /// What is kept of the account.
    public enum Kind: String, Hashable, Sendable {
        /// Its key, encrypted.
        case encrypted
        /// Its public key only.
        case readOnly
    }

    /// Whose account.
    public let key: PublicKey
    /// What its owner calls it; may be empty.
    public let name: String
    /// What is kept of it.
    public let kind: Kind
    /// When it was added.
    public let added: Timestamp
    /// When it was last unlocked or added.
    public let lastUsed: Timestamp

    public var id: PublicKey { key }

    /// Takes all.
    public init(key: PublicKey, name: String, kind: Kind, added: Timestamp, lastUsed: Timestamp) {
        self.key = key
        self.name = name
        self.kind = kind
        self.added = added
        self.lastUsed = lastUsed
    }
}

/// Why a keystore could not do what it was asked; never carries a passphrase or a key.
public struct KeystoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable {
        case wrongPassphrase, emptyPassphrase, costTooHigh, unknownAccount, readOnlyAccount, alreadyThere, locked
        case damaged, diskFull, notPermitted, io
    }

    /// What went wrong.
    public let code: Code
    /// One plain sentence a person can act on.
    public let sentence: String

    /// Takes both.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    /// The sentence.
    public var description: String { sentence }
}

extension KeystoreError {
    /// The keystore's word for what went wrong with one encrypted key.
    init(_ error: EncryptedKeyError) {
        let code: Code =
            switch error {
            case .wrongPassphrase: .wrongPassphrase
            case .emptyPassphrase: .emptyPassphrase
            case .costOutOfRange: .costTooHigh
            case .notAnEncryptedKey, .unknownVersion, .notASecretKey: .damaged
            case .outOfMemory: .io
            }
        self.init(code, error.description)
    }
}
