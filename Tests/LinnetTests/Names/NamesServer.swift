import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NostrTesting
import OpenWeb
import Synchronization

/// A domain of this machine over TLS that behaves as the name says it is asked for.
final class NamesServer: Sendable {
    /// The names that were asked for, in order.
    let questions = Mutex<[String]>([])
    private let document: String
    private let listening = Mutex(0)

    private init(document: String) { self.document = document }

    /// Where it listens.
    var port: Int { listening.withLock { $0 } }

    /// A client that finds every host there, and believes its certificate.
    static func client(_ certificate: TestCertificate) throws -> OpenWebClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(certificate.chain))
        return OpenWebClient(lookUp: { _, _ in "127.0.0.1" }, isAllowed: { _ in true }, tls: tls)
    }

    /// Runs one while a test works.
    static func with<R: Sendable>(
        _ certificate: TestCertificate, document: String, _ body: (NamesServer) async throws -> R
    ) async throws -> R {
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(certificate.chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificate.key, format: .pem))))
        let server = NamesServer(document: document)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Answers(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listening.withLock { $0 = channel.localAddress?.port ?? 0 }
        let result: Result<R, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await channel.close()
        return try result.get()
    }

    private final class Answers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: NamesServer

        init(_ server: NamesServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            let path = "/.well-known/nostr.json?name="
            let name = head.uri.hasPrefix(path) ? String(head.uri.dropFirst(path.count)) : ""
            server.questions.withLock { $0.append(name) }
            switch name {
            case "": answer(context, .notFound, [], "")
            case "elsewhere": answer(context, .found, [("location", path + "bob")], "")
            case "missing": answer(context, .notFound, [], "nothing here")
            case "page": answer(context, .ok, [], "<html>welcome</html>")
            case "huge": pour(context)
            // Nothing is ever said.
            case "slow": break
            default: answer(context, .ok, [], server.document)
            }
        }

        private func answer(
            _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ headers: [(String, String)],
            _ text: String
        ) {
            var fields = HTTPHeaders(headers)
            fields.add(name: "content-length", value: "\(text.utf8.count)")
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        /// Two megabytes, and never an end.
        private func pour(_ context: ChannelHandlerContext) {
            let fields = HTTPHeaders([("transfer-encoding", "chunked")])
            context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: fields))), promise: nil)
            let part = ByteBuffer(repeating: UInt8(ascii: " "), count: 16_384)
            for _ in 0..<128 { context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil) }
            context.flush()
        }
    }
}
