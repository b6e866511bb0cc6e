/// Where a relay is: a normalised `ws` or `wss` address, so that equal relays compare equal.
///
/// Shape: scheme and host lowercase, default port dropped, no fragment, no user, no trailing `/` on an empty path;
/// other ports, paths and queries stay, percent escapes in uppercase. Host names are ASCII: an internationalised name
/// must come as `xn--…`. Source: NIP-65; RFC 3986 §6.
public struct RelayURL: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The normalised text.
    public let text: String
    /// Whether the scheme is `wss`.
    public let isSecure: Bool
    /// The host, lowercase, IPv6 without brackets.
    public let host: String
    /// The port, 80 or 443 where none was written.
    public let port: Int
    /// The path and query, at least `/`.
    public let target: String

    /// Parses and normalises; white space around is dropped.
    ///
    /// - Throws: ``RelayURLError``.
    public init(_ text: String) throws(RelayURLError) {
        let parts = try RelayURLParts(text)
        isSecure = parts.isSecure
        host = parts.host
        port = parts.port
        target = parts.target
        let bracketed = parts.host.utf8.contains(UInt8(ascii: ":")) ? "[\(parts.host)]" : parts.host
        let shownPort = parts.port == (parts.isSecure ? 443 : 80) ? "" : ":\(parts.port)"
        let shownTarget = parts.target == "/" ? "" : parts.target
        self.text = "\(parts.isSecure ? "wss" : "ws")://\(bracketed)\(shownPort)\(shownTarget)"
    }

    /// Whether the host is this machine or a private network: loopback, link-local, RFC 1918, `localhost`, `.local`,
    /// `.internal`, a name of one label; never believed from other people's lists.
    public var isPrivate: Bool { isPrivateHost(host) }

    /// Whether the host is an onion service.
    public var isOnion: Bool { host.hasSuffix(".onion") }

    public var description: String { text }

    public static func == (a: RelayURL, b: RelayURL) -> Bool { a.text == b.text }

    public static func < (a: RelayURL, b: RelayURL) -> Bool { a.text < b.text }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

/// Why text is not the address of a relay.
public enum RelayURLError: Error, Hashable, Sendable {
    /// Not `ws://` or `wss://`.
    case notWebSocket
    /// No host, or characters a host cannot have.
    case invalidHost
    /// Not 1–65535.
    case invalidPort
    /// A user name or password in the address.
    case hasCredentials
    /// Control characters, spaces or broken percent escapes in the path or query.
    case invalidPath
    /// Longer than 512 bytes.
    case tooLong
}

/// Whether a host, by name or by number, is this machine or a private network; what is neither counts as one.
package func isPrivateHost(_ host: String) -> Bool {
    switch IPAddress(host) {
    case .some(let address): address.isPrivate
    case .none: isPrivateName(host)
    }
}

/// Whether a host name stands for something near: RFC 6761, RFC 6762, RFC 8375, and ICANN's `.internal`.
private func isPrivateName(_ host: String) -> Bool {
    let suffixes = [".localhost", ".local", ".internal", ".lan", ".home.arpa"]
    return !host.utf8.contains(UInt8(ascii: ".")) || suffixes.contains { host.hasSuffix($0) }
}
