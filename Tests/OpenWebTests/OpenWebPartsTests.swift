import NIOSSL
import NostrTesting
import Synchronization
import Testing
import WebTesting

@testable import OpenWeb

/// Parts of films that strangers' notes lead to.
@Suite("parts of files of the open web", .timeLimit(.minutes(5)))
struct OpenWebPartsTests {
    private let host = "names.example"

    private func client(_ certificate: TestCertificate) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        return OpenWebClient(
            lookUp: { name, _ in name == "names.example" ? "127.0.0.1" : "10.1.2.3" },
            isAllowed: { $0 == "127.0.0.1" }, tls: tls)
    }

    /// What came, what was said of it, and why no more did.
    private struct Came {
        var text = ""
        var part: OpenWebClient.Part?
        var why: OpenWebClient.Failure?
    }

    private func ask(
        _ path: String, from first: Int64 = 0, to last: Int64? = nil, most: Int = 1000,
        deadline: Duration = .seconds(60), with client: OpenWebClient, _ server: SecureWebServer
    ) async -> Came {
        var came = Came()
        do {
            try await client.part(
                at: "https://\(host):\(server.port)\(path)", from: first, to: last, deadline: deadline,
                silence: .seconds(60)
            ) { part, bytes in
                came.part = part
                came.text += String(decoding: bytes, as: UTF8.self)
                return came.text.utf8.count < most
            }
        } catch {
            came.why = error as? OpenWebClient.Failure
        }
        return came
    }

    @Test("the part that is wanted is asked for, also where a step elsewhere leads", arguments: ["/film", "/film-far"])
    func parts(path: String) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let client = try client(certificate)
            for (first, last, text) in [(0, 2, "012"), (3, 3, "3"), (7, nil, "789"), (8, 400, "89")]
                as [(Int64, Int64?, String)]
            {
                let came = await ask(path, from: first, to: last, with: client, server)
                let expected = OpenWebClient.Part(start: first, size: 10, isPart: true)
                #expect(came.text == text && came.why == nil && came.part == expected)
            }
            #expect(server.ranges.last == "bytes=8-400")
            #expect(server.requests.withLock { $0.allSatisfy { !$0.tellsWho } })
        }
    }

    @Test("a server that knows no parts gives the file from its beginning, and says so")
    func whole() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let came = await ask("/film-whole", from: 4, to: 5, with: try client(certificate), server)
            #expect(came.text == DocumentServer.film && came.why == nil)
            #expect(came.part == OpenWebClient.Part(start: 0, size: 10, isPart: false))
        }
    }

    @Test("of a body without an end no more is read than is wanted")
    func endless() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let came = await ask("/endless-page", most: 5, with: try client(certificate), server)
            #expect(came.text.hasPrefix("     ") && came.why == nil && came.part?.size == nil)
        }
    }

    @Test(
        "what is packed, missing, cut, slow, or elsewhere than on the open web is no film",
        arguments: [
            ("/packed", OpenWebClient.Failure.wrongType), ("/film-untold", .wrongType), ("/film-beyond", .status(416)),
            ("/missing", .status(404)), ("/inside", .privateAddress), ("/plain", .redirected),
            ("/circle", .redirected), ("/nowhere", .redirected), ("/cut", .unreachable), ("/film-cut", .unreachable),
        ] as [(String, OpenWebClient.Failure)])
    func refused(path: String, why: OpenWebClient.Failure) async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let came = await ask(path, with: try client(certificate), server)
            #expect(came.why == why)
        }
    }

    @Test("whoever sends a byte now and then is not waited for")
    func slow() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let came = await ask("/drip", deadline: .seconds(2), with: try client(certificate), server)
            #expect(came.why == .timedOut)
        }
    }

    @Test("whoever is cancelled keeps no connection open")
    func cancelled() async throws {
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let client = try client(certificate)
            let address = "https://\(host):\(server.port)/drip"
            let (bytes, came) = AsyncStream.makeStream(of: Void.self)
            // Longer than this test may take.
            let reading = Task {
                try await client.part(
                    at: address, from: 0, to: nil, deadline: .seconds(3600), silence: .seconds(3600)
                ) { _, _ in
                    came.yield()
                    return true
                }
            }
            for await _ in bytes { break }
            reading.cancel()
            await #expect(throws: (any Error).self) { try await reading.value }
            for await _ in server.leavers.stream { break }
        }
    }

    @Test("what the one who reads throws comes back as it is")
    func thrown() async throws {
        struct Enough: Error {}
        let certificate = try TestCertificate(for: host)
        try await DocumentServer.with(certificate) { server in
            let client = try client(certificate)
            await #expect(throws: Enough.self) {
                try await client.part(
                    at: "https://\(host):\(server.port)/film", from: 0, to: nil, deadline: .seconds(60),
                    silence: .seconds(60)
                ) { _, _ in throw Enough() }
            }
        }
    }

    @Test(
        "only a part that says which one it is counts",
        arguments: [
            ("bytes 0-511/12345", OpenWebClient.Part(start: 0, size: 12_345, isPart: true)),
            ("Bytes 5-9/10", OpenWebClient.Part(start: 5, size: 10, isPart: true)),
            ("bytes 5-9/*", OpenWebClient.Part(start: 5, size: nil, isPart: true)), ("bytes */10", nil),
            ("bytes 5-9/9", nil), ("bytes 9-5/10", nil), ("bytes -5/10", nil), ("bytes 5-9", nil),
            ("bytes 5-9/x", nil), ("bytes 5-9/10/11", nil), ("lines 5-9/10", nil), ("", nil),
            ("bytes +5-9/10", nil), ("bytes 0-99999999999999999999/*", nil), ("bytes 5-9/99999999999999999999", nil),
        ] as [(String, OpenWebClient.Part?)])
    func contentRange(field: String, part: OpenWebClient.Part?) {
        #expect(OpenWebClient.Part(contentRange: field) == part)
    }
}
