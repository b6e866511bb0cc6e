import NostrCore
import WebSocketNIO

/// Where a home listens, by which names it is reached, and what it shows there.
struct ServingConfiguration: Sendable {
    let host: String
    let port: Int
    /// Further names by which browsers reach it.
    let names: [String]
    /// Sites whose pages may use the relay.
    let origins: [String]
    /// Where other devices reach the pages; `nil` when nobody has said.
    let address: PublicAddress?
    /// Whether the port is a relay, too.
    let isRelay: Bool
    /// Whether operators find counts there.
    let hasMetrics: Bool
    /// What the media server takes that the port is, too; `nil` where it is none.
    var mediaServer: HomeBlobRules?
    /// Whose word for where a request comes from is believed.
    var proxies = TrustedProxies()
    /// The name by which this machine's browsers reach it; `nil` where they do not know such names, or it would not lead
    /// to where the home listens.
    var loopbackName: LoopbackName?

    /// The names that pages and the relay are reached by.
    var hostNames: Set<String> {
        var hosts = Set(["localhost", "127.0.0.1", "[::1]", written])
        hosts.formUnion(names.map { $0.lowercased() })
        if let address { hosts.insert(address.host) }
        if let loopbackName { hosts.insert(loopbackName.host) }
        return hosts
    }

    /// Those of them that browsers reach by https.
    var secureHosts: Set<String> { address.map { $0.text.hasPrefix("https:") ? [$0.host] : [] } ?? [] }

    /// The host as a URL writes it: every address this listens on is reached by name through loopback.
    var written: String {
        if isEveryAddress { return "127.0.0.1" }
        return host.contains(":") ? "[\(host)]" : host
    }

    /// Whether a name below `localhost` leads to where it listens: on one of the two addresses that browsers try.
    var canHaveLoopbackName: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// The address of the pages for a device in the house; `nil` where none reaches them, or nobody said how.
    func addressForDevices(port: Int) -> String? {
        if let address { return address.text }
        guard !isLoopback else { return nil }
        if let name = names.first { return "http://\(name.lowercased()):\(port)" }
        return isEveryAddress ? nil : "http://\(written):\(port)"
    }

    /// What whoever reaches the port finds there, in words; `nil` where only this machine does.
    func exposure(port: Int) -> String? {
        guard !isLoopback else { return nil }
        var doors = ["the page to log in", "whether this home is well (/healthz)"]
        if hasMetrics { doors.append("counts for operators (/metrics; closed by --no-metrics)") }
        if mediaServer != nil {
            doors.append("files kept here, to those who know their names (the SHA-256 of their bytes)")
        }
        if isRelay {
            doors.append(
                "the relay, which gives everybody all notes kept here and takes theirs (closed by --no-relay)")
        }
        return "This home listens on \(host), port \(port), so others on your network reach: "
            + doors.joined(separator: "; ") + ". Nothing of it is encrypted on the way."
    }

    /// What is said where the home cannot be reached by its own name, in words.
    static func sharedName(port: Int) -> String {
        "Another program has port \(port) at the other loopback address, where browsers would look for this home's own "
            + "name, too. So this home is reached as 127.0.0.1, and servers on other ports of that address are sent its "
            + "session when your browser visits them."
    }

    private var isEveryAddress: Bool { host == "0.0.0.0" || host == "::" }

    private var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
