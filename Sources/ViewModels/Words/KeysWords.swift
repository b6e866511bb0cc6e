/// What a time after which a key locks itself is called in a choice.
public func autoLockLabel(_ after: Duration?) -> String {
    switch (after?.components.seconds ?? 0) / 60 {
    case 0: "Never"
    case let minutes where minutes < 60: "\(minutes) minutes"
    case 60: "1 hour"
    case let minutes: "\(minutes / 60) hours"
    }
}

/// What the page of a key says.
enum KeysWords {
    // Where the key is and what opens it

    static let inFile = "In a file on this machine, encrypted with your passphrase (NIP-49)."
    static let inKeyring = "In this system's keyring, which your session opens. It has no passphrase."
    static let elsewhere = "With a signer elsewhere. Only what it recognises this Linnet by is kept here, encrypted."
    static let inBrowser = "In your browser's extension. No secret of it is kept here."
    static let nowhere = "Nowhere: Linnet knows only the public key."
    static let demo = "In the simulated network. It is nobody's key."

    // What is said to what was filled in

    static let oldMissing = "Enter the passphrase the key has now."
    static let sameAgain = "That is the passphrase it has already."
    static let passphraseMissing = "Enter the passphrase."
    static let differ = "The two passphrases differ."
    static let saved = "Saved."
    static let changed = "The passphrase is changed. Copies of the key made before still open with the old one."

    static func typeName(_ name: String) -> String { "Type the name “\(name)” exactly as it is written there." }
    static func tooShort(_ fewest: Int) -> String { "The passphrase needs at least \(fewest) characters." }
}
