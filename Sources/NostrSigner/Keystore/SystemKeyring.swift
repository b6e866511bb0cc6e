public import NostrCore

/// Where an operating system keeps secrets for programs, and opens them with the person's session.
///
/// Every call that throws throws ``KeystoreError``, and ends within a time of its own.
public protocol SystemKeyring: Sendable {
    /// Keeps a secret for a key, in place of one that is there; returns after the system has taken it.
    ///
    /// - Parameter label: what the person sees in the system's own list of secrets.
    func put(_ secret: String, label: String, for key: PublicKey) async throws

    /// The secret of a key; `nil` when there is none.
    func secret(of key: PublicKey) async throws -> String?

    /// Forgets the secret of a key; nothing happens when there is none.
    func remove(_ key: PublicKey) async throws
}

extension KeystoreError {
    /// There is no keyring to talk to.
    static let noKeyring = KeystoreError(.noKeyring)
    /// The keyring, or the person before it, said no.
    static let keyringRefused = KeystoreError(.keyringRefused)
    /// No answer in time.
    static let keyringSilent = KeystoreError(.keyringSilent)
}
