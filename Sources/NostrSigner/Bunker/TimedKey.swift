internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs

/// The account's key, used within a deadline and away from the caller's actor.
struct TimedKey: Sendable {
    let signer: any EventSigner
    let clock: any Clock<Duration>
    let deadline: Duration

    /// Does something with the key.
    ///
    /// - Throws: ``SigningFailure/timedOut`` after the deadline; whatever the key says before it.
    @concurrent
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (any EventSigner) async throws -> Value
    ) async throws -> Value {
        // A key in this process answers at once, and a race with a clock would cost more than the answer.
        if signer.answersAtOnce { return try await body(signer) }
        return try await withDeadline(deadline, on: clock, throwing: SigningFailure.timedOut) { [signer] in
            try await body(signer)
        }
    }

    /// Encrypts a response for an app, as its request was.
    ///
    /// - Parameter isLong: whether the app reads NIP-44's long form.
    /// - Throws: ``/NostrNIPs/PayloadError/tooLong(limit:)`` for a response that fits no form the app reads.
    func seal(
        _ response: RemoteResponse, for client: PublicKey, by cipher: ContentCipher, readsLongForm isLong: Bool = false
    ) async throws -> String {
        let text = response.json
        return try await use { signer in
            cipher == .nip44 && isLong
                ? try await signer.encryptLong(text, for: client)
                : try await signer.encrypt(text, for: client, by: cipher)
        }
    }
}
