extension KeyCustody.Place {
    /// Where the key is and what opens it, in a sentence or two.
    public var sentence: String {
        switch self {
        case .file: "In a file on this machine, encrypted with your passphrase (NIP-49)."
        case .keyring: "In this system's keyring, which your session opens. It has no passphrase."
        case .elsewhere: "With a signer elsewhere. Here is only what it knows this Linnet by, encrypted."
        case .browser: "In your browser's extension. Here is no secret of it."
        case .readOnly: "Nowhere: Linnet knows only the public key."
        case .demo: "In the simulated network. It is nobody's key."
        }
    }
}

/// What a time after which a key locks itself is called in a choice.
public func autoLockLabel(_ after: Duration?) -> String {
    switch (after?.components.seconds ?? 0) / 60 {
    case 0: "Never"
    case let minutes where minutes < 60: "\(minutes) minutes"
    case 60: "1 hour"
    case let minutes: "\(minutes / 60) hours"
    }
}

/// What the page of a key says to what was filled in.
enum KeysWords {
    static let oldMissing = "Enter the passphrase the key has now."
    static let sameAgain = "That is the passphrase it has already."
    static let passphraseMissing = "Enter the passphrase."
    static let differ = "The two passphrases differ."
    static let saved = "Saved."
    static let changed = "The passphrase is changed. Copies of the key made before still open with the old one."

    static func typeName(_ name: String) -> String { "Type the name “\(name)” as it stands there." }
    static func tooShort(_ fewest: Int) -> String { "The passphrase needs at least \(fewest) characters." }
}
