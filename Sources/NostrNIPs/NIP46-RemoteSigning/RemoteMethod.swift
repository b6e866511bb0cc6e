/// What an app can ask a signer for: the methods of NIP-46, and what signer links (NIP-55) add.
///
/// Source: NIP-46, "Methods/Commands"; NIP-55, "Methods".
public enum RemoteMethod: String, Hashable, Sendable, CaseIterable {
    /// Pairs an app with the signer.
    case connect
    /// Signs an event.
    case signEvent = "sign_event"
    /// Tells whose key it is.
    case getPublicKey = "get_public_key"
    /// Asks whether the signer is there.
    case ping
    /// Asks which methods the signer has.
    case describe
    /// Asks on which relays the signer wants to be reached.
    case switchRelays = "switch_relays"
    /// Ends the session.
    case logout
    /// Encrypts (NIP-04).
    case nip04Encrypt = "nip04_encrypt"
    /// Decrypts (NIP-04).
    case nip04Decrypt = "nip04_decrypt"
    /// Encrypts (NIP-44).
    case nip44Encrypt = "nip44_encrypt"
    /// Decrypts (NIP-44).
    case nip44Decrypt = "nip44_decrypt"
    /// Reads a private zap request (NIP-55 only).
    case decryptZapEvent = "decrypt_zap_event"

    /// Whether it uses the key, so that somebody must have allowed it.
    public var usesKey: Bool {
        switch self {
        case .signEvent, .nip04Encrypt, .nip04Decrypt, .nip44Encrypt, .nip44Decrypt, .decryptZapEvent: true
        case .connect, .getPublicKey, .ping, .describe, .switchRelays, .logout: false
        }
    }

    /// Whether it hands out what somebody wrote in private.
    public var reveals: Bool {
        self == .nip04Decrypt || self == .nip44Decrypt || self == .decryptZapEvent
    }
}
