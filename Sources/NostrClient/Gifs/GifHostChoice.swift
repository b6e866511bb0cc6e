internal import NostrNIPs

/// Which host of GIFs is asked, and for whom its GIFs may be.
public struct GifHostChoice: Hashable, Sendable, Codable {
    /// For whom GIFs may be, in the words of films.
    public enum Rating: String, Hashable, Sendable, Codable, CaseIterable {
        /// Everybody.
        case g
        /// Children with somebody beside them.
        case pg
        /// From thirteen.
        case pg13 = "pg-13"
        /// Grown-ups.
        case r
    }

    /// A host that many programs ask; others may answer as it does.
    public static let usualAddress = "https://api.giphy.com"

    /// Where it is asked, as a person wrote it; empty for nowhere.
    public var address: String
    /// For whom its GIFs may be.
    public var rating: Rating

    /// A choice; before there is a key nothing is asked.
    public init(address: String = GifHostChoice.usualAddress, rating: Rating = .g) {
        self.address = address
        self.rating = rating
    }

    /// Whether nothing is asked, whatever key there is.
    public var isEmpty: Bool { address.isEmpty }

    /// An address as a person writes it, without a slash at the end; `nil` for what is no address over TLS.
    public static func address(written text: String) -> String? {
        let plain = text.filter { !$0.isWhitespace }
        guard !plain.isEmpty else { return "" }
        let scheme = "https://"
        guard plain.utf8.count <= 200, plain.prefix(scheme.count).lowercased() == scheme,
            plain.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }),
            !plain.contains("?"), !plain.contains("#"), !plain.contains("@")
        else { return nil }
        var rest = plain.dropFirst(scheme.count)
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        let host = rest.prefix { $0 != "/" }
        guard host.contains(".") else { return nil }
        return scheme + host.lowercased() + rest.dropFirst(host.count)
    }

    /// What a host is asked; `nil` where nothing is.
    ///
    /// The key stands in it, since the host takes it in no other way: it goes over TLS to the host alone, and
    /// is neither logged nor shown.
    func request(_ words: String, key: String, limit: Int) -> String? {
        guard !isEmpty else { return nil }
        let encode = PercentEncoding.encode
        let fields = ["title", "alt_text"] + GifHostAnswer.wantedVariants.map { "images." + $0 }
        var query = [
            "api_key=" + encode(key), "limit=\(min(max(limit, 1), 50))", "rating=" + rating.rawValue,
            "fields=" + encode(fields.joined(separator: ",")),
        ]
        if !words.isEmpty { query.append("q=" + encode(words)) }
        return address + (words.isEmpty ? "/v1/gifs/trending?" : "/v1/gifs/search?") + query.joined(separator: "&")
    }
}
