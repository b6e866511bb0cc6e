internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import NostrTesting
package import Synchronization

/// A web server of this machine over TLS; what it answers to each request is the test's to say.
package final class SecureWebServer: Sendable {
    /// A request as it came.
    package struct Request: Sendable {
        /// The path, with what follows its question mark.
        package let path: String
        private let fields: HTTPHeaders

        init(_ head: HTTPRequestHead) {
            path = head.uri
            fields = head.headers
        }

        /// The first value of a header.
        package func header(_ name: String) -> String? { fields.first(name: name) }
    }

    /// What is done about a request.
    package enum Answer: Sendable {
        /// A status, headers and a whole body.
        case whole(Int, headers: [(String, String)] = [], String = "")
        /// The same, of which the headers promise more than comes; then nobody is there.
        case cut(Int, headers: [(String, String)], String)
        /// So many bytes, and never an end.
        case endless(bytes: Int, headers: [(String, String)] = [])
        /// A byte now and then, without an end.
        case drip
        /// The connection is closed.
        case hangUp
        /// Nothing is ever said.
        case silence
    }

    /// The requests that came, in order.
    package let requests = Mutex<[Request]>([])
    /// Yields whenever somebody who was given a byte now and then has hung up.
    package let leavers = AsyncStream.makeStream(of: Void.self)
    private let answering: @Sendable (Request) -> Answer
    private let listening = Mutex(0)

    private init(_ answering: @escaping @Sendable (Request) -> Answer) { self.answering = answering }

    /// Where it listens.
    package var port: Int { listening.withLock { $0 } }

    /// Runs one while a test works.
    package static func with<R: Sendable>(
        _ certificate: TestCertificate, answering: @escaping @Sendable (Request) -> Answer,
        _ body: (SecureWebServer) async throws -> R
    ) async throws -> R {
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(certificate.chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificate.key, format: .pem))))
        let server = SecureWebServer(answering)
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

        private let server: SecureWebServer

        init(_ server: SecureWebServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            let request = Request(head)
            server.requests.withLock { $0.append(request) }
            switch server.answering(request) {
            case .whole(let status, let headers, let text): answer(context, status, headers, text)
            case .cut(let status, let headers, let text): cut(context, status, headers, text)
            case .endless(let bytes, let headers): pour(context, bytes, headers)
            case .drip: drip(context)
            case .hangUp: context.close(promise: nil)
            case .silence: break
            }
        }

        private func begin(_ context: ChannelHandlerContext, _ status: Int, _ fields: HTTPHeaders) {
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
        }

        private func answer(
            _ context: ChannelHandlerContext, _ status: Int, _ headers: [(String, String)], _ text: String
        ) {
            var fields = HTTPHeaders(headers)
            fields.add(name: "content-length", value: "\(text.utf8.count)")
            begin(context, status, fields)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func cut(
            _ context: ChannelHandlerContext, _ status: Int, _ headers: [(String, String)], _ text: String
        ) {
            begin(context, status, HTTPHeaders(headers))
            let here = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text))))).whenComplete { _ in
                here.value.close(promise: nil)
            }
        }

        private func pour(_ context: ChannelHandlerContext, _ bytes: Int, _ headers: [(String, String)]) {
            begin(context, 200, HTTPHeaders(headers + [("transfer-encoding", "chunked")]))
            let part = ByteBuffer(repeating: UInt8(ascii: " "), count: 16_384)
            for _ in 0..<(bytes / 16_384) {
                context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil)
            }
            context.flush()
        }

        private func drip(_ context: ChannelHandlerContext) {
            begin(context, 200, HTTPHeaders([("transfer-encoding", "chunked")]))
            context.flush()
            let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            let task = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { _ in
                let (handler, context) = here.value
                context.writeAndFlush(
                    handler.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: " ")))), promise: nil)
            }
            let server = server
            context.channel.closeFuture.whenComplete { _ in
                task.cancel()
                server.leavers.continuation.yield()
            }
        }
    }
}
