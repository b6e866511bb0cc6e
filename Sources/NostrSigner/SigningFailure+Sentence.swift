extension SigningFailure: CustomStringConvertible {
    /// One plain sentence.
    public var description: String {
        switch self {
        case .locked: "The key is locked; unlock the account first."
        case .readOnly: "This account can only read."
        case .refused: "Signing was refused."
        case .timedOut: "The signer did not answer in time."
        case .cannotEncrypt: "This signer cannot encrypt or decrypt."
        case .unreachable: "The signer cannot be reached: none of its relays answers."
        case .noPage: "The key is in your browser; open a page of Linnet there."
        case .wrongAnswer: "The signer gave back something else than it was asked for."
        case .said(let words): "The signer says: \(words)"
        }
    }
}
