public import NostrCore
internal import NostrNIPs
internal import Synchronization

/// Signs with a key held in this process, until it is locked.
public final class LocalSigner: EventSigner {
    private struct State: ~Copyable {
        var key: SecretKey?
        var random: any RandomNumberGenerator & Sendable
    }

    /// The key other people know.
    public let publicKey: PublicKey
    private let state: Mutex<State>

    /// Takes a key.
    ///
    /// - Parameter random: the extra randomness of BIP-340 signatures.
    public init(
        _ key: consuming SecretKey, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        publicKey = key.publicKey
        state = Mutex(State(key: consume key, random: random))
    }

    /// Draws a new key.
    public static func generate(
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> LocalSigner {
        var random = random
        return LocalSigner(SecretKey.generate(using: &random), random: random)
    }

    /// Whether the key is gone from memory.
    public var isLocked: Bool {
        state.withLock { state in
            switch state.key {
            case .some: false
            case .none: true
            }
        }
    }

    /// Wipes the key; from now on nothing is signed.
    public func lock() {
        state.withLock { $0.key = nil }
    }

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure/locked``.
    public func sign(_ draft: EventDraft) async throws -> Event {
        try state.withLock { state throws(SigningFailure) in
            switch state.key {
            case .some(let key): Event(signing: draft, with: key, using: &state.random)
            case .none: throw .locked
            }
        }
    }

    /// Encrypts the key with a passphrase; blocks while scrypt runs.
    func encrypted(
        passphrase: String, logN: UInt8, handling: EncryptedSecretKey.Handling
    ) throws -> EncryptedSecretKey {
        try state.withLock { state in
            switch state.key {
            case .some(let key):
                try EncryptedSecretKey(
                    encrypting: key, passphrase: passphrase, logN: logN, handling: handling, using: &state.random)
            case .none: throw SigningFailure.locked
            }
        }
    }
}
