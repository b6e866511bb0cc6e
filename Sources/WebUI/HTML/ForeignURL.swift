/// An address outside this program, with a scheme that is safe behind a link.
///
/// `javascript:`, `data:` and everything else that was not asked for is refused, so a link made of one only leads somewhere.
struct ForeignURL: Hashable, Sendable {
    /// Which schemes are meant.
    struct Schemes: Sendable {
        /// In lowercase letters.
        fileprivate let names: Set<String>

        /// Pages and pictures.
        static let web = Schemes(names: ["http", "https"])
        /// What a signer on the same device opens.
        static let signer = Schemes(names: ["nostrconnect", "bunker"])
    }

    /// As it was written.
    let text: String

    /// Reads an address.
    ///
    /// - Returns: `nil` when its scheme is another, or when it holds control characters.
    init?(_ text: some StringProtocol, schemes: Schemes = .web) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            schemes.names.contains(text[..<colon].lowercased()),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = String(text)
    }

    /// Reads where an answer of the signer goes: a page, or an app by a scheme of its own.
    ///
    /// - Returns: `nil` for a scheme that a browser itself would act on, or when it holds control characters.
    init?(signerAnswer text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            !Self.actedOn.contains(text[..<colon].lowercased()),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        self.text = text
    }

    private static let actedOn: Set = ["javascript", "data", "vbscript", "blob", "file", "filesystem", "about"]
}
