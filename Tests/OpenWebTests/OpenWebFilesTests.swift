import NIOSSL
import NostrTesting
import Synchronization
import Testing
import WebTesting

@testable import OpenWeb

/// Whole files that strangers' messages lead to.
@Suite("files of the open web", .timeLimit(.minutes(5)))
struct OpenWebFilesTests {
    private let host = "names.example"

    private func client(_ certificate: TestCertificate) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        return OpenWebClient(
            lookUp: { name, _ in name == "names.example" ? "127.0.0.1" : "10.1.2.3" },
            isAllowed: { $0 == "127.0.0.1" }, tls: tls)
    }

    @Test("a file of any sort is read whole, also where steps elsewhere lead", arguments: ["/pdf", "/untyped", "/far"])
    func whole(path: String) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let bytes = try await client(certificate).file(
                at: "https://\(host):\(server.port)\(path)", longest: 1000, deadline: .seconds(60))
            #expect(String(decoding: bytes, as: UTF8.self) == (path == "/pdf" ? "%PDF" : "<title>A page</title>"))
            #expect(server.requests.withLock { $0.allSatisfy { !$0.tellsWho } })
        }
    }

    @Test("a token is shown to the host that was named, and to none that it leads to")
    func token() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let (client, address) = (try client(certificate), "https://\(host):\(server.port)/far")
            let token = ["Authorization": "Nostr abc"]
            _ = try await client.file(at: address, headers: token, longest: 1000, deadline: .seconds(60))
            _ = try await client.stream(from: address, headers: token, longest: 1000, deadline: .seconds(60)) { _ in }
            #expect(server.requests.withLock { $0.map(\.tellsWho) } == [true, false, false, true, false, false])
        }
    }

    @Test(
        "what is too long, packed, missing or elsewhere than on the open web is no file",
        arguments: [
            ("/endless-page", OpenWebClient.Failure.tooLong), ("/right", .tooLong), ("/packed", .wrongType),
            ("/missing", .status(404)), ("/inside", .privateAddress), ("/plain", .redirected),
            ("/circle", .redirected), ("/nowhere", .redirected), ("/cut", .unreachable),
        ] as [(String, OpenWebClient.Failure)])
    func refused(path: String, why: OpenWebClient.Failure) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let client = try client(certificate)
            await #expect(throws: why) {
                _ = try await client.file(
                    at: "https://\(host):\(server.port)\(path)", longest: path == "/right" ? 5 : 1000,
                    deadline: .seconds(60))
            }
        }
    }

    @Test("a name that leads to this network at the second look is not asked for a file either")
    func changesItsMind() async throws {
        let certificate = try TestCertificate(for: host)
        let looks = Mutex(0)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        let fickle = OpenWebClient(
            lookUp: { _, _ in
                looks.withLock { count in
                    count += 1
                    return count == 1 ? "127.0.0.1" : "169.254.169.254"
                }
            }, isAllowed: { $0 == "127.0.0.1" }, tls: tls)
        try await DocumentServer.with(certificate) { server in
            await #expect(throws: OpenWebClient.Failure.privateAddress) {
                _ = try await fickle.file(
                    at: "https://\(host):\(server.port)/far", longest: 1000, deadline: .seconds(60))
            }
            #expect(server.requests.withLock { $0.map(\.path) } == ["/far"])
        }
    }
}
