/// What the page to write on says.
package enum ComposeWords {
    package static let draftKept = "Saved, encrypted, for you only."
    package static let draftDeleted = "The draft is deleted."
    package static let draftGone = "This draft is gone, or it is not a note."
    package static let tooLate =
        "It is too late: the note is on its way. You can ask relays to delete it."
    static let nothingYet = "There is nothing to publish yet."
    static let noFileAddress = "This is not a web address: those begin with https://."
    static let undescribed = "A file"
    static let noPicture = "A post of pictures needs a picture: PNG, JPEG, WebP, AVIF or GIF."
    static let noFilm = "A post of a film needs a film."
    static let noTitle = "A film needs a title."
    static let secretKey = "This contains a secret key (nsec1…). Anyone who reads it controls the account. Remove it."

    static func tooManyFiles(_ most: Int) -> String { "This has \(most) files already; it cannot have more." }

    static func tooLong(_ bytes: Int, of most: Int) -> String { "This is too long: \(bytes) bytes of \(most)." }
}
