internal import Dispatch
internal import NostrNIPs

/// One thread for one keystore's files and scrypt, away from the threads that Swift's tasks share.
struct KeystoreQueue: Sendable {
    private let queue = DispatchQueue(label: "linnet.keystore")

    /// Runs work, one piece after the other, and gives every failure its code.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try Self.named(work) })
            }
        }
    }

    private static func named<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as EncryptedKeyError {
            throw KeystoreError(error)
        } catch let failure as DurableFile.Failure {
            throw KeystoreError(failure)
        } catch SigningFailure.locked {
            throw KeystoreError(.locked)
        }
    }
}
