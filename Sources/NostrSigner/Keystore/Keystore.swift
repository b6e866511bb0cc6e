public import NostrCore
public import NostrNIPs

/// Keeps the accounts of a person and their keys, encrypted.
///
/// Every call that throws throws ``KeystoreError``. Every keystore passes the one contract suite
/// (`NostrTesting/KeystoreContract.swift`).
public protocol Keystore: Sendable {
    /// All accounts, the last used first.
    func accounts() async throws -> [KeystoreAccount]

    /// Keeps a key under a passphrase; returns only after the key is durable and was read back.
    ///
    /// A keystore whose accounts ask for no passphrase leaves it unused.
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

    /// Keeps a pairing with a signer elsewhere, and the key it was made with as other keys are kept.
    ///
    /// An older pairing of the same person is replaced; a read-only account becomes one that signs.
    ///
    /// - Throws: ``KeystoreError`` with code `alreadyThere` when the person's own key is here.
    func add(
        _ pairing: RemotePairing, client: LocalSigner, name: String, passphrase: String
    ) async throws -> KeystoreAccount

    /// Keeps a person whose key is in a browser (NIP-07).
    ///
    /// - Throws: ``KeystoreError`` with code `alreadyThere` when the person's own key is here.
    func addBrowser(_ key: PublicKey, name: String) async throws -> KeystoreAccount

    /// Gives out the pairing of an account and the key it was made with.
    ///
    /// - Throws: ``KeystoreError`` with code `notPaired` for an account of another kind.
    func pairing(of key: PublicKey, passphrase: String) async throws -> (pairing: RemotePairing, client: LocalSigner)

    /// Keeps where the signer of an account is reached from now on.
    ///
    /// - Throws: ``KeystoreError`` with code `notPaired` for an account of another kind.
    func move(_ key: PublicKey, to relays: [RelayURL]) async throws

    /// Gives out the key of an account; the passphrase is unused where ``KeystoreAccount/asksForPassphrase`` says so.
    func unlock(_ key: PublicKey, passphrase: String) async throws -> LocalSigner

    /// The encrypted key of an account as it is kept.
    ///
    /// - Throws: ``KeystoreError`` with code `noPassphrase` when it is kept without one.
    func export(_ key: PublicKey) async throws -> EncryptedSecretKey

    /// The key of an account encrypted, for a backup: as it is kept, or with this passphrase when it is kept without.
    func export(_ key: PublicKey, elseWith passphrase: String) async throws -> EncryptedSecretKey

    /// Encrypts the key of an account anew.
    ///
    /// - Throws: ``KeystoreError`` with code `noPassphrase` when it is kept without one.
    func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws

    /// Names an account.
    func rename(_ key: PublicKey, to name: String) async throws

    /// Keeps the words an account's key was made from (NIP-06), sealed with that key.
    func keepWords(_ words: String, of signer: LocalSigner) async throws

    /// The words an account's key was made from; `nil` when they are not kept.
    func words(of key: PublicKey, passphrase: String) async throws -> String?

    /// The words as they rest, for a backup; `nil` when they are not kept.
    func sealedWords(of key: PublicKey) async throws -> [UInt8]?

    /// Puts sealed words from a backup where they belong.
    func putSealedWords(_ sealed: [UInt8], of key: PublicKey) async throws

    /// Forgets an account and deletes its key and its words for good; whatever a crash left of one goes too.
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
        /// Its key, in the system's own keyring.
        case keyring
        /// A pairing with a signer elsewhere (NIP-46), encrypted.
        case remote
        /// A pairing with a signer elsewhere, its key in the system's own keyring.
        case keyringRemote
        /// Its public key only; its key is in a browser (NIP-07).
        case browser
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

    /// Whether the person's key itself is here.
    public var hasKey: Bool { kind == .encrypted || kind == .keyring }

    /// Whether there is a way to sign, with a key here or elsewhere.
    public var canSign: Bool { kind != .readOnly }

    /// Whether a signer elsewhere signs for it.
    public var isRemote: Bool { kind == .remote || kind == .keyringRemote }

    /// Whether only a passphrase opens it; the system's keyring opens with the person's session.
    public var asksForPassphrase: Bool { kind == .encrypted || kind == .remote }

    /// An account as a keystore lists it, without its key.
    public init(key: PublicKey, name: String, kind: Kind, added: Timestamp, lastUsed: Timestamp) {
        self.key = key
        self.name = name
        self.kind = kind
        self.added = added
        self.lastUsed = lastUsed
    }
}

/// Why a keystore could not do what it was asked: a code, and what lies behind it; never a passphrase or a key.
public struct KeystoreError: Error, Equatable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case wrongPassphrase, emptyPassphrase, costTooHigh, unknownAccount, readOnlyAccount, alreadyThere, locked
        case damaged, diskFull, notPermitted, io
        case notPaired, noPassphrase, noKeyring, keyringRefused, keyringSilent
    }

    /// What lies behind a code that says too little to act on; grows.
    public enum Detail: Hashable, Sendable {
        /// The encrypted key was refused.
        case encryptedKey(EncryptedKeyError)
        /// The key is not on this machine.
        case keyElsewhere
        /// A file or an entry of the keyring is not of the form it should have.
        case pairingForm, keyringForm, fileForm
        /// What is kept belongs to another account.
        case pairingOfAnother, keyringOfAnother, fileOfAnother, wordsOfAnother
        /// What was kept is gone.
        case pairingKeyGone, keyringEntryGone
        /// What was written is not read back.
        case keyNotReadBack, pairingNotReadBack, keyringKeyNotReadBack, keyringPairingNotReadBack
        /// The key could not be encrypted.
        case notEncrypted
        /// What the system said, by its number.
        case system(Int32)
    }

    /// What went wrong.
    public let code: Code
    /// What lies behind it.
    public let detail: Detail?

    /// A failure of the keystore; no detail of it holds anything secret.
    public init(_ code: Code, _ detail: Detail? = nil) {
        self.code = code
        self.detail = detail
    }
}

extension KeystoreError {
    /// The keystore's word for what went wrong with one encrypted key.
    package init(_ error: EncryptedKeyError) {
        let code: Code =
            switch error {
            case .wrongPassphrase: .wrongPassphrase
            case .emptyPassphrase: .emptyPassphrase
            case .costOutOfRange: .costTooHigh
            case .notAnEncryptedKey, .unknownVersion, .notASecretKey: .damaged
            case .outOfMemory: .io
            }
        self.init(code, .encryptedKey(error))
    }
}
