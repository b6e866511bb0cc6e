/// Where a relay is: a normalised `ws` or `wss` address, so that equal relays compare equal.
///
/// Shape: scheme and host lowercase, default port dropped, no fragment, no user, no trailing `/` on an empty path;
/// other ports, paths and queries stay. Source: NIP-65; RFC 3986 §6.
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
    public init(_ text: String) throws(RelayURLError) {
        fatalError("the core helper fills this")
    }

    /// Whether the host is this machine or a private network: loopback, link-local, RFC 1918, `localhost`, `.local`,
    /// `.internal`; never believed from other people's lists.
    public var isPrivate: Bool { fatalError("the core helper fills this") }

    /// Whether the host is an onion service.
    public var isOnion: Bool { host.hasSuffix(".onion") }

    public var description: String { text }

    public static func < (a: RelayURL, b: RelayURL) -> Bool { a.text < b.text }
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
    /// Longer than 512 characters.
    case tooLong
}
