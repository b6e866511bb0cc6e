import NostrCore
import Testing

@testable import linnet

@Suite("Where a home listens")
struct ServedPlaceTests {
    private func place(
        _ host: String, names: [String] = [], address: String? = nil, isRelay: Bool = true, hasMetrics: Bool = true
    ) -> ServedPlace {
        ServedPlace(
            host: host, port: 4869, names: names, origins: [], address: address.flatMap(PublicAddress.init),
            isRelay: isRelay, hasMetrics: hasMetrics)
    }

    @Test("this machine alone is told nothing", arguments: ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
    func loopback(host: String) {
        #expect(place(host).exposure(port: 4869) == nil)
        #expect(place(host).addressForDevices(port: 4869) == nil)
    }

    @Test("beyond it, all that is exposed is said, and how to close it", arguments: ["0.0.0.0", "::", "192.168.1.5"])
    func exposed(host: String) throws {
        let said = try #require(place(host).exposure(port: 4869))
        for word in ["log in", "/healthz", "/metrics", "--no-metrics", "the relay", "--no-relay"] {
            #expect(said.contains(word))
        }
        let closed = try #require(place(host, isRelay: false, hasMetrics: false).exposure(port: 4869))
        #expect(!closed.contains("relay") && !closed.contains("/metrics"))
    }

    @Test("a device in the house is led by the public address, a name, or the address itself")
    func devices() {
        #expect(
            place("127.0.0.1", address: "https://home.example").addressForDevices(port: 1) == "https://home.example")
        #expect(place("0.0.0.0", names: ["Pi.lan"]).addressForDevices(port: 4869) == "http://pi.lan:4869")
        #expect(place("192.168.1.5").addressForDevices(port: 4869) == "http://192.168.1.5:4869")
        #expect(place("0.0.0.0").addressForDevices(port: 4869) == nil)
        #expect(place("127.0.0.1", address: "https://home.example").secureHosts == ["home.example"])
        #expect(place("127.0.0.1", address: "http://home.example").secureHosts == [])
    }
}
