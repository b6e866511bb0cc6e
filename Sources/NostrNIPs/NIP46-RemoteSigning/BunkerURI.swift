public import NostrCore

/// The token by which a signer lets an app in.
///
/// Shape: `bunker://<remote signer key, hex>?relay=…&relay=…&secret=…`. Source: NIP-46, "Direct connection initiated by
/// remote-signer".
public struct BunkerURI: Hashable, Sendable {
    /// The most relays read.
    public static let mostRelays = 10

    /// The key that requests are addressed to.
    public var signer: PublicKey
    /// Where it listens.
    public var relays: [RelayURL]
    /// Lets one app in, once.
    public var secret: String?

    /// An address to hand to an app; without relays or a secret it is written without them.
    public init(signer: PublicKey, relays: [RelayURL], secret: String?) {
        self.signer = signer
        self.relays = relays
        self.secret = secret
    }

    /// Reads what a person pasted; the key may also be an npub.
    ///
    /// - Throws: everything but ``ConnectionTokenError/noSecret``.
    public init(_ text: String) throws(ConnectionTokenError) {
        let token = try ConnectionToken(text, scheme: "bunker", mostRelays: Self.mostRelays)
        self.init(signer: token.key, relays: token.relays, secret: token.query["secret"])
    }

    /// As it is written; holds the secret.
    public var text: String {
        let items =
            relays.map { URIQuery.Item("relay", $0.text) } + (secret.map { [URIQuery.Item("secret", $0)] } ?? [])
        return "bunker://\(signer.hex)?\(URIQuery(items).text)"
    }
}
