/// Where tiles come from: the one source that a person named.
///
/// Shape: an address with `{z}`, `{x}` and `{y}` in its path or query, and perhaps `{s}` in its host, as in
/// `https://{s}.tiles.example/{z}/{x}/{y}.png`. It may hold a key of the person's, so no description shows more than the
/// host.
public struct TileSource: Hashable, Sendable {
    /// The template as it was named; it may hold a key.
    public let template: String
    /// The host, with `{s}` where it has one.
    public let host: String
    /// Whose map it is, to be shown with it in plain words.
    public let attribution: String
    /// The nearest tiles it has, 0…``TileAddress/deepest``.
    public let maxZoom: Int

    private static let longest = 500
    private static let marks = ["{z}", "{x}", "{y}"]
    private static let servers = ["a", "b", "c"]

    /// Reads what a person wrote.
    ///
    /// - Throws: ``TileSourceError`` with what is wrong with it.
    public init(template: String, attribution: String = "", maxZoom: Int = 19) throws(TileSourceError) {
        guard (0...TileAddress.deepest).contains(maxZoom) else { throw .badZoom }
        guard attribution.utf8.count <= Self.longest else { throw .tooLong }
        self.host = try Self.host(of: template)
        self.template = template
        self.attribution = attribution
        self.maxZoom = maxZoom
    }

    /// The address of a tile; `nil` for one nearer than the source has.
    public func url(of tile: TileAddress) -> String? {
        guard tile.z <= maxZoom else { return nil }
        var url = template
        let server = Self.servers[(tile.x + tile.y) % Self.servers.count]
        for (mark, word) in [("{z}", "\(tile.z)"), ("{x}", "\(tile.x)"), ("{y}", "\(tile.y)"), ("{s}", server)] {
            url = url.split(separator: mark, omittingEmptySubsequences: false).joined(separator: word)
        }
        return url
    }

    private static func host(of template: String) throws(TileSourceError) -> String {
        guard template.utf8.count <= longest else { throw .tooLong }
        let isPlain = template.utf8.allSatisfy { (0x21...0x7E).contains($0) && !Array("\"'<>\\^`|".utf8).contains($0) }
        guard isPlain, !template.contains("#") else { throw .notAnAddress }
        let isSecure = template.hasPrefix("https://")
        guard isSecure || template.hasPrefix("http://") else { throw .notSecure }
        let rest = template.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest.dropFirst(authority.count)
        for mark in marks where tail.split(separator: mark, omittingEmptySubsequences: false).count != 2 {
            throw .missing(mark)
        }
        var bare = String(template)
        for mark in marks + ["{s}"] { bare = bare.split(separator: mark, omittingEmptySubsequences: false).joined() }
        guard !bare.contains("{"), !bare.contains("}") else { throw .unknownMark }
        guard !tail.contains("{s}"), let host = Self.host(in: authority) else { throw .notAnAddress }
        guard isSecure || isLoopback(host) else { throw .notSecure }
        return host
    }

    /// The host of an authority: no name or password before it, and a port that is one.
    private static func host(in authority: Substring) -> String? {
        var host = authority
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            let port = host[host.index(after: colon)...]
            guard (1...5).contains(port.count), let number = UInt16(port), number > 0 else { return nil }
            host = host[..<colon]
        }
        let isName = host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            label == "{s}" || !label.isEmpty && label.utf8.allSatisfy(isOfName)
        }
        let isSixth =
            host.hasPrefix("[") && host.hasSuffix("]")
            && host.dropFirst().dropLast().utf8.allSatisfy { $0 == 0x3A || $0 == 0x2E || isOfName($0) }
        return !host.isEmpty && host.utf8.count <= 253 && (isName || isSixth) ? String(host) : nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
    }

    /// This very machine, by name or by an address that cannot be another's (RFC 6761 §6.3, RFC 1122 §3.2.1.3).
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension TileSource: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "tiles from \(host)" }
    public var debugDescription: String { description }
}

/// What is wrong with the address of a tile source.
public enum TileSourceError: Error, Equatable {
    /// Neither https nor on this machine: everybody on the way would see what is looked at.
    case notSecure
    /// Not once in the path or query.
    case missing(String)
    /// Braces around something else than z, x, y or s.
    case unknownMark
    /// Not the shape of an address, or one with a password in it.
    case notAnAddress
    /// More than 500 bytes.
    case tooLong
    /// Not 0…22.
    case badZoom
}
