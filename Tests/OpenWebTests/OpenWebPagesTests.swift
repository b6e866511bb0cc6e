import NIOSSL
import NostrTesting
import Synchronization
import Testing
import WebTesting

@testable import OpenWeb

/// Pages that strangers' links lead to, read for their previews.
@Suite("pages of the open web", .timeLimit(.minutes(5)))
struct OpenWebPagesTests {
    private let host = "names.example"

    /// A client for which the host is this machine, and every other host stands in a private network.
    private func client(
        _ certificate: TestCertificate, lookUp: OpenWebClient.LookUp? = nil
    ) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        return OpenWebClient(
            lookUp: lookUp ?? { name, _ in name == "names.example" ? "127.0.0.1" : "10.1.2.3" },
            isAllowed: { $0 == "127.0.0.1" }, tls: tls)
    }

    private func failure(_ body: () async throws -> OpenWebClient.Page) async -> OpenWebClient.Failure? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? OpenWebClient.Failure
        }
    }

    @Test("a page is found where steps elsewhere lead, and says where that was")
    func steps() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let page = try await client(certificate).page(
                at: "https://\(host):\(server.port)/far", types: ["text/html"], longest: 1000, deadline: .seconds(60))
            #expect(page.address == "https://\(host):\(server.port)/page")
            #expect(page.type == "text/html; charset=utf-8")
            #expect(String(decoding: page.bytes, as: UTF8.self) == "<title>A page</title>")
            #expect(server.requests.withLock { $0.map(\.path) } == ["/far", "/near", "/page"])
            #expect(server.requests.withLock { $0.allSatisfy { !$0.tellsWho } })
        }
    }

    @Test("of an endless page the beginning is read")
    func endless() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let page = try await client(certificate).page(
                at: "https://\(host):\(server.port)/endless-page", types: ["text/html"], longest: 100_000,
                deadline: .seconds(60))
            #expect(page.bytes.count == 100_000)
        }
    }

    @Test(
        "what is no page is named, and a step into a private network or out of TLS is not gone",
        arguments: [
            ("/circle", OpenWebClient.Failure.redirected), ("/nowhere", .redirected), ("/inside", .privateAddress),
            ("/plain", .redirected), ("/packed", .wrongType), ("/pdf", .wrongType), ("/untyped", .wrongType),
            ("/missing", .status(404)), ("/cut", .unreachable),
        ])
    func wrong(path: String, expected: OpenWebClient.Failure) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let found = await failure {
                try await client(certificate).page(
                    at: "https://\(host):\(server.port)\(path)", types: ["text/html"], longest: 1000,
                    deadline: .seconds(60))
            }
            #expect(found == expected)
            #expect(server.requests.withLock { $0.count } <= 4)
        }
    }

    @Test("one that says nothing ends at the deadline")
    func silent() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let found = await failure {
                try await client(certificate).page(
                    at: "https://\(host):\(server.port)/silent", types: ["text/html"], longest: 1000,
                    deadline: .seconds(1))
            }
            #expect(found == .timedOut)
        }
    }

    @Test("a name that leads to this network at the second look is not asked a second time")
    func changesItsMind() async throws {
        let certificate = try TestCertificate(for: host)
        let looks = Mutex(0)
        try await DocumentServer.with(certificate) { server in
            let fickle = try client(certificate) { _, _ in
                looks.withLock { count in
                    count += 1
                    return count == 1 ? "127.0.0.1" : "192.168.0.1"
                }
            }
            let found = await failure {
                try await fickle.page(
                    at: "https://\(host):\(server.port)/far", types: ["text/html"], longest: 1000,
                    deadline: .seconds(60))
            }
            #expect(found == .privateAddress)
            #expect(server.requests.withLock { $0.map(\.path) } == ["/far"])
        }
    }

    @Test(
        "where a step leads",
        arguments: [
            ("/b", "https://a.example/b"), ("b?c", "https://a.example/x/b?c"), ("?c", "https://a.example/x/y?c"),
            ("//B.example/c", "https://b.example/c"), ("HTTPS://B.example/C", "https://b.example/C"),
            ("#there", nil), ("", nil), ("http://b.example/", nil), ("javascript:alert(1)", nil), ("ftp:x", nil),
            ("file:///etc/passwd", nil), ("/with space", nil), ("/ümlaut", nil), ("a:b/c", nil),
        ] as [(String, String?)])
    func resolving(location: String, expected: String?) {
        #expect(OpenWebClient.resolved(location, from: "https://a.example/x/y?z") == expected)
    }
}
