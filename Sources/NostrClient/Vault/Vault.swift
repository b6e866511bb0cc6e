internal import NostrCore
internal import NostrSigner
internal import NostrStore

/// The vault: what is private of an account rests encrypted under a random key, which rests encrypted under the
/// account's own.
enum Vault {
    static let table = "vault"
    static let root = "root"

    /// Opens the vault, or makes it the first time.
    ///
    /// A wrapped key that does not open is never replaced: what it seals would be lost for good.
    ///
    /// - Throws: `SigningFailure` where the signer cannot be asked now; anything else means that the vault is damaged.
    static func open(_ context: AccountContext, by signer: any EventSigner) async throws -> SealedRecords {
        SealedRecords(context.records, try await sealingKey(context, signer))
    }

    private static func sealingKey(_ context: AccountContext, _ signer: any EventSigner) async throws -> SealingKey {
        if let kept = try await context.records.value(root, in: table) {
            return try await WrappedSealingKey(payload: String(decoding: kept, as: UTF8.self)).open(by: signer)
        }
        var secret = context.random.bytes(32)
        defer { for index in secret.indices { secret[index] = 0 } }
        let (wrapped, key) = try await WrappedSealingKey.make(root: secret, by: signer)
        try await context.records.put(Array(wrapped.payload.utf8), for: root, in: table)
        return key
    }
}

/// How the vault stands.
public enum VaultState: Hashable, Sendable {
    /// The key is locked.
    case locked
    /// The key has come, and what it opens is being read.
    case opening
    /// What is private can be read.
    case open
    /// It cannot: the records do not open with this key. They are kept as they are.
    case damaged
}
