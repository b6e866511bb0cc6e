public import NostrCore

/// A passphrase as a person typed it, for one decision; no description, log or dump shows it.
public struct TypedPassphrase: Hashable, Sendable {
    /// As it was typed.
    let text: String

    /// Spaces count; `nil` where nothing was typed.
    public init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.text = text
    }
}

extension TypedPassphrase: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never what was typed.
    public var description: String { "a passphrase" }
    /// Never what was typed.
    public var debugDescription: String { description }
    /// Never what was typed.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether a signer asks for the passphrase again; see ``SignerSettings/asksForPassphrase``.
public enum PassphraseAsking: Hashable, Sendable {
    /// It cannot: the key rests without one, as in the system's keyring.
    case noPassphrase
    /// It could.
    case off
    /// It does.
    case on
}

/// Whether a yes to a request needs the passphrase again.
public enum PassphraseNeed: Hashable, Sendable {
    /// It does not.
    case never
    /// Only one that pairs an app and gives it full trust, or something protected.
    case toGiveMore
    /// It does.
    case always
}

/// Checks passphrases of keys that rest here, whether or not they are unlocked.
public protocol PassphraseChecking: Sendable {
    /// Whether an account's key rests under a passphrase.
    func hasPassphrase(_ account: PublicKey) async throws -> Bool
    /// Whether a passphrase is that of an account's key.
    ///
    /// - Throws: when that cannot be found out now.
    func isPassphrase(_ typed: TypedPassphrase, of account: PublicKey) async throws -> Bool
}

/// Opens the key of a keystore to see whether a passphrase fits; what was opened is wiped at once.
public struct KeystorePassphrases: PassphraseChecking {
    private let keystore: any Keystore

    /// Checks against the keys of a keystore.
    public init(_ keystore: any Keystore) {
        self.keystore = keystore
    }

    /// Whether an account's key is kept encrypted here.
    public func hasPassphrase(_ account: PublicKey) async throws -> Bool {
        try await keystore.accounts().contains { $0.key == account && $0.kind == .encrypted }
    }

    /// Decrypts the key; whether it opens is all that is learned, whatever the passphrase has in common with the right one.
    public func isPassphrase(_ typed: TypedPassphrase, of account: PublicKey) async throws -> Bool {
        do {
            try await keystore.unlock(account, passphrase: typed.text).lock()
            return true
        } catch let error as KeystoreError where error.code == .wrongPassphrase || error.code == .emptyPassphrase {
            return false
        }
    }
}
