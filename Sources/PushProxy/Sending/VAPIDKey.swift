internal import Crypto
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// Who we are to push services of the web: the key that subscriptions are bound to.
///
/// Source: RFC 8292.
public final class VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey
    private let contact: String
    private let tokens = Mutex<[String: (text: String, since: Timestamp)]>([:])

    /// Draws a new key.
    ///
    /// - Parameter contact: where a push service reaches the operator: `mailto:` or `https:`.
    public init(contact: String) {
        key = P256.Signing.PrivateKey()
        self.contact = contact
    }

    /// Reads a key: PKCS #8 in PEM.
    ///
    /// - Throws: an error of swift-crypto when it is none.
    public init(pem: String, contact: String) throws {
        key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        self.contact = contact
    }

    /// The key as PKCS #8 in PEM; a secret.
    public var pem: String { key.pemRepresentation }

    /// What a page gives its browser as `applicationServerKey`: an uncompressed point in URL-safe Base64.
    public var publicKey: String { Base64URL.encode(Array(key.publicKey.x963Representation)) }

    /// The value of the `Authorization` header for a push service.
    ///
    /// A token is good for twelve hours, and used for six. Source: RFC 8292 §2 and §3.
    ///
    /// - Parameter origin: scheme, host and port of the endpoint.
    func authorization(for origin: String, now: Timestamp) throws -> String {
        let known = tokens.withLock { $0[origin] }
        if let known, now < known.since + .seconds(6 * 3600) { return "vapid t=\(known.text), k=\(publicKey)" }
        let expiry = (now + .seconds(12 * 3600)).seconds
        let fresh = try SignedToken.make(
            header: "{\"typ\":\"JWT\",\"alg\":\"ES256\"}",
            claims: "{\"aud\":\(quotedJSON(origin)),\"exp\":\(expiry),\"sub\":\(quotedJSON(contact))}", key: key)
        tokens.withLock { tokens in
            // Anybody may register endpoints of any origin.
            if tokens.count >= 1024 { tokens = [:] }
            tokens[origin] = (fresh, now)
        }
        return "vapid t=\(fresh), k=\(publicKey)"
    }
}
