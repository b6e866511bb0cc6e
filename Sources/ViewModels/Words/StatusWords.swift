/// What is said about a person's status (NIP-38).
package enum StatusWords {
    package static let cleared = "Your status is cleared."
    package static let set = "Your status is set."
    static let secretKey = "This contains a secret key. Remove it."
    static let noLink = "The link begins with https://."

    // How long one lasts, as a choice

    static let forAnHour = "for an hour"
    static let forADay = "for a day"
    static let untilChanged = "until I change it"
}
