public import NostrCore
public import NostrSigner

/// The signers of this machine, one per account that has its key here.
public protocol SignerHosting: Sendable {
    /// The signer of an account at work; `nil` for one that only reads or whose key is elsewhere.
    func signer(of key: PublicKey) async -> (any SigningService)?
}
