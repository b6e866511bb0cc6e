internal import Crypto
internal import NostrNIPs

/// A JSON Web Token signed with ES256.
///
/// Source: RFC 7515 §3, RFC 7518 §3.4.
enum SignedToken {
    /// Puts a token together; header and claims are JSON texts.
    static func make(header: String, claims: String, key: P256.Signing.PrivateKey) throws -> String {
        let signed =
            Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let signature = try key.signature(for: Array(signed.utf8))
        return signed + "." + Base64URL.encode(Array(signature.rawRepresentation))
    }
}
