import ArgumentParser
import WebSocketNIO

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
    func proxies() throws -> TrustedProxies {
        guard let proxies = TrustedProxies(named) else {
            throw CommandFailure("A trusted proxy is named by its IP address, not by a name.")
        }
        return proxies
    }
}
