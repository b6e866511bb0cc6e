public import NostrClient
public import NostrCore

/// The accounts of this machine: the composition root joins the key store and the client behind it.
///
/// Every failure it throws speaks for itself (``SpokenError``) or is a ``Trouble``; none holds a secret.
public protocol AccountOpening: Sendable {
    /// Whether a simulated network is running whose people a visitor can be.
    var offersDemo: Bool { get }
    /// Who lives here, the one used last first.
    func accounts() async throws -> [AccountSummary]
    /// Makes a key, keeps it encrypted with the passphrase (NIP-49) and opens it.
    func create(name: String, passphrase: String) async throws -> any Account
    /// Takes an `nsec`, 64 hex characters or an `ncryptsec`, keeps it encrypted with the passphrase and opens it.
    ///
    /// An `ncryptsec` is opened with the same passphrase and kept as it is.
    func importSecret(_ text: String, passphrase: String) async throws -> any Account
    /// Opens someone's public key (`npub`, `nprofile` or 64 hex characters) to read what they read.
    func openReadOnly(_ text: String) async throws -> any Account
    /// Opens a person of the simulated network.
    func openDemo() async throws -> any Account
    /// Opens an account of this machine; one with a key stays locked, so it reads but cannot sign.
    func open(_ key: PublicKey) async throws -> any Account
    /// Whether an account of this machine has a key that must be unlocked before it signs.
    func isLocked(_ key: PublicKey) async -> Bool
    /// What is known of the person of an account that is at work; `nil` for one that is not.
    ///
    /// No other account is asked: its relays would learn that two accounts are one person.
    func profile(of key: PublicKey) async -> Person?
    /// Opens an account of this machine and unlocks its key.
    func unlock(_ key: PublicKey, passphrase: String) async throws -> any Account
    /// The person has just allowed a relay in a private network: every account at work that wants it tries it at once.
    func didAllow(_ relay: RelayURL) async
}

extension AccountOpening {
    /// Nothing is known.
    public func profile(of key: PublicKey) async -> Person? { nil }
    /// Whether only a passphrase opens an account; an account that cannot be looked up now is taken to need it.
    public func asksForPassphrase(_ key: PublicKey) async -> Bool {
        (try? await accounts())?.first { $0.key == key }?.asksForPassphrase ?? true
    }
    /// The person of an account that is at work, as screens show people.
    public func person(of key: PublicKey) async -> PersonItem? { await profile(of: key).map(PersonItem.init) }
}

/// One account of this machine.
public struct AccountSummary: Hashable, Sendable, Identifiable {
    /// How it is kept.
    public enum Custody: Hashable, Sendable {
        /// An encrypted key lies here.
        case key
        /// A signer elsewhere has the key.
        case elsewhere
        /// A browser has the key.
        case browser
        /// Only the public key is known.
        case readOnly
        /// A person of the simulated network.
        case demo

        /// How the account is kept, in as few words as fit beside a name.
        public var words: String {
            switch self {
            case .key: AccountsWords.key
            case .elsewhere: AccountsWords.elsewhere
            case .browser: AccountsWords.browser
            case .readOnly: AccountsWords.readOnly
            case .demo: AccountsWords.demo
            }
        }
    }

    /// Whose.
    public let key: PublicKey
    /// What its owner called it.
    public let name: String
    /// How it is kept.
    public let custody: Custody
    /// Whether only a passphrase opens it; what is in the system's keyring opens without.
    public let asksForPassphrase: Bool

    public var id: PublicKey { key }
    /// What to call it: its name, or the start of the key.
    public var shownName: String {
        let line = oneLine(name, limit: 50)
        return line.isEmpty ? shortened(key) : line
    }

    /// What the page of accounts needs of one; unless told otherwise, only a passphrase opens it.
    public init(key: PublicKey, name: String, custody: Custody, asksForPassphrase: Bool = true) {
        self.key = key
        self.name = name
        self.custody = custody
        self.asksForPassphrase = asksForPassphrase
    }
}
