import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NostrTesting
import Synchronization

/// A web server of this machine over TLS whose paths say how it behaves.
final class DocumentServer: Sendable {
    static let document = #"{"names":{}}"#
    /// What lies where parts can be had.
    static let film = "0123456789"

    /// The requests that came: their paths, and whether anything told who asks.
    let requests = Mutex<[(path: String, tellsWho: Bool)]>([])
    /// The parts that were asked for, in order.
    let ranges = Mutex<[String]>([])
    /// Yields whenever somebody who was given a byte now and then has hung up.
    let leavers = AsyncStream.makeStream(of: Void.self)
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
            if let range = head.headers.first(name: "range") { server.ranges.withLock { $0.append(range) } }
            switch head.uri {
            case "/film": film(context, head.headers.first(name: "range"))
            case "/film-far": answer(context, .found, [("location", "/film")], "")
            case "/film-whole": answer(context, .ok, [], DocumentServer.film)
            case "/film-untold": answer(context, .partialContent, [], "012")
            case "/film-beyond": answer(context, .rangeNotSatisfiable, [("content-range", "bytes */10")], "")
            case "/film-cut": cut(context)
            case "/right": answer(context, .ok, [], DocumentServer.document)
            case "/elsewhere": answer(context, .found, [("location", "/right")], "")
            case "/missing": answer(context, .notFound, [], "nothing here")
            case "/endless": pour(context)
            case "/page": answer(context, .ok, Self.html, "<title>A page</title>")
            case "/far": answer(context, .found, [("location", "/near")], "")
            case "/near": answer(context, .movedPermanently, [("location", "page")], "")
            case "/circle": answer(context, .found, [("location", "/circle")], "")
            case "/inside": answer(context, .found, [("location", "https://inside.example/secret")], "")
            case "/plain": answer(context, .found, [("location", "http://names.example/page")], "")
            case "/nowhere": answer(context, .found, [], "")
            case "/packed": answer(context, .ok, Self.html + [("content-encoding", "gzip")], "\u{1F}\u{8B}")
            case "/pdf": answer(context, .ok, [("content-type", "application/pdf")], "%PDF")
            case "/untyped": answer(context, .ok, [], "<title>A page</title>")
            case "/endless-page": pour(context, Self.html)
            case "/cut": context.close(promise: nil)
            case "/drip": drip(context)
            // Nothing is ever said.
            default: break
            }
        }

        /// The part of the film that was asked for.
        private func film(_ context: ChannelHandlerContext, _ range: String?) {
            let ends = (range ?? "").dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = Int(ends[0]), first < DocumentServer.film.count else {
                return answer(context, .badRequest, [], "")
            }
            let count = DocumentServer.film.count
            let last = min(Int(ends[1]) ?? count - 1, count - 1)
            let text = DocumentServer.film.dropFirst(first).prefix(last - first + 1)
            answer(context, .partialContent, [("content-range", "bytes \(first)-\(last)/\(count)")], String(text))
        }

        /// Half of what is promised, and then nobody is there.
        private func cut(_ context: ChannelHandlerContext) {
            let fields = HTTPHeaders([("content-length", "10"), ("content-range", "bytes 0-9/10")])
            let head = HTTPResponseHead(version: .http1_1, status: .partialContent, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let here = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "01234"))))).whenComplete { _ in
                here.value.close(promise: nil)
            }
        }

        private static let html = [("content-type", "text/html; charset=utf-8")]

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

        /// A byte now and then, without an end.
        private func drip(_ context: ChannelHandlerContext) {
            let fields = HTTPHeaders([("transfer-encoding", "chunked")])
            context.writeAndFlush(
                wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: fields))), promise: nil)
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

        private func pour(_ context: ChannelHandlerContext, _ headers: [(String, String)] = []) {
            var fields = HTTPHeaders(headers)
            fields.add(name: "transfer-encoding", value: "chunked")
            context.write(
                wrapOutboundOut(
                    .head(.init(version: .http1_1, status: .ok, headers: fields))),
                promise: nil)
            let part = ByteBuffer(repeating: UInt8(ascii: " "), count: 16_384)
            for _ in 0..<64 { context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil) }
            context.flush()
        }
    }
}
