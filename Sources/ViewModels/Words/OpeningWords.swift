/// What pages say about an address that another program opened here.
package enum OpeningWords {
    package static let secret =
        "This address holds a secret key. Nothing was done with it. Whoever sent it has your key, or wants you to use theirs."

    /// Why an address leads nowhere.
    package static func unknown(_ scheme: String) -> String {
        switch scheme {
        case "": "This address is empty."
        case "nostr+walletconnect": "Linnet cannot pay yet, so \(scheme): addresses lead nowhere here."
        default: "Linnet does not know what \(scheme): addresses lead to."
        }
    }
}
