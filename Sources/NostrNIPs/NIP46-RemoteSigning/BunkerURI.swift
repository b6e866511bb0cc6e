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

    /// Takes all.
    public init(signer: PublicKey, relays: [RelayURL], secret: String?) {
        self.signer = signer
        self.relays = relays
        self.secret = secret
    }

    /// Reads what a person pasted; the key may also be an npub.
    public init(_ text: String) throws(ConnectionTokenError) {
        let token = try ConnectionToken(text, scheme: "bunker", mostRelays: Self.mostRelays)
        self.init(signer: token.key, relays: token.relays, secret: token.query["secret"])
    }

    /// As it is written; holds the secret.
    public var text: String {
        let items = relays.map { URIQuery.Item("relay", $0.text) } + (secret.map { [URIQuery.Item("secret", $0)] } ?? [])
        return "bunker://\(signer.hex)?\(URIQuery(items).text)"
    }
}

/// Why a connection token cannot be used.
public enum ConnectionTokenError: Error, Hashable, Sendable {
    /// It begins with another scheme.
    case wrongScheme
    /// There is no public key in it.
    case noKey
    /// It names no relay that can be used.
    case noRelay
    /// It has no secret, so that anybody could answer.
    case noSecret
    /// It is longer than any token.
    case tooLong
}

/// What both tokens have in common.
struct ConnectionToken {
    let key: PublicKey
    let relays: [RelayURL]
    let query: URIQuery

    /// - Throws: everything but ``ConnectionTokenError/noSecret``.
    init(_ text: String, scheme: String, mostRelays: Int) throws(ConnectionTokenError) {
        let trimmed = text.drop { $0.isWhitespace }
        guard trimmed.utf8.count <= 8192 else { throw .tooLong }
        guard trimmed.prefix(scheme.count + 3).lowercased() == scheme + "://" else { throw .wrongScheme }
        let rest = trimmed.dropFirst(scheme.count + 3)
        let end = rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? ""
        let parts = end.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let host = String((parts.first ?? "").prefix { $0 != "/" })
        guard let pointer = ProfilePointer(pasted: host) else { throw .noKey }
        key = pointer.key
        query = URIQuery(parsing: parts.count > 1 ? parts[1] : "", plusIsSpace: true)
        var seen: Set<RelayURL> = []
        relays = Array(
            query.all("relay").compactMap { try? RelayURL($0) }.filter { seen.insert($0).inserted }.prefix(mostRelays))
        guard !relays.isEmpty else { throw .noRelay }
    }
}
