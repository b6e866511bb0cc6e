import Foundation
import NostrCore

/// What a push proxy is to do, by flag, else environment; ours and the names of Clave's proxy.
struct PushProxyConfiguration: Sendable {
    let options: PushProxyOptions
    let environment: PushEnvironment

    /// Whether relays and endpoints near us are taken.
    var takesPrivate: Bool { options.allowPrivate || environment.value("LINNET_PUSH_ALLOW_PRIVATE") != nil }

    /// Proxies of ours that say where requests come from.
    ///
    /// - Throws: a ``CommandFailure`` for what is no address: a name would trust nobody, without a word.
    func proxies() throws -> TrustedProxies {
        let variable = environment.value("LINNET_PUSH_TRUSTED_PROXY")?.split(separator: " ").map(String.init)
        return try ProxyOptions.proxies(
            named: options.trustedProxies.isEmpty ? variable ?? [] : options.trustedProxies,
            trustsNearby: options.behindProxy || environment.value("LINNET_PUSH_BEHIND_PROXY") != nil)
    }

    /// The relays of which everything is read, in the order they were named, each once.
    ///
    /// - Throws: a ``CommandFailure`` for an address that is none.
    func primaryRelays() throws -> [RelayURL] {
        let variable = environment.value("LINNET_PUSH_RELAYS", "RELAY_URL")?.split(separator: " ").map(String.init)
        let named = options.relays.isEmpty ? variable ?? [] : options.relays
        var seen: Set<RelayURL> = []
        return try named.map(Reading.relay).filter { seen.insert($0).inserted }
    }

    /// The address by which devices reach the first of those relays; `nil` where it was not named.
    ///
    /// - Throws: a ``CommandFailure`` for an address that is none.
    func namedPublicRelay() throws -> RelayURL? {
        try (options.publicRelay ?? environment.value("LINNET_PUSH_PUBLIC_RELAY", "PUBLIC_RELAY_URL"))
            .map(Reading.relay)
    }

    /// The address apps know the proxy by, without a slash at the end; requests are signed for it.
    ///
    /// - Throws: a ``CommandFailure`` when nobody said it.
    func publicURL() throws -> String {
        guard let url = options.url ?? environment.value("LINNET_PUSH_URL", "PUBLIC_PROXY_URL") else {
            throw CommandFailure("Give the address by which apps know this proxy: --url https://push.example.com.")
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// How many apps one signer may pair; `nil` for the usual.
    var clientLimit: Int? {
        options.clientLimit ?? environment.value("LINNET_PUSH_CLIENT_LIMIT").flatMap { Int($0) }
    }

    /// Where registrations are kept; `nil` for the usual file.
    ///
    /// - Throws: a ``CommandFailure`` for a password that every program of this machine could read.
    func databaseAddress() throws -> String? {
        if let database = options.database, Self.isPostgres(database), Self.holdsPassword(database) {
            throw CommandFailure(
                """
                A password never belongs on the command line, where every program of this machine can read it: put the \
                address into LINNET_PUSH_DATABASE, or the password into PGPASSWORD or ~/.pgpass.
                """)
        }
        return options.database ?? environment.value("LINNET_PUSH_DATABASE")
    }

    static func isPostgres(_ address: String) -> Bool {
        address.hasPrefix("postgres://") || address.hasPrefix("postgresql://")
    }

    private static func holdsPassword(_ address: String) -> Bool {
        if address.contains("password=") { return true }
        guard let scheme = address.range(of: "://") else { return false }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return false }
        return authority[..<at].contains(":")
    }
}
