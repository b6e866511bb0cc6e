import NostrSigner

extension ControlOrder {
    /// Has the order done, once more with the passphrase where the signer asks for it.
    ///
    /// - Parameters:
    ///   - done: does an order.
    ///   - asked: what the person typed when they were asked; they are told why.
    /// - Throws: what doing it throws; ``/NostrSigner/SigningServiceError`` where nothing was typed.
    func given(
        to done: (ControlOrder) async throws -> Void, asking asked: (SigningServiceError) async throws -> String?
    ) async throws {
        do { try await done(self) } catch let error as SigningServiceError where error.code == .passphraseNeeded {
            var again = self
            again.passphrase = try await asked(error)
            guard again.passphrase?.isEmpty == false else { throw error }
            try await done(again)
        }
    }
}
