import NostrSigner
import ViewModels

/// The signers of the accounts at work.
protocol SignersAtWork: SignerHosting {
    /// All of them, in the order of their keys.
    func signersAtWork() async -> [any SigningService]
}
