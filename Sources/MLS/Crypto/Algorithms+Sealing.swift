internal import Dispatch
internal import Synchronization

/// A path secret, or the secrets of a group, and the key of the member it is encrypted to.
struct SecretForRecipient: Sendable {
    let content: PathSecret
    let key: HPKEPublicKey
}

extension Algorithms {
    /// `EncryptWithLabel` of one label and context to many, on all processors.
    ///
    /// A commit in a large group is little else than this: each recipient costs two multiplications on the curve, and
    /// none waits for another.
    ///
    /// - Returns: the ciphertexts, in the order of the secrets.
    /// - Throws: what one encryption throws.
    func encrypt(_ secrets: [SecretForRecipient], label: String, context: [UInt8]) throws(MLSError) -> [HPKECiphertext]
    {
        let size = 8
        guard secrets.count > size else {
            return try encrypt(secrets[...], label: label, context: context)
        }
        let starts = Array(stride(from: 0, to: secrets.count, by: size))
        let results = Mutex<[Int: Result<[HPKECiphertext], MLSError>]>([:])
        DispatchQueue.concurrentPerform(iterations: starts.count) { place in
            let part = secrets[starts[place]..<min(starts[place] + size, secrets.count)]
            let result = Result { () throws(MLSError) in try encrypt(part, label: label, context: context) }
            results.withLock { $0[place] = result }
        }
        var ciphertexts: [HPKECiphertext] = []
        for place in starts.indices {
            guard let part = results.withLock({ $0[place] }) else { preconditionFailure("each part is done once") }
            ciphertexts += try part.get()
        }
        return ciphertexts
    }

    private func encrypt(
        _ secrets: ArraySlice<SecretForRecipient>, label: String, context: [UInt8]
    ) throws(MLSError) -> [HPKECiphertext] {
        var ciphertexts: [HPKECiphertext] = []
        for secret in secrets {
            ciphertexts.append(try encrypt(secret.content.exposedBytes, to: secret.key, label: label, context: context))
        }
        return ciphertexts
    }
}
