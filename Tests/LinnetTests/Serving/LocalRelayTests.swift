import Testing
import WebSocketNIO

@testable import linnet

@Suite("The relay of this machine")
struct LocalRelayTests {
    private func accepts(origin: String?, host: String = "127.0.0.1:4869", origins: Set<String> = []) -> Bool {
        var headers = [(name: "Host", value: host)]
        if let origin { headers.append((name: "Origin", value: origin)) }
        return LocalRelay.accepts(
            UpgradeRequest(target: "/", headers: headers, peer: "127.0.0.1"),
            hosts: ["localhost", "127.0.0.1", "[::1]"], origins: origins)
    }

    @Test("lets programs in, which name no origin")
    func programs() {
        #expect(accepts(origin: nil))
    }

    @Test("lets its own pages in", arguments: ["127.0.0.1:4869", "localhost:4869", "[::1]:4869", "localhost"])
    func ownPages(host: String) {
        #expect(accepts(origin: "http://\(host)", host: host))
        #expect(accepts(origin: "HTTP://\(host.uppercased())", host: host))
    }

    @Test(
        "turns pages of strange sites away",
        arguments: ["https://evil.example", "http://127.0.0.1:8080", "null", "http://127.0.0.1:4869.evil.example", ""])
    func strangers(origin: String) {
        #expect(!accepts(origin: origin))
    }

    @Test("turns a page away whose own name was rebound to this machine")
    func rebound() {
        #expect(!accepts(origin: "http://evil.example:4869", host: "evil.example:4869"))
    }

    @Test("lets a site in that the person allowed")
    func allowed() {
        #expect(accepts(origin: "https://client.example", origins: ["https://client.example"]))
        #expect(!accepts(origin: "https://other.example", origins: ["https://client.example"]))
    }
}
