import NIOSSL
import NostrTesting
import OpenWeb
import Synchronization
import WebTesting

/// A domain of this machine that behaves as the name says it is asked for.
enum NamesServer {
    private static let path = "/.well-known/nostr.json?name="

    /// A client that finds every host there, and believes its certificate.
    static func client(_ certificate: TestCertificate) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        return OpenWebClient(lookUp: { _, _ in "127.0.0.1" }, isAllowed: { _ in true }, tls: tls)
    }

    /// Runs one while a test works.
    static func with<R: Sendable>(
        _ certificate: TestCertificate, document: String, _ body: (SecureWebServer) async throws -> R
    ) async throws -> R {
        try await SecureWebServer.with(certificate, answering: { answer(to: name(in: $0), document) }, body)
    }

    /// The names that were asked for, in order.
    static func questions(to server: SecureWebServer) -> [String] { server.requests.withLock { $0.map(name) } }

    private static func name(in request: SecureWebServer.Request) -> String {
        request.path.hasPrefix(path) ? String(request.path.dropFirst(path.count)) : ""
    }

    private static func answer(to name: String, _ document: String) -> SecureWebServer.Answer {
        switch name {
        case "": .whole(404)
        case "elsewhere": .whole(302, headers: [("location", path + "bob")])
        case "missing": .whole(404, "nothing here")
        case "page": .whole(200, "<html>welcome</html>")
        case "huge": .endless(bytes: 2_097_152)
        case "slow": .silence
        default: .whole(200, document)
        }
    }
}
