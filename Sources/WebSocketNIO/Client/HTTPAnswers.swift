import NIOCore
import NIOHTTP1
import NostrRelay

/// Sends one GET and gathers a body of bounded size.
final class DocumentHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let maxBytes: Int
    private let answer: EventLoopPromise<[UInt8]>
    private var body: [UInt8] = []

    init(head: HTTPRequestHead, maxBytes: Int, _ answer: EventLoopPromise<[UInt8]>) {
        self.head = head
        self.maxBytes = maxBytes
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            if head.status != .ok { end(context, .failure(.handshake(status: Int(head.status.code)))) }
        case .body(let part):
            if part.readableBytes > maxBytes - body.count {
                return end(context, .failure(.frameTooLong(limit: maxBytes)))
            }
            body.append(contentsOf: part.readableBytesView)
        case .end: end(context, .success(body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, .failure(TransportFailure(error)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(TransportFailure.closed(code: nil))
    }

    private func end(_ context: ChannelHandlerContext, _ result: Result<[UInt8], TransportFailure>) {
        answer.completeWith(result.mapError { $0 as any Error })
        context.close(promise: nil)
    }
}

/// Learns the status with which a server refused to become a WebSocket.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let refusal: EventLoopPromise<WebSocketConnection>

    init(_ refusal: EventLoopPromise<WebSocketConnection>) {
        self.refusal = refusal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = Self.unwrapInboundIn(data) {
            refusal.fail(TransportFailure.handshake(status: Int(head.status.code)))
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        refusal.fail(TransportFailure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        refusal.fail(TransportFailure.closed(code: nil))
    }
}
