/// Why a text was not encrypted or decrypted; never carries the text or a key.
public enum PayloadError: Error, Hashable, Sendable {
    /// There is nothing to encrypt; NIP-44 has no form for an empty text.
    case empty
    /// Longer than the caller takes, in bytes of the plain text.
    case tooLong(limit: Int)
    /// Made with a version of the format this program does not know; `nil` where it is no Base64 at all (`#`).
    case unknownVersion(UInt8?)
    /// No payload has this length.
    case wrongLength(got: Int)
    /// Not Base64 with padding, or without the parts it must have.
    case malformed
    /// Made with another key, or damaged.
    case wrongKey
    /// The code fits, but what it protects is not padded as the format asks.
    case invalidPadding
    /// What was encrypted is no text (UTF-8).
    case notText
    /// The other person's key is not on the curve.
    case notAPublicKey
}
