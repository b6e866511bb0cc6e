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
