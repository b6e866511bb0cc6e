/// What the first screen says to what was filled in.
enum FirstRunWords {
    static let publicKeyMissing = "Paste a public key: npub1… or 64 hex characters."
    static let passphraseMissing = "Enter the passphrase of this account."
    static let itsPassphraseMissing = "Enter the passphrase that this ncryptsec was made with."
    static let nothingSigned = "The extension signed nothing. Is it unlocked, and may this page use it?"
    static let invitationOfAnApp = "That is an app's invitation. Your signer gives out one that begins with bunker://."
    static let noToken = "Paste what your signer shows: it begins with bunker://."
    static let nameMissing = "Choose a name. You can change it later."
    static let publicNotSecret = "That is a public key. To write you need the secret one, which begins with nsec1."
    static let keyMissing = "Paste your key: nsec1…, ncryptsec1…, 64 hex characters or its words."
    static let nothingElsewhere = "This Linnet uses no signers elsewhere."
    static let noWords = "This Linnet takes no words. Paste an nsec1… instead."
    static let noAccount = "No account was chosen."
}
