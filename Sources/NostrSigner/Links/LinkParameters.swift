internal import NostrNIPs

/// Where links to this signer begin: schemes it is registered for, and pages of its own that hand links over.
public struct LinkAddresses: Hashable, Sendable {
    /// Schemes, lowercase: the one all signers share, and maybe one of its own.
    public var schemes: Set<String>
    /// Beginnings of universal links: `https://host/path/`.
    public var pages: [String]

    /// The addresses of a signer; the shared scheme is always among them.
    public init(schemes: Set<String> = [], pages: [String] = []) {
        self.schemes = schemes.union(["nostrsigner"])
        self.pages = pages
    }
}

/// The parts of a link, decoded once; nothing of it is judged yet.
struct LinkParameters {
    /// The method, as the link names it.
    let method: String?
    /// What stands in place of a path (NIP-55, DIP-05).
    let payload: String?
    /// Whether it begins as `scheme://` and has no payload there, which is NIP-155's shape.
    let isHierarchical: Bool
    private let query: URIQuery

    /// Splits a link; `nil` when it is for another program.
    init?(_ text: Substring, at addresses: LinkAddresses) {
        guard let rest = Self.rest(of: text, at: addresses) else { return nil }
        let (path, queryText) = Self.split(rest)
        let isForm = Self.isForm(queryText)
        query = URIQuery(parsing: queryText, plusIsSpace: isForm)
        let isHosted = rest.hasPrefix("//")
        let named = Self.name(in: path, isHosted: isHosted)
        if let type = query["type"] {
            method = type
            // A text to encrypt may look like a name; a host that is a method is one.
            let isPayload = named == nil || (named != type && !(isHosted && RemoteMethod(rawValue: named ?? "") != nil))
            payload = isPayload ? Self.payload(in: path, isHosted: isHosted) : nil
        } else {
            method = named
            payload = named == nil ? Self.payload(in: path, isHosted: isHosted) : nil
        }
        isHierarchical = isHosted && payload == nil
    }

    /// The value of a parameter; empty counts as absent.
    subscript(_ name: String) -> String? { query[name] }

    /// A parameter that is Base64, in which a space can only be a `+` that was taken for a form's.
    func base64(_ name: String) -> String? {
        query[name].map { String($0.map { $0 == " " ? "+" : $0 }) }
    }

    /// The method in place of the host, or behind `x-callback-url/`; `nil` when there is none.
    private static func name(in path: Substring, isHosted: Bool) -> String? {
        var parts = (isHosted ? path.drop { $0 == "/" } : path).split(separator: "/", omittingEmptySubsequences: false)
        if parts.last == "" { parts.removeLast() }
        if parts.first == "x-callback-url" { parts.removeFirst() }
        guard parts.count == 1, let name = parts.first, name.utf8.allSatisfy(isNameByte) else { return nil }
        return String(name)
    }

    private static func payload(in path: Substring, isHosted: Bool) -> String? {
        var written = isHosted ? path.drop { $0 == "/" } : path
        if isHosted, written.hasSuffix("/") { written.removeLast() }
        guard !written.isEmpty else { return nil }
        return PercentEncoding.decode(written) ?? (written.hasPrefix("{") ? String(written) : nil)
    }

    private static func rest(of text: Substring, at addresses: LinkAddresses) -> Substring? {
        if let page = addresses.pages.first(where: { text.hasPrefix($0) }) { return "//" + text.dropFirst(page.count) }
        guard let colon = text.firstIndex(of: ":"), addresses.schemes.contains(text[..<colon].lowercased()) else {
            return nil
        }
        return text[text.index(after: colon)...]
    }

    /// Path and query.
    ///
    /// JSON that was not encoded may hold `?` and `#` itself; it ends at its last brace.
    private static func split(_ rest: Substring) -> (Substring, Substring) {
        let isRawJSON = rest.drop { $0 == "/" }.hasPrefix("{")
        var mark = rest.firstIndex(of: "?")
        if isRawJSON, let brace = lastRange(of: "}?", in: rest) { mark = rest.index(after: brace) }
        guard let mark else { return (isRawJSON ? rest : rest.prefix { $0 != "#" }, "") }
        let query = rest[rest.index(after: mark)...]
        guard let hash = query.firstIndex(of: "#") else { return (rest[..<mark], query) }
        // A callback that was not encoded has its own fragment; any other is the link's and says nothing.
        let last = query[..<hash].split(separator: "&", omittingEmptySubsequences: false).last ?? ""
        return (rest[..<mark], last.contains("://") ? query : query[..<hash])
    }

    private static func lastRange(of text: String, in whole: Substring) -> Substring.Index? {
        var found: Substring.Index?
        var place = whole.startIndex
        while place < whole.endIndex {
            if whole[place...].hasPrefix(text) { found = place }
            place = whole.index(after: place)
        }
        return found
    }

    /// Whether a form's encoder wrote the query, so that `+` is a space.
    ///
    /// Every link holds a URL, whose colon forms encode. A colon as it is, or a space as `%20`, comes from encoders that
    /// leave `+` alone, and there it means `+`.
    private static func isForm(_ query: Substring) -> Bool {
        query.contains("+") && !query.contains(":") && !query.contains("%20")
            && (query.contains("%3A") || query.contains("%3a"))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }
}
