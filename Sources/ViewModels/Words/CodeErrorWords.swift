internal import NostrCore
public import NostrNIPs

/// Why a code that was pasted is none, in words.
extension EntityError: SpokenError {
    /// One plain sentence; never the code.
    public var sentence: String {
        switch self {
        case .notBech32(.badChecksum): "The code has a typing error: its checksum does not fit."
        case .notBech32(.tooLong): "The code is too long."
        case .notBech32: "This is not a Nostr code."
        case .secret: "This is a secret key, and it does not belong here."
        case .unknownPrefix(let prefix): "Codes that begin with \(prefix) are not known."
        case .wrongLength, .missingPart: "The code is damaged: a part of it is missing."
        case .identifierTooLong(let bytes): "The identifier has \(bytes) bytes; a code can hold 255."
        case .notASecretKey: "This is not a valid secret key."
        }
    }
}

/// Why words are no mnemonic, in words.
extension MnemonicError: SpokenError {
    /// One plain sentence; never one of the words.
    public var sentence: String {
        switch self {
        case .wrongCount(let got): "These are \(got) words; there must be 12, 15, 18, 21 or 24."
        case .wrongEntropy(let got): "These are \(got) bytes; there must be 16, 20, 24, 28 or 32."
        case .unknownWord(let place, true): "Word \(place) has a typo: one letter is wrong."
        case .unknownWord(let place, false): "Word \(place) is not in the word list."
        case .wrongChecksum: "Each word is known, but they do not belong together: one is wrong, or two are swapped."
        case .noKey: "There is no such account: give a number below 2147483648."
        }
    }
}
