public import NostrCore
internal import NostrNIPs

/// What has to be kept to ask a signer elsewhere again, besides the client's own secret key.
///
/// Source: NIP-46, "Terminology".
public struct RemotePairing: Hashable, Sendable {
    /// The key that requests are addressed to; may be another than ``user``.
    public let signer: PublicKey
    /// The key that events are signed with.
    public let user: PublicKey
    /// The key that asks: of this pairing alone, and of no person.
    public let client: PublicKey
    /// Where the signer listens; it may move.
    public var relays: [RelayURL]
    /// The relays that the person named when they paired; those it moved to since are the signer's own choice, and reached
    /// in the open network only.
    public let named: [RelayURL]

    /// A pairing as it was made or kept.
    ///
    /// - Parameter named: what of the relays the person named; `nil` for all.
    public init(
        signer: PublicKey, user: PublicKey, client: PublicKey, relays: [RelayURL], named: [RelayURL]? = nil
    ) {
        self.signer = signer
        self.user = user
        self.client = client
        self.relays = relays
        self.named = named ?? relays
    }
}
