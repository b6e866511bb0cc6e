extension SigningFailure: CustomStringConvertible {
    /// One plain sentence.
    public var description: String {
        switch self {
        case .locked: "The key is locked; unlock the account first."
        case .readOnly: "This account can only read."
        case .refused: "Signing was refused."
        case .timedOut: "The signer did not answer in time."
        case .cannotEncrypt: "This signer cannot encrypt or decrypt."
        }
    }
}
