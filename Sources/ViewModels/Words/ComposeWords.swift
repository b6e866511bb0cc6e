/// What the page to write on says.
enum ComposeWords {
    static let nothingYet = "There is nothing to publish yet."
    static let secretKey = "This holds a secret key (nsec1…). Whoever reads it owns the account. Take it out."

    static func tooLong(_ bytes: Int, of most: Int) -> String { "This is too long: \(bytes) bytes of \(most)." }
}
