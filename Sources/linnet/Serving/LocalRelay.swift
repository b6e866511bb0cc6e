import Logging
import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import WebSocketNIO

/// The relay of this machine: other Nostr programs here read what Linnet keeps and hand it what they have.
///
/// A page of a strange site, too, can open a WebSocket to this machine; its browser then names the site as `Origin`.
/// Such pages are turned away, so that no site learns what a person reads.
struct LocalRelay: Sendable {
    let server: RelayServer
    let upgrade: WebSocketUpgrade

    /// Takes the store to serve.
    ///
    /// - Parameters:
    ///   - addresses: where clients know it; they prove who they are (NIP-42) to one of these.
    ///   - hosts: names by which this machine's own pages may call it.
    ///   - isOpen: whether anybody may connect at all.
    ///   - origins: other sites whose pages may connect, as `https://host[:port]`.
    ///   - proxies: whose word for where a client is counts, on a port shared with pages.
    ///   - isRestricted: whether the policies let only some people write, for the information document.
    init(
        store: any EventStore, name: String, addresses: [RelayURL], hosts: Set<String>, origins: Set<String>,
        isOpen: Bool = true, policies: RelayPolicies = .privateMessagesForPartiesOnly, isRestricted: Bool = false,
        proxies: TrustedProxies = TrustedProxies(), now: @escaping @Sendable () -> Timestamp, log: Logger
    ) {
        var information = RelayInformation.linnet(name: name)
        information.limitation.restrictedWrites = isRestricted ? true : nil
        server = RelayServer(
            store: store, policies: policies, information: information, addresses: addresses, now: now, log: log)
        upgrade = WebSocketUpgrade(
            proxies: proxies, accepts: { isOpen && Self.accepts($0, hosts: hosts, origins: origins) })
    }

    /// The addresses behind some host names at a port.
    static func addresses(hosts: Set<String>, port: Int) -> [RelayURL] {
        // A name that makes no address is one that no client can use.
        hosts.sorted().compactMap { try? RelayURL("ws://\($0):\(port)") }
    }

    /// Serves one socket until it ends.
    func serve(_ connection: WebSocketConnection) async {
        await server.serve(
            frames: connection.incoming, send: { try await connection.send($0) }, close: { connection.beginClosing() },
            peer: connection.request.peer)
    }

    /// Whether a request may become a WebSocket: no page sent it, or one of ours or of an allowed site did.
    ///
    /// The host is compared with names we know, not only with `Host`: a page whose name was rebound to this machine
    /// would send both alike.
    static func accepts(_ request: UpgradeRequest, hosts: Set<String>, origins: Set<String>) -> Bool {
        guard let origin = request.header("origin")?.lowercased() else { return true }
        if origins.contains(origin) { return true }
        guard let host = request.header("host")?.lowercased(), hosts.contains(withoutPort(host)) else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The name in a `Host` header, which is lowercase already; IPv6 keeps its brackets.
    static func withoutPort(_ host: String) -> String {
        if host.hasSuffix("]") { return host }
        guard let colon = host.lastIndex(of: ":") else { return host }
        return String(host[..<colon])
    }
}

extension RelayInformation {
    /// What a relay of this program says of itself.
    static func linnet(name: String) -> RelayInformation {
        var information = RelayInformation()
        information.name = name
        information.description = "A relay of one person's own home on Nostr."
        information.supportedNIPs = RelayServer.supportedNIPs
        information.software = "linnet"
        information.version = Version.text
        return information
    }
}
