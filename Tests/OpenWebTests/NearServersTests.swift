import Foundation
import NIOSSL
import NostrTesting
import Synchronization
import Testing
import WebTesting

@testable import OpenWeb

/// Servers whose address the person typed: they may be of this machine or a private network.
@Suite("servers that the person typed", .timeLimit(.minutes(5)))
struct NearServersTests {
    private let host = "names.example"

    /// A client for which every name leads to this machine, where nobody may be sent by others.
    private func client(_ certificate: TestCertificate? = nil) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificate { tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain)) }
        return OpenWebClient(lookUp: { _, _ in "127.0.0.1" }, isAllowed: OpenWebClient.isOpen, tls: tls)
    }

    private func failure<Value>(_ body: () async throws -> Value) async -> OpenWebClient.Failure? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? OpenWebClient.Failure
        }
    }

    @Test("over TLS the server that was typed is reached at any number; what others name is not")
    func typed() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let (client, address) = (try client(certificate), "https://\(host):\(server.port)/pdf")
            let file = try await client.file(at: address, near: true, longest: 100, deadline: .seconds(60))
            let answer = try await client.exchange(
                "GET", at: address, near: true, headers: [:], body: .none, longest: 100, deadline: .seconds(60)
            ) { _ in }
            #expect(file == Array("%PDF".utf8) && answer.body == file)
            let strange = await failure {
                try await client.file(at: address, longest: 100, deadline: .seconds(60))
            }
            #expect(strange == .privateAddress)
        }
    }

    @Test("where it leads elsewhere is judged as what anybody names", arguments: ["/far", "/inside"])
    func elsewhere(path: String) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let (client, address) = (try client(certificate), "https://\(host):\(server.port)\(path)")
            let whole = await failure {
                try await client.file(at: address, near: true, longest: 100, deadline: .seconds(60))
            }
            let streamed = await failure {
                try await client.stream(from: address, near: true, longest: 100, deadline: .seconds(60)) { _ in }
            }
            #expect(whole == .privateAddress && streamed == .privateAddress)
            #expect(server.requests.withLock { $0.map(\.path) } == [path, path])
        }
    }

    @Test(
        "without TLS only what is near by its very name is reached, and never for what others name",
        arguments: [
            ("http://names.example/a", true, OpenWebClient.Failure.privateAddress),
            ("http://names.example/a", false, .notAllowed), ("http://127.0.0.1:1/a", false, .notAllowed),
            ("http://localhost:1/a", false, .notAllowed), ("https://localhost:1/a", false, .privateAddress),
            ("http://127.0.0.1:1/a", true, .unreachable), ("http://localhost:1/a", true, .unreachable),
            ("http://nas.lan:1/a", true, .unreachable), ("ftp://127.0.0.1/a", true, .notAllowed),
        ] as [(String, Bool, OpenWebClient.Failure)])
    func plain(address: String, near: Bool, why: OpenWebClient.Failure) async throws {
        let client = try client()
        let found = await failure {
            try await client.file(at: address, near: near, longest: 100, deadline: .seconds(60))
        }
        #expect(found == why)
    }
}
