/// What pages say about the accounts of this machine.
package enum AccountsWords {
    // How an account is kept, in as few words as fit beside a name

    static let key = "your key"
    static let elsewhere = "signer elsewhere"
    static let browser = "key in the browser"
    static let readOnly = "read-only"
    static let demo = "demo"

    // Why an account was not opened, made or removed

    package static let secretNotPublic =
        "That is a secret key. To follow along, use the public one: it begins with npub1."
    package static let noPublicKey =
        "This is not a public key: it should begin with npub1 or nprofile1, or be 64 hex digits."
    package static let demoStays = "The demo person belongs to the simulated network and goes with it."
    /// Why an account is not removed yet.
    package static func onlyAdmin(of circles: [String]) -> String {
        let names = circles.prefix(3).map { "“\(oneLine($0, limit: 40))”" } + (circles.count > 3 ? ["others"] : [])
        return "You are the only admin of \(ConversationWords.inARow(names)). Hand that over in the circle's settings, "
            + "or end the circle, and then delete the account."
    }
    package static let notBurned = "The account was not deleted: its folder cannot be written."
    package static let burnUnfinished = "Part of the account is still on the disk; it is removed at the next start."
    package static let noWords = "This key was not made from words, or they are not kept here."
    package static let notHere = "This account is not on this machine."
    package static let shortestAutoLock = "An account stays open for at least a minute after the last touch."
    package static let tooManyPairings = "You are already waiting for several signers; cancel one of them first."
    package static let noKey = "This account has no key here."
    package static let noDemo = "The demo person lives only in the simulated network."
    package static let burning = "This account is being deleted."
    package static let brokenEncryptedKey = "This ncryptsec is incomplete or mistyped."
    package static let mistypedSecretKey =
        "This nsec is mistyped or incomplete: its last characters, which check the others, do not match. Copy it again."
    package static let mistypedPublicKey =
        "This npub is mistyped or incomplete: its last characters, which check the others, do not match. Copy it again."
    package static let keyOutOfRange = "This is not a valid secret key: no key has this number."
    package static let noSecretKey =
        "This is not a secret key: it should begin with nsec1 or ncryptsec1, be 64 hex digits, or 12 to 24 words."
}
