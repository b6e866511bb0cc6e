internal import NostrCore

/// The address of a push message that somebody registered: `https`, and not on this machine or a private network.
///
/// Whether its name leads there all the same shows when the socket is open (``PushConnections``). Source: RFC 8030 §8.3.
struct PushEndpoint: Hashable, Sendable {
    /// The address as it was given.
    let text: String
    /// Scheme, host and port: whom a VAPID token is for.
    let origin: String
    /// The host.
    let host: String

    /// Takes an address; `nil` for one that nobody may have us call.
    ///
    /// - Parameter allowsPrivate: whether hosts near us may be called.
    init?(_ text: String, allowsPrivate: Bool) {
        let scheme = "https://"
        // UnifiedPush allows 1000 bytes; browsers' endpoints are shorter.
        guard text.utf8.count <= 1000, text.hasPrefix(scheme),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.forbidden.contains($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // The rules for hosts and ports are the same as for relays.
        guard let parsed = try? RelayURL("wss://" + authority) else { return nil }
        guard allowsPrivate || !parsed.isPrivate else { return nil }
        self.text = text
        host = parsed.host
        origin = scheme + parsed.text.dropFirst("wss://".count)
    }

    private static let forbidden = Set("\"#<>\\^`{|}".utf8)
}
