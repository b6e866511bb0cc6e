/// An address whose page may be previewed: `https`, a host of letters, the usual port, no name and password.
///
/// Fragments are dropped: they lead to a part of the same page. Letters outside ASCII are percent-encoded.
struct PreviewAddress: Hashable, Sendable {
    /// The longest address that is asked for, in bytes.
    static let longest = 2048
    private static let scheme = "https://"

    /// The address as it is asked for.
    let text: String
    /// The host, in lowercase letters.
    let host: String
    /// The path and the query, as asked for.
    private let rest: String

    /// Reads an address; `nil` for one whose page is not previewed.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.prefix(Self.scheme.count).lowercased() == Self.scheme else {
            return nil
        }
        let place = text.dropFirst(Self.scheme.count).prefix { $0 != "#" }
        let authority = place.prefix { !"/?".contains($0) }
        guard !authority.isEmpty, authority.contains("."), authority.utf8.allSatisfy(Self.isHostByte),
            let rest = Self.encoded(place.dropFirst(authority.count))
        else { return nil }
        host = authority.lowercased()
        self.rest = rest.isEmpty ? "/" : rest
        self.text = Self.scheme + host + self.rest
    }

    /// Where the site of films that everybody links to says what a film is (oEmbed), for its addresses; its pages say
    /// nothing to programs without scripts.
    var film: PreviewAddress? {
        let site = host.hasPrefix("www.") || host.hasPrefix("m.") ? host.drop { $0 != "." }.dropFirst() : host[...]
        let isFilm =
            site == "youtu.be" && rest.utf8.count > 1
            || site == "youtube.com" && ["/watch?", "/shorts/", "/live/"].contains { rest.hasPrefix($0) }
        guard isFilm else { return nil }
        return PreviewAddress("https://www.youtube.com/oembed?format=json&url=" + Self.percent(text.utf8))
    }

    /// What an address on this page leads to, of pictures for instance; `nil` where it is no address of the web.
    func resolve(_ reference: String) -> String? {
        let reference = reference.filter { !$0.isWhitespace }
        guard !reference.isEmpty, reference.utf8.count <= Self.longest else { return nil }
        let lower = reference.prefix(8).lowercased()
        if lower.hasPrefix("https://") || lower.hasPrefix("http://") { return reference }
        if reference.hasPrefix("//") { return "https:" + reference }
        if reference.hasPrefix("/") { return Self.scheme + host + reference }
        guard !reference.prefix(while: { !"/?".contains($0) }).contains(":") else { return nil }
        let path = rest.prefix { $0 != "?" }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return Self.scheme + host + folder + reference
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func encoded(_ rest: Substring) -> String? {
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        guard rest.utf8.contains(where: { isEncoded($0) }) else { return String(rest) }
        return rest.utf8.reduce(into: "") { text, byte in
            if isEncoded(byte) {
                text += percent(CollectionOfOne(byte))
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }

    private static func isEncoded(_ byte: UInt8) -> Bool { byte >= 0x80 || "\"<>\\^`{|}".utf8.contains(byte) }

    /// Bytes of which nothing but letters and digits stands as it is.
    private static func percent(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
