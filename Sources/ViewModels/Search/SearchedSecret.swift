/// A secret that was pasted into a search: it is asked of no relay, not shown again, and stands in no address.
enum SearchedSecret: Hashable, Sendable {
    /// A secret key, encrypted or not.
    case key
    /// An address that lets in whoever has it: to a signer, an app, a wallet or a circle.
    case address

    /// Schemes of such addresses (NIP-46, NIP-47, invitations to circles).
    private static let schemes = [
        "bunker:", "nostrconnect:", "nostr+walletconnect:", "nostrwalletconnect:", "whistle:", "famstr:",
        "linnet-answer:",
    ]

    /// Looks whether a text holds one; `nil` for words.
    ///
    /// An address counts where it begins the text, or with its two slashes anywhere in it.
    init?(in text: String) {
        let word = text.lowercased().filter { !$0.isWhitespace }
        let plain = word.hasPrefix("web+") ? String(word.dropFirst(4)) : word
        if holdsSecretKey(text) || word.contains("ncryptsec1") {
            self = .key
        } else if Self.schemes.contains(where: { plain.hasPrefix($0) || plain.contains($0 + "//") }) {
            self = .address
        } else {
            return nil
        }
    }

    /// What a person is told who pasted it.
    var sentence: String {
        switch self {
        case .key: SearchWords.secret
        case .address: SearchWords.secretAddress
        }
    }
}
