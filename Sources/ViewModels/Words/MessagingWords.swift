public import NostrClient

/// Why messages could not be read or sent, in words.
extension MessagingError {
    /// One plain sentence a person can act on; no content, no secret.
    public var sentence: String {
        switch code {
        case .locked: "The account is locked; unlock it to read and write messages."
        case .damaged: MessagingWords.damagedVault
        case .tooManyWaiting: "Too many messages are waiting for the account to be unlocked."
        case .unknownMessage: "This message is not here."
        case .notOwn: "Only its author can take a message back for everyone."
        case .empty: "There is nothing to send yet."
        case .tooLong: "This message is longer than every program can read; send it in parts."
        case .tooManyPeople:
            "A private message goes to at most \(limit ?? 0) people, because it is encrypted for each of them separately."
        case .holdsSecretKey:
            "This text contains a secret key. Anyone who has it can write in your name, so it was not sent."
        }
    }
}

enum MessagingWords {
    static let damagedVault =
        "Your private messages and drafts on this machine cannot be opened with this key. They are kept as they are; a "
        + "backup of the account's folder may help."
}
