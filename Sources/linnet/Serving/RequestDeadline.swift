import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a request whose body takes longer than it may in all, however steadily a little of it comes.
///
/// The head of the first request has a deadline in `WebSocketUpgrade`; a later one's ends with the rest between requests.
final class RequestDeadline: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let most: TimeAmount
    private let spares: @Sendable (String) -> Bool
    private var timer: Scheduled<Void>?
    /// Whether an answer has begun, so that there is no room for another.
    private var isAnswering = false
    private var isOver = false

    /// - Parameters:
    ///   - most: from the end of the head to the end of the body.
    ///   - spares: whether a path, with its query, has no such deadline, because something else watches over it.
    init(_ most: Duration, sparing spares: @escaping @Sendable (String) -> Bool = { _ in false }) {
        self.most = TimeAmount(most)
        self.spares = spares
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch Self.unwrapInboundIn(data) {
        case .head(let request):
            guard !spares(request.path ?? "/") else { break }
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleTask(in: most) {
                let (handler, context) = bound.value
                handler.end(context)
            }
        case .body: break
        case .end: timer?.cancel()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        switch Self.unwrapOutboundIn(data) {
        case .head: isAnswering = true
        case .body: break
        case .end: isAnswering = false
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    private func end(_ context: ChannelHandlerContext) {
        isOver = true
        if !isAnswering { context.writeAnswer(.requestTimeout, "The request took too long to arrive.\n") }
        context.close(promise: nil)
    }
}

extension ChannelHandlerContext {
    /// Writes a whole answer in plain words, after which the connection ends.
    func writeAnswer(_ status: HTTPResponse.Status, _ words: String) {
        let body = ByteBuffer(string: words)
        let headers: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .contentLength: String(body.readableBytes), .connection: "close",
        ]
        write(NIOAny(HTTPResponsePart.head(HTTPResponse(status: status, headerFields: headers))), promise: nil)
        write(NIOAny(HTTPResponsePart.body(body)), promise: nil)
        writeAndFlush(NIOAny(HTTPResponsePart.end(nil)), promise: nil)
    }
}
