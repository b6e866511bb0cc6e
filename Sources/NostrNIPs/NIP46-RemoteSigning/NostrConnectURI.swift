public import NostrCore

/// The token by which an app asks for a signer.
///
/// Shape: `nostrconnect://<client key, hex>?relay=…&secret=…&perms=…&name=…&url=…&image=…`. Source: NIP-46, "Direct
/// connection initiated by the client".
public struct NostrConnectURI: Hashable, Sendable {
    /// The most relays read.
    public static let mostRelays = 10

    /// The key the app will ask with.
    public var client: PublicKey
    /// Where it listens.
    public var relays: [RelayURL]
    /// What the response must repeat, so that the app knows who answered.
    public var secret: String
    /// What it would like to be allowed.
    public var permissions: [RemotePermission]
    /// What it says of itself.
    public var metadata: ClientMetadata

    /// An app's invitation to be connected to; a fresh secret for each.
    public init(
        client: PublicKey, relays: [RelayURL], secret: String, permissions: [RemotePermission] = [],
        metadata: ClientMetadata = ClientMetadata()
    ) {
        self.client = client
        self.relays = relays
        self.secret = secret
        self.permissions = permissions
        self.metadata = metadata
    }

    /// Reads what a person pasted; the older form with one `metadata` parameter is read too.
    ///
    /// Permissions that nobody knows are left out, so that asking for one of tomorrow does not keep an app out today.
    public init(_ text: String) throws(ConnectionTokenError) {
        let token = try ConnectionToken(text, scheme: "nostrconnect", mostRelays: Self.mostRelays)
        guard let secret = token.query["secret"] else { throw .noSecret }
        let older = token.words("metadata").map(ClientMetadata.init(json:)) ?? ClientMetadata()
        self.init(
            client: token.key, relays: token.relays, secret: secret,
            permissions: RemotePermission.list(token.query["perms"] ?? ""),
            metadata: ClientMetadata(
                name: token.words("name") ?? older.name, url: token.query["url"] ?? older.url,
                image: token.query["image"] ?? older.image))
    }

    /// As it is written.
    public var text: String {
        var items = relays.map { URIQuery.Item("relay", $0.text) } + [URIQuery.Item("secret", secret)]
        if !permissions.isEmpty {
            items.append(URIQuery.Item("perms", RemotePermission.text(permissions)))
        }
        for (name, value) in [("name", metadata.name), ("url", metadata.url), ("image", metadata.image)] {
            if let value { items.append(URIQuery.Item(name, value)) }
        }
        return "nostrconnect://\(client.hex)?\(URIQuery(items).text)"
    }
}
