public import NostrNIPs

/// What is wrong with a signer's token, in words.
extension ConnectionTokenError {
    /// One plain sentence.
    public var sentence: String {
        switch self {
        case .wrongScheme: "This is not a signer's token: it should begin with bunker://."
        case .noKey: "There is no public key in this token: a part of it is missing."
        case .noRelay: "This token names no relay, so nobody can be reached by it."
        case .noSecret: "This token has no secret, so anybody could answer it."
        case .tooLong: "This is too long to be a token."
        }
    }
}
