/// What is said when something did not work.
package enum TroubleWords {
    static let locked = "Your key is locked. Unlock it with your passphrase, then try again."
    static let readOnly = "This account can only read: Linnet has no key to sign with."
    static let refused = "The signer refused to sign this."
    static let timedOut = "The signer did not answer in time."
    static let cannotEncrypt = "Your signer can sign but not encrypt, so it cannot open private messages and lists."
    static let stopped = "This took too long and was stopped."
    static func unknown(_ type: String) -> String {
        "Something went wrong that Linnet cannot explain (\(type))."
    }

    // What an address, a form or a browser is told

    package static let nothingHere = "There is nothing at this address."
    package static let notLoggedIn = "Open Linnet with a login link first."
    package static let tooMuch = "That is more than Linnet takes at once."
    package static func failed(_ status: Int) -> String { "That did not work (\(status))." }
    package static let noNote = "That is not the name of a note."
    package static let noPerson = "That is not the key of a person."
    package static let strangeAddress = "This address does not belong to Linnet."
    package static let anotherAccount = "Another account is open in this browser now. Reload the page."
    package static let strangeForm = "This form came from another site."
    package static let oldForm =
        "This page is from an earlier session or of another account. Reload it and try again."
    package static let fileTooLarge = "That file is too large; go back and choose a smaller one."
}
