internal import NostrCore
internal import NostrNIPs

/// A key in use: shared by all that work with it at a moment, wiped when the last of them lets go.
///
/// A signer gives it up when it is locked; what is under way then ends with the key it began with.
final class HeldKey: Sendable {
    let key: SecretKey
    /// The conversation keys with other people.
    let conversations = ConversationKeyCache()

    init(_ key: consuming SecretKey) {
        self.key = key
    }

    /// The conversation key with another person.
    func conversation(with other: PublicKey) throws(PayloadError) -> ConversationKey {
        do { return try conversations.key(between: key, and: other) } catch { throw .notAPublicKey }
    }

    deinit {
        conversations.removeAll()
    }
}
