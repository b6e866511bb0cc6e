import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NostrTesting
import Synchronization

/// A web server of this machine over TLS whose paths say how it behaves.
final class DocumentServer: Sendable {
    static let document = #"{"names":{}}"#

    /// The requests that came: their paths, and whether anything told who asks.
    let requests = Mutex<[(path: String, tellsWho: Bool)]>([])
    private let listening = Mutex(0)

    /// Where it listens.
    var port: Int { listening.withLock { $0 } }

    /// Runs one while a test works.
    static func with<R: Sendable>(
        _ certificate: TestCertificate, _ body: (DocumentServer) async throws -> R
    ) async throws -> R {
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(certificate.chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificate.key, format: .pem))))
        let server = DocumentServer()
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

        private let server: DocumentServer

        init(_ server: DocumentServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            let tellsWho = ["cookie", "referer", "authorization", "from"].contains { head.headers.contains(name: $0) }
            server.requests.withLock { $0.append((head.uri, tellsWho)) }
            switch head.uri {
            case "/right": answer(context, .ok, [], DocumentServer.document)
            case "/elsewhere": answer(context, .found, [("location", "/right")], "")
            case "/missing": answer(context, .notFound, [], "nothing here")
            case "/endless": pour(context)
            case "/cut": context.close(promise: nil)
            // Nothing is ever said.
            default: break
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

        private func pour(_ context: ChannelHandlerContext) {
            context.write(
                wrapOutboundOut(
                    .head(.init(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"]))),
                promise: nil)
            let part = ByteBuffer(repeating: UInt8(ascii: " "), count: 16_384)
            for _ in 0..<64 { context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil) }
            context.flush()
        }
    }
}
