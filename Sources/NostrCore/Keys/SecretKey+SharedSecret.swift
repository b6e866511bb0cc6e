internal import Secp256k1

extension SecretKey {
    /// The x coordinate of the point this key shares with another person's, not hashed.
    ///
    /// Shape: 32 secret bytes, wiped on release; the same for both sides. Source: NIP-44, NIP-04.
    ///
    /// - Throws: ``SharedSecretError/notAPublicKey`` when no point on the curve has the other key's x coordinate.
    public borrowing func sharedX(with other: PublicKey) throws(SharedSecretError) -> SecretBytes {
        do {
            return try SecretBytes(count: 32) { (span) throws(CurveError) in
                try other.bytes.withSpan { (key) throws(CurveError) in try writeSharedX(with: key, into: &span) }
            }
        } catch {
            throw .notAPublicKey
        }
    }
}

/// Why two keys share nothing.
public enum SharedSecretError: Error, Hashable, Sendable {
    /// The other key is not on the curve.
    case notAPublicKey
}
