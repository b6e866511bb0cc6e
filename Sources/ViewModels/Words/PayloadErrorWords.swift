public import NostrNIPs

/// Why a text was not encrypted or decrypted, in words.
extension PayloadError: SpokenError {
    /// One plain sentence; never the text.
    public var sentence: String {
        switch self {
        case .empty: "There is nothing to encrypt."
        case .tooLong(let limit): "The text is longer than \(limit) bytes."
        case .unknownVersion(let version?):
            "It was encrypted with version \(version), which this program does not know."
        case .unknownVersion(nil): "It was encrypted in a way this program does not know."
        case .wrongLength, .malformed: "This is not an encrypted text, or a part of it is missing."
        case .wrongKey: "It was encrypted with another key, or it is damaged."
        case .invalidPadding, .notText: "What was encrypted is not well formed."
        case .notAPublicKey: "The other key is not a public key."
        }
    }
}
