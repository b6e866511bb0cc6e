import ArgumentParser
import NostrCore

/// Which proxies stand before a port.
struct ProxyOptions: ParsableArguments {
    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "The address of a proxy of yours whose X-Forwarded-For is believed; may be given again.",
            valueName: "address"))
    var named: [String] = []

    /// The proxies whose word counts.
    ///
    /// - Throws: a ``CommandFailure`` for what is no address.
    func proxies() throws -> TrustedProxies { try Self.proxies(named: named) }

    /// The same, of whatever options.
    static func proxies(named: [String], trustsNearby: Bool = false) throws -> TrustedProxies {
        guard let proxies = TrustedProxies(named, trustsNearby: trustsNearby) else {
            let wrong = named.first { TrustedProxies([$0]) == nil } ?? ""
            throw CommandFailure("A trusted proxy is named by its IP address, not by '\(wrong)'.")
        }
        return proxies
    }
}
