import NIOCore
import NIOHTTP1
import NostrCore

/// An HTTP request that is no WebSocket, without its body.
public struct PlainRequest: Sendable {
    /// The HTTP method, uppercase.
    public let method: String
    /// The request that came.
    public let request: UpgradeRequest
}

/// A small whole answer.
public struct PlainResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header lines; length and connection are added.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]

    /// An answer, empty unless it is given a body.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Answers one plain request and closes.
final class PlainHTTPHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let respond: @Sendable (PlainRequest) -> PlainResponse
    private let proxies: TrustedProxies
    private var answered = false

    init(_ respond: @escaping @Sendable (PlainRequest) -> PlainResponse, proxies: TrustedProxies) {
        self.respond = respond
        self.proxies = proxies
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data), !answered else { return }
        answered = true
        let request = UpgradeRequest(head, on: context.channel, behind: proxies)
        let response = respond(PlainRequest(method: head.method.rawValue, request: request))
        var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.count)")
        headers.replaceOrAdd(name: "Connection", value: "close")
        let answer = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
        if head.method != .HEAD {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !answered { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
