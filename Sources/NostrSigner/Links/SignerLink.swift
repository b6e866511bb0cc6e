public import NostrCore
public import NostrNIPs

/// What an app on this device asks by a link.
///
/// Source: NIP-155; DIP-05; NIP-55, "Using Web Applications".
public struct SignerLink: Hashable, Sendable {
    /// The longest link taken, in bytes.
    ///
    /// The longest payload, with part of it escaped. Systems hand over less, most of them 64 KiB or 128 KiB.
    public static let longest = 1024 * 1024
    /// The longest payload, unpacked or from the pasteboard, in bytes.
    public static let longestPayload = 512 * 1024
    /// The most permissions read of those an app would like.
    public static let mostPermissions = 100

    /// What is asked for.
    public enum Action: Hashable, Sendable {
        /// Whose key this is; and, when there are any, these permissions.
        case publicKey([RemotePermission])
        /// The signature of an event, given as JSON.
        case sign(String)
        /// A text encrypted for another person.
        case encrypt(String, for: PublicKey, ContentCipher)
        /// A payload from another person, decrypted.
        case decrypt(String, from: PublicKey, ContentCipher)
        /// A private zap request read, given as JSON.
        case decryptZap(String)
    }

    /// Who asks, and how the answer goes back.
    public let envelope: LinkEnvelope
    /// What is asked for.
    public let action: Action
    /// Whose key is meant; `nil` for the one in use.
    public let currentUser: PublicKey?
    /// Whether the signed event is wanted besides its signature.
    public let returnsEvent: Bool

    init(_ envelope: LinkEnvelope, _ action: Action, currentUser: PublicKey?, returnsEvent: Bool) {
        self.envelope = envelope
        self.action = action
        self.currentUser = currentUser
        self.returnsEvent = returnsEvent
    }

    /// The method asked for.
    public var method: RemoteMethod { action.method }

    /// Whether the answer hands what a person wrote in private to a server and its logs.
    public var leaksToServer: Bool {
        method.reveals && envelope.token == nil && envelope.success?.reachesServer == true
    }

    /// The request as the signer of an account knows it (NIP-46).
    ///
    /// - Parameter id: tells this request from every other one of the app.
    func request(id: String) -> RemoteRequest {
        switch action {
        case .publicKey(let wanted):
            RemoteRequest(id: id, .getPublicKey, [wanted.map(\.text).joined(separator: ",")])
        case .sign(let event), .decryptZap(let event): RemoteRequest(id: id, method, [event])
        case .encrypt(let text, let other, _), .decrypt(let text, let other, _):
            RemoteRequest(id: id, method, [other.hex, text])
        }
    }
}
