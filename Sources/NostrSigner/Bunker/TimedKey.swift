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
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { [signer] in try await body(signer) }
            group.addTask { [clock, deadline] in
                try await clock.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw SigningFailure.timedOut }
            return value
        }
    }

    /// Encrypts a response for an app, as its request was.
    func seal(_ response: RemoteResponse, for client: PublicKey, by cipher: ContentCipher) async throws -> String {
        let text = response.json
        return try await use { try await $0.encrypt(text, for: client, by: cipher) }
    }
}
