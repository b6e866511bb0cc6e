public import NostrNIPs
public import NostrSigner

/// Why the keys of this machine did not do what was asked, in words.
extension KeystoreError {
    /// One plain sentence a person can act on; no secret.
    public var sentence: String {
        if let detail { return detail.sentence }
        return switch code {
        case .wrongPassphrase: "Wrong passphrase."
        case .emptyPassphrase: "The passphrase is empty."
        case .costTooHigh: "The encrypted key asks for more work than is allowed."
        case .unknownAccount: "There is no such account here."
        case .readOnlyAccount: "Only the public key of this account is here."
        case .alreadyThere: "There is a key for this account already."
        case .locked: "The key is locked; unlock the account first."
        case .damaged: "What is kept for this account is damaged."
        case .diskFull: "The disk is full; nothing was changed."
        case .notPermitted: "The directory of the keys cannot be read or written; check its permissions."
        case .io: "The directory of the keys cannot be used."
        case .notPaired: "This account is not paired with a signer."
        case .noPassphrase: "This key is in the system's keyring, without a passphrase; a backup gives it one."
        case .noKeyring:
            "The system's keyring cannot be reached; keep the key in a file instead (--keys file)."
        case .keyringRefused: "The system's keyring refused."
        case .keyringSilent: "The system's keyring did not answer in time; is it waiting to be unlocked?"
        }
    }
}

extension KeystoreError.Detail {
    fileprivate var sentence: String {
        switch self {
        case .encryptedKey(let error): error.sentence
        case .keyElsewhere: "The key of this account is not on this machine."
        case .pairingForm: "The file of this pairing is damaged; pair with the signer again."
        case .keyringForm: "What the system's keyring holds for this account is not a key."
        case .fileForm: "A file of the keystore is a link or far too large, so it was not read."
        case .pairingOfAnother: "The file of this pairing holds the key of another one."
        case .keyringOfAnother: "The system's keyring holds another person's key for this account."
        case .fileOfAnother: "The file holds another person's key."
        case .wordsOfAnother: "The words kept beside the key do not belong to it."
        case .pairingKeyGone: "The key of this pairing is missing; pair with the signer again."
        case .keyringEntryGone: "The system's keyring does not hold this key any more."
        case .keyNotReadBack: "The key was written but cannot be read back; keep your own copy of it."
        case .pairingNotReadBack: "The pairing was written but cannot be read back."
        case .keyringKeyNotReadBack:
            "The keyring took the key but does not give it back; keep your own copy of it."
        case .keyringPairingNotReadBack: "The keyring took the pairing but does not give it back."
        case .notEncrypted: "The key could not be encrypted; nothing was changed."
        case .system(let number): "The directory of the keys cannot be used (system error \(number))."
        }
    }
}

extension EncryptedKeyError {
    /// One plain sentence; no secret.
    public var sentence: String {
        switch self {
        case .notAnEncryptedKey: "This is not an encrypted key, or it is damaged."
        case .unknownVersion(let version):
            "The encrypted key has version \(version), which this program does not know."
        case .costOutOfRange(let logN, let limit):
            "The encrypted key asks for 2^\(logN) rounds of work; 2^1 to 2^\(limit) are allowed."
        case .emptyPassphrase: "The passphrase is empty."
        case .wrongPassphrase: "Wrong passphrase."
        case .notASecretKey: "What was encrypted is not a secret key."
        case .outOfMemory: "There is not enough memory for this encrypted key."
        }
    }
}

/// Why a backup was not made or not read, in words.
extension BackupError {
    /// One plain sentence; no secret.
    public var sentence: String {
        switch self {
        case .notABackup: "This is not a backup that Linnet made."
        case .tooNew(let version): "This backup has version \(version): it needs a newer Linnet."
        case .emptyPassphrase: "The passphrase is empty."
        case .wrongPassphrase: "Wrong passphrase for this backup."
        case .costOutOfRange(let logN, let limit):
            "The backup asks for 2^\(logN) rounds of work; 2^1 to 2^\(limit) are allowed."
        case .truncated: "The backup is cut short: its end is missing."
        case .damaged: "The backup is damaged: it is not what was written."
        case .outOfMemory: "There is not enough memory for this backup's passphrase."
        }
    }
}
