/// What the page of a profile says.
enum ProfileWords {
    static let noWebAddress = "This is not a web address. It begins with https://."
    static let noAddress = "This looks like name@example.org."
}
