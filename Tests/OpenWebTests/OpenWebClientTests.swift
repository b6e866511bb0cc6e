import NIOSSL
import NostrTesting
import Synchronization
import Testing
import WebTesting

@testable import OpenWeb

/// Documents that strangers' addresses lead to.
@Suite("documents of the open web", .timeLimit(.minutes(5)))
struct OpenWebClientTests {
    private let host = "names.example"

    /// A client for which the host is this machine, and who believes its certificate.
    private func client(_ certificate: TestCertificate) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        return OpenWebClient(lookUp: { _, _ in "127.0.0.1" }, isAllowed: { _ in true }, tls: tls)
    }

    private func failure(_ body: () async throws -> [UInt8]) async -> OpenWebClient.Failure? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? OpenWebClient.Failure
        }
    }

    @Test("a document comes whole, and the question tells nothing of who asks")
    func right() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let bytes = try await client(certificate).document(
                at: "https://\(host):\(server.port)/right", longest: 1000, deadline: .seconds(60))
            #expect(String(decoding: bytes, as: UTF8.self) == DocumentServer.document)
            #expect(server.requests.withLock { $0.map(\.path) } == ["/right"])
            #expect(server.requests.withLock { $0.allSatisfy { !$0.tellsWho } })
        }
    }

    @Test(
        "what is no document is named: a way elsewhere is not gone, what is endless is not read to its end",
        arguments: [
            ("/elsewhere", OpenWebClient.Failure.redirected), ("/missing", .status(404)), ("/endless", .tooLong),
            ("/cut", .unreachable),
        ])
    func wrong(path: String, expected: OpenWebClient.Failure) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let found = await failure {
                try await client(certificate).document(
                    at: "https://\(host):\(server.port)\(path)", longest: 100_000, deadline: .seconds(60))
            }
            #expect(found == expected)
            #expect(server.requests.withLock { $0.map(\.path) } == [path])
        }
    }

    @Test("what is too long for memory comes in chunks, bounded, and whoever takes them may end it")
    func streams() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let client = try client(certificate)
            let taken = Mutex<[UInt8]>([])
            _ = try await client.stream(
                at: "https://\(host):\(server.port)/right", longest: 1000, deadline: .seconds(60)
            ) { chunk in taken.withLock { $0 += chunk } }
            #expect(taken.withLock { String(decoding: $0, as: UTF8.self) } == DocumentServer.document)
            await #expect(throws: OpenWebClient.Failure.tooLong) {
                _ = try await client.stream(
                    at: "https://\(host):\(server.port)/endless", longest: 100_000, deadline: .seconds(60)
                ) { _ in }
            }
            await #expect(throws: Enough.self) {
                _ = try await client.stream(
                    at: "https://\(host):\(server.port)/endless", longest: .max, deadline: .seconds(60)
                ) { _ in throw Enough() }
            }
        }
    }

    @Test("whoever gives a byte now and then is not read for longer than was said")
    func drip() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let address = "https://\(host):\(server.port)/drip"
            let client = try client(certificate)
            await #expect(throws: OpenWebClient.Failure.timedOut) {
                _ = try await client.document(at: address, longest: .max, deadline: .seconds(2))
            }
            await #expect(throws: OpenWebClient.Failure.timedOut) {
                _ = try await client.stream(at: address, longest: .max, deadline: .seconds(2)) { _ in }
            }
        }
    }

    private struct Enough: Error {}

    @Test("one that says nothing ends at the deadline")
    func silent() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let found = await failure {
                try await client(certificate).document(
                    at: "https://\(host):\(server.port)/silent", longest: 1000, deadline: .seconds(1))
            }
            #expect(found == .timedOut)
        }
    }

    @Test("a resolver that never answers ends at the deadline too")
    func silentResolver() async {
        let client = OpenWebClient(
            lookUp: { _, _ in
                try await Task.sleep(for: .seconds(3600))
                return "127.0.0.1"
            }, isAllowed: { _ in true })
        let found = await failure {
            try await client.document(at: "https://\(host)/", longest: 10, deadline: .milliseconds(50))
        }
        #expect(found == .timedOut)
    }

    @Test("whom nobody vouches for is not believed")
    func strangersCertificate() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let other = try TestCertificate(for: host)
            let found = await failure {
                try await client(other).document(
                    at: "https://\(host):\(server.port)/right", longest: 1000, deadline: .seconds(60))
            }
            #expect(found == .unreachable)
            #expect(server.requests.withLock { $0.isEmpty })
        }
    }

    @Test(
        "a name that leads to this machine or its network is not asked",
        arguments: [
            "127.0.0.1", "::1", "10.1.2.3", "192.168.0.1", "169.254.1.1", "::ffff:127.0.0.1", "fd00::1", "0.0.0.0",
            "172.16.0.1", "100.64.0.1", "169.254.169.254", "fe80::1", "::",
        ])
    func privateAddresses(number: String) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let client = OpenWebClient(lookUp: { _, _ in number }, isAllowed: OpenWebClient.isOpen)
            let found = await failure {
                try await client.document(
                    at: "https://\(host):\(server.port)/right", longest: 1000, deadline: .seconds(60))
            }
            #expect(found == .privateAddress)
            #expect(server.requests.withLock { $0.isEmpty })
        }
    }

    @Test(
        "an address that is none of the open web over TLS is not looked up",
        arguments: [
            "http://a.example/", "https://", "https:///x", "https://me:pw@a.example/", "https://a.example:0/",
            "https://a.example:x/", "https://[::1]/", "file:///etc/passwd", "https://A.example/", "https://a b/",
        ])
    func notAllowed(address: String) async {
        let client = OpenWebClient(
            lookUp: { _, _ in throw OpenWebClient.Failure.unknownHost }, isAllowed: { _ in true })
        let found = await failure { try await client.document(at: address, longest: 10, deadline: .seconds(60)) }
        #expect(found == .notAllowed)
    }
}
