import NIOCore
import NIOHTTP1
import NostrCore

/// Lets only well-formed requests in, and only a well-formed and welcome WebSocket request look like an upgrade.
///
/// NIO's upgrade handler drops the request whose upgrade is refused, and the peer would wait for an answer for ever;
/// without its `Upgrade` header the request is plain HTTP and gets one. What is no HTTP is answered and hung up on: NIO
/// answers it, but leaves the socket open.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let accepts: @Sendable (UpgradeRequest) -> Bool
    private let proxies: TrustedProxies
    private var isFirst = true
    private var isClosing = false
    /// How many requests wait for the end of their answers.
    private var owed = 0

    init(_ accepts: @escaping @Sendable (UpgradeRequest) -> Bool, proxies: TrustedProxies) {
        self.accepts = accepts
        self.proxies = proxies
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        guard case .head(var head) = Self.unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard Self.namesOneHost(head) else { return refuse(context) }
        owed += 1
        guard isFirst else { return context.fireChannelRead(data) }
        isFirst = false
        let isUpgrade =
            Self.asksForWebSocket(head) && accepts(UpgradeRequest(head, on: context.channel, behind: proxies))
        if !isUpgrade { head.headers.remove(name: "Upgrade") }
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
        if isUpgrade { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = Self.unwrapOutboundIn(data) { owed -= 1 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError {
            isClosing = true
            context.close(promise: nil)
        }
        context.fireErrorCaught(error)
    }

    /// No whole request came in time: says so and hangs up, whether or not the peer reads it.
    func endLate(_ channel: any Channel) {
        isClosing = true
        let words = ByteBuffer(string: "The request took too long to arrive.\n")
        let headers = HTTPHeaders([
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(words.readableBytes)"),
            ("Connection", "close"),
        ])
        let head = HTTPResponseHead(version: .http1_1, status: .requestTimeout, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(words)), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        channel.close(promise: nil)
    }

    /// Answers 400 and hangs up.
    ///
    /// Where an earlier answer is still being written there is no room for another.
    private func refuse(_ context: ChannelHandlerContext) {
        isClosing = true
        guard owed == 0 else { return context.close(promise: nil) }
        let headers = HTTPHeaders([("Content-Length", "0"), ("Connection", "close")])
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: written)
    }

    private static func asksForWebSocket(_ head: HTTPRequestHead) -> Bool {
        head.method == .GET && head.headers[canonicalForm: "upgrade"].map { $0.lowercased() } == ["websocket"]
            && head.headers["sec-websocket-key"].count == 1 && head.headers["sec-websocket-version"] == ["13"]
    }

    /// Two hosts would let a proxy and this program each believe another one.
    ///
    /// Source: RFC 9112 §3.2.
    private static func namesOneHost(_ head: HTTPRequestHead) -> Bool {
        let count = head.headers["host"].count
        return count == 1 || (count == 0 && head.version != .http1_1)
    }
}
