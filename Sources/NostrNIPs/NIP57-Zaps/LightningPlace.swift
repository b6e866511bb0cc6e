public import NostrCore

/// Where somebody is paid over Lightning: an address on the web that gives invoices.
///
/// Shape: `name@domain` (LUD-16), an address in Bech32 with `lnurl` before it (LUD-01, LUD-06), or one with `lnurlp:`
/// in place of `https:` (LUD-17). Over TLS only, except that nothing of an onion service is read here.
public struct LightningPlace: Hashable, Sendable {
    /// The longest address that is read, in bytes.
    private static let longest = 2048

    /// The address of its document.
    public let url: String
    /// The address as people write it, where it has one.
    public let address: InternetIdentifier?

    /// Reads a Lightning address or an LNURL, or is `nil`.
    public init?(_ text: String) {
        if text.contains("@"), let address = InternetIdentifier(text) {
            self.address = address
            url = "https://\(address.domain)/.well-known/lnurlp/\(address.local)"
            return
        }
        guard let url = Self.address(in: text), url.utf8.count > 8, url.lowercased().hasPrefix("https://"),
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        address = nil
        self.url = url
    }

    private static func address(in text: String) -> String? {
        if text.prefix(7).lowercased() == "lnurlp:" {
            guard text.utf8.count <= longest else { return nil }
            return "https://" + String(text.dropFirst(7).drop { $0 == "/" })
        }
        // What is no Bech32 is no LNURL.
        guard let decoded = try? bech32Decode(text, maxLength: longest), decoded.prefix == "lnurl" else { return nil }
        return String(decoding: decoded.bytes, as: UTF8.self)
    }

    /// Where a profile says its person is paid; the Lightning address goes before the LNURL.
    ///
    /// Source: NIP-57, "Protocol flow", 1.
    public init?(fields: [String: String]) {
        let places = [fields["lud16"], fields["lud06"]].lazy.compactMap { $0.flatMap(LightningPlace.init) }
        guard let place = places.first else { return nil }
        self = place
    }

    /// The address in Bech32, lowercase.
    ///
    /// Source: LUD-01.
    public var lnurl: String { bech32Encode(prefix: "lnurl", bytes: Array(url.utf8)) }

    /// Whether a text names this place, whichever form it has.
    public func isNamed(_ text: String) -> Bool {
        guard let other = LightningPlace(text) else { return false }
        return Self.comparable(other.url) == Self.comparable(url)
    }

    /// Scheme and host in lowercase; what follows counts as it is.
    private static func comparable(_ url: String) -> String {
        let host = url.dropFirst(8).prefix { !"/?#".contains($0) }
        return host.lowercased() + url.dropFirst(8 + host.count)
    }
}

/// What the document of a place says about paying there.
///
/// Source: LUD-06, LUD-12; NIP-57, appendix C.
public struct LightningPayee: Hashable, Sendable {
    /// Where it was read.
    public let place: LightningPlace
    /// Who signs receipts for what arrives there; `nil` where no zaps are taken.
    public let zapIssuer: PublicKey?

    /// Reads the document of a place; `nil` where it is none that could be paid to.
    public init?(_ place: LightningPlace, json: [UInt8]) {
        // What is no JSON is no document.
        guard let document = try? JSONValue(json), document["tag"]?.string == "payRequest",
            document["callback"]?.string != nil
        else { return nil }
        self.init(place, zapIssuer: document["allowsNostr"]?.bool == true ? Self.key(document["nostrPubkey"]) : nil)
    }

    /// Where to pay, and the key whose zap receipts count there; `nil` where no zaps can be paid.
    public init(_ place: LightningPlace, zapIssuer: PublicKey?) {
        self.place = place
        self.zapIssuer = zapIssuer
    }

    private static func key(_ value: JSONValue?) -> PublicKey? {
        guard let text = value?.string else { return nil }
        // A key that is none signs nothing.
        return try? PublicKey(hex: text)
    }
}
