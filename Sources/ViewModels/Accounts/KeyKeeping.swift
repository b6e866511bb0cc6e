public import NostrCore

/// The keys of this machine, for the page that locks, changes, exports, backs up and burns them.
///
/// Every failure it throws speaks for itself (``SpokenError``) or is a ``Trouble``; none holds a secret.
public protocol KeyKeeping: Sendable {
    /// How an account's key is kept, and what can be done with it.
    func custody(of key: PublicKey) async throws -> KeyCustody
    /// Wipes the key and everything decrypted from memory; reading what is public goes on.
    func lock(_ key: PublicKey) async
    /// Notes that the person is there, so that the account does not lock itself yet.
    func touch(_ key: PublicKey) async
    /// After how long without a touch an account locks itself; `nil` for never.
    func autoLock(of key: PublicKey) async -> Duration?
    /// Sets it.
    func setAutoLock(_ after: Duration?, of key: PublicKey) async throws
    /// Encrypts the key with a new passphrase.
    func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws
    /// The key encrypted with its passphrase (`ncryptsec`, NIP-49).
    func exportEncrypted(_ key: PublicKey) async throws -> String
    /// The words the key was made from (NIP-06), when they are kept here; asks for the passphrase again.
    func exportMnemonic(_ key: PublicKey, passphrase: String) async throws -> String
    /// Makes one encrypted file with keys, messages, lists and every version of them.
    ///
    /// - Returns: the file's bytes.
    func backup(_ key: PublicKey, passphrase: String) async throws -> [UInt8]
    /// Removes an account with everything it left on this machine: key, messages, drafts, versions, queue.
    ///
    /// - Parameter passphrase: the account's, asked for once more; ignored for a read-only account.
    func burn(_ key: PublicKey, passphrase: String) async throws
    /// Makes a key from words (NIP-06), keeps it and the words encrypted, and opens it.
    func importMnemonic(_ words: String, passphrase: String, name: String) async throws -> PublicKey
}

/// How a key is kept.
public struct KeyCustody: Hashable, Sendable {
    /// In what way, and so where.
    public enum Kind: Hashable, Sendable {
        /// In a file, encrypted with a passphrase (NIP-49).
        case file
        /// In the system's own keyring: the Secret Service or the Keychain.
        case keyring
        /// Nowhere: only the public key is known.
        case readOnly
        /// With a signer elsewhere (NIP-46); here is only what it knows this Linnet by.
        case elsewhere
        /// In a browser (NIP-07).
        case browser
        /// In the simulated network.
        case demo

        /// Where the key is and what opens it, in a sentence or two.
        public var sentence: String {
            switch self {
            case .file: KeysWords.inFile
            case .keyring: KeysWords.inKeyring
            case .elsewhere: KeysWords.elsewhere
            case .browser: KeysWords.inBrowser
            case .readOnly: KeysWords.nowhere
            case .demo: KeysWords.demo
            }
        }
    }

    /// In what way, and so where.
    public var kind: Kind
    /// Whether it is locked now.
    public var isLocked: Bool
    /// Whether the words it was made from are kept too.
    public var hasMnemonic: Bool

    /// How a key is kept at this moment; a lock later makes it another value.
    public init(kind: Kind, isLocked: Bool, hasMnemonic: Bool) {
        self.kind = kind
        self.isLocked = isLocked
        self.hasMnemonic = hasMnemonic
    }
}
