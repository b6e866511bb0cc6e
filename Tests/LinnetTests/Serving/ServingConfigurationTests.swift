import NostrCore
import Testing

@testable import linnet

@Suite("Where a home listens")
struct ServingConfigurationTests {
    private func serving(
        _ host: String, names: [String] = [], address: String? = nil, isRelay: Bool = true, hasMetrics: Bool = true
    ) -> ServingConfiguration {
        ServingConfiguration(
            host: host, port: 4869, names: names, origins: [], address: address.flatMap(PublicAddress.init),
            isRelay: isRelay, hasMetrics: hasMetrics)
    }

    @Test("this machine alone is told nothing", arguments: ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
    func loopback(host: String) {
        #expect(serving(host).exposure(port: 4869) == nil)
        #expect(serving(host).addressForDevices(port: 4869) == nil)
    }

    @Test("beyond it, all that is exposed is said, and how to close it", arguments: ["0.0.0.0", "::", "192.168.1.5"])
    func exposed(host: String) throws {
        let said = try #require(serving(host).exposure(port: 4869))
        for word in ["log in", "/healthz", "/metrics", "--no-metrics", "the relay", "--no-relay"] {
            #expect(said.contains(word))
        }
        let closed = try #require(serving(host, isRelay: false, hasMetrics: false).exposure(port: 4869))
        #expect(!closed.contains("relay") && !closed.contains("/metrics"))
    }

    @Test("a device in the house is led by the public address, a name, or the address itself")
    func devices() {
        #expect(
            serving("127.0.0.1", address: "https://home.example").addressForDevices(port: 1) == "https://home.example")
        #expect(serving("0.0.0.0", names: ["Pi.lan"]).addressForDevices(port: 4869) == "http://pi.lan:4869")
        #expect(serving("192.168.1.5").addressForDevices(port: 4869) == "http://192.168.1.5:4869")
        #expect(serving("0.0.0.0").addressForDevices(port: 4869) == nil)
        #expect(serving("127.0.0.1", address: "https://home.example").secureHosts == ["home.example"])
        #expect(serving("127.0.0.1", address: "http://home.example").secureHosts == [])
    }

    @Test(
        "a name below localhost leads to loopback alone",
        arguments: [
            ("127.0.0.1", true), ("localhost", true), ("::1", true), ("127.8.8.8", false), ("0.0.0.0", false),
            ("::", false), ("192.168.1.5", false),
        ])
    func loopbackName(host: String, leads: Bool) throws {
        var served = serving(host)
        #expect(served.canHaveLoopbackName == leads)
        #expect(!served.hostNames.contains { $0.hasSuffix(".localhost") })
        let name = try #require(LoopbackName("linnet-0123456789abcdef01234567.localhost"))
        served.loopbackName = name
        #expect(served.hostNames.contains(name.host))
    }
}
