/// What the page to write on says.
package enum ComposeWords {
    package static let draftKept = "Kept, encrypted, for you only."
    package static let draftDeleted = "The draft is deleted."
    package static let draftGone = "This draft is gone, or it is no note."
    package static let tooLate =
        "It is too late: the note is on its way. You can ask relays to delete it."
    static let nothingYet = "There is nothing to publish yet."
    static let secretKey = "This holds a secret key (nsec1…). Whoever reads it owns the account. Take it out."

    static func tooLong(_ bytes: Int, of most: Int) -> String { "This is too long: \(bytes) bytes of \(most)." }
}
