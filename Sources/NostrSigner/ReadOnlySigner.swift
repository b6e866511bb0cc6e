public import NostrCore

/// Stands in for the signer of an account of which only the public key is known.
public struct ReadOnlySigner: EventSigner, Hashable {
    /// The key it reads as.
    public let publicKey: PublicKey

    /// - Parameter publicKey: of anybody; that it is the reader's own is not shown.
    public init(_ publicKey: PublicKey) {
        self.publicKey = publicKey
    }

    /// Never signs.
    ///
    /// - Throws: ``SigningFailure/readOnly``, always.
    public func sign(_ draft: EventDraft) async throws -> Event {
        throw SigningFailure.readOnly
    }
}
