public import NostrCore

/// Where somebody is paid over Lightning: an address on the web that gives invoices.
///
/// Shape: `name@domain`, maybe with a tag behind the name (LUD-16), an address in Bech32 with `lnurl` before it
/// (LUD-01, LUD-06), or one with `lnurlp:` in place of `https:` (LUD-17). Over TLS, but for an onion service, which
/// needs none.
public struct LightningPlace: Hashable, Sendable {
    /// The longest address that is read, in bytes.
    private static let longest = 2048

    /// The address of its document.
    public let url: String
    /// The address as people write it, where it has one, without its tag.
    public let address: InternetIdentifier?
    /// The tag of the address: `tips` of `ben+tips@pay.example`.
    public let tag: String?

    /// Reads a Lightning address or an LNURL, or is `nil`.
    public init?(_ text: String) {
        if let (address, tag) = Self.tagged(text) {
            self.address = address
            self.tag = tag
            let name = address.local + (tag.map { "+" + $0 } ?? "")
            url = "\(Self.scheme(of: address.domain))\(address.domain)/.well-known/lnurlp/\(name)"
            return
        }
        guard let url = Self.address(in: text), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let rest = Self.rest(of: url)
        else { return nil }
        // A name before the host could pass for it.
        guard !Self.host(of: rest).isEmpty, !Self.host(of: rest).contains("@") else { return nil }
        address = nil
        tag = nil
        self.url = url
    }

    /// `name@domain` or `name+tag@domain`; the tag is of the same letters as the name.
    private static func tagged(_ text: String) -> (InternetIdentifier, tag: String?)? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let names = parts[0].split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let read = names.map { InternetIdentifier("\($0)@\(parts[1])") }
        guard let address = read.first ?? nil else { return nil }
        guard read.count == 2 else { return (address, nil) }
        return read[1].map { (address, $0.local) }
    }

    private static func scheme(of host: some StringProtocol) -> String {
        host.prefix { $0 != ":" }.lowercased().hasSuffix(".onion") ? "http://" : "https://"
    }

    /// What follows the scheme; `nil` where that is none that is read here.
    private static func rest(of url: String) -> Substring? {
        guard let colon = url.firstRange(of: "://") else { return nil }
        let rest = url[colon.upperBound...]
        let scheme = url[..<colon.upperBound].lowercased()
        return scheme == "https://" || scheme == Self.scheme(of: host(of: rest)) ? rest : nil
    }

    private static func host(of rest: Substring) -> Substring { rest.prefix { !"/?#".contains($0) } }

    private static func address(in text: String) -> String? {
        if text.prefix(7).lowercased() == "lnurlp:" {
            guard text.utf8.count <= longest else { return nil }
            let rest = text.dropFirst(7).drop { $0 == "/" }
            return scheme(of: host(of: rest)) + rest
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

    /// The address as people write it, with its tag; `nil` for a place without one.
    public var name: String? {
        guard let address, let tag else { return address?.description }
        return "\(address.local)+\(tag)@\(address.domain)"
    }

    /// The host that gives its document, with a port where one is named.
    public var host: String { Self.rest(of: url).map { Self.host(of: $0).lowercased() } ?? "" }

    /// The address in Bech32, lowercase.
    ///
    /// Source: LUD-01.
    public var lnurl: String { bech32Encode(prefix: "lnurl", bytes: Array(url.utf8)) }

    /// Whether a text names this place, whichever form it has.
    public func isNamed(_ text: String) -> Bool {
        guard let other = LightningPlace(text) else { return false }
        return other.comparable == comparable
    }

    /// The host in lowercase; what follows counts as it is.
    private var comparable: String { host + (Self.rest(of: url)?.dropFirst(host.count) ?? "") }
}

/// What the document of a place says about paying there.
///
/// Source: LUD-06; NIP-57, appendix C.
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
