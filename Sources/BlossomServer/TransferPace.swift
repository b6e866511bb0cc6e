internal import HTTPTypes
internal import Hummingbird
public import NIOCore
public import NIOHTTPTypes

/// Ends transfers that stand still, in both directions, and uploads that are refused.
///
/// It stands right behind the HTTP codec. A blob may take as long as it needs, as long as some of it comes or goes: a whole
/// request's deadline would be too short for a film, and without one a client holds its place for ever.
public final class TransferPace: ChannelDuplexHandler, RemovableChannelHandler {
    /// What comes from the client.
    public typealias InboundIn = HTTPRequestPart
    /// The same, passed on.
    public typealias InboundOut = HTTPRequestPart
    /// What goes to the client.
    public typealias OutboundIn = HTTPResponsePart
    /// The same, passed on.
    public typealias OutboundOut = HTTPResponsePart

    /// How slow is too slow.
    public struct Limits: Hashable, Sendable {
        /// How long is looked at, each time.
        public var window: Duration = .seconds(30)
        /// The fewest bytes of a body that must come in that time, or of an answer that must go, unless it ends.
        public var bytes = 32 * 1024
        /// How long a client may go on sending what was refused already, so that it reads why.
        public var afterRefusal: Duration = .seconds(5)

        /// A kilobyte a second, seen over half a minute.
        public init() {}
    }

    private enum Answer { case none, begun, given }

    private let limits: Limits
    private let isForBlobs: (String) -> Bool
    private var isWatching = false
    private var isReceiving = false
    private var answer = Answer.none
    private var isOver = false
    /// Whether the head of a blob was written, and nothing of the blob itself.
    private var isHeadAlone = false
    private var received = 0
    private var arrival: Scheduled<Void>?
    private var departure: Scheduled<Void>?

    /// - Parameters:
    ///   - path: whether a path, with its query, is for blobs; requests for others are left alone.
    public init(limits: Limits = Limits(), path: @escaping (String) -> Bool = { _ in true }) {
        self.limits = limits
        isForBlobs = path
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch Self.unwrapInboundIn(data) {
        case .head(let request):
            isWatching = isForBlobs(request.path ?? "/")
            (isReceiving, received, answer) = (true, 0, .none)
            if isWatching { watchArrival(context) }
        case .body(let bytes): received += bytes.readableBytes
        case .end:
            isReceiving = false
            arrival?.cancel()
        }
        context.fireChannelRead(data)
    }

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        switch Self.unwrapOutboundIn(data) {
        case .head(let response):
            if response.status.kind != .informational { answer = .begun }
            isHeadAlone = isWatching && (response.status == .ok || response.status == .partialContent)
        case .body: isHeadAlone = false
        case .end:
            (answer, isHeadAlone) = (.given, false)
            // What still comes has been answered; the client may finish saying it, for a moment.
            if isWatching, isReceiving { endArrival(context, in: limits.afterRefusal) }
        }
        context.write(data, promise: promise)
    }

    /// Sends what was written; the head of a blob waits for what follows it at once.
    public func flush(context: ChannelHandlerContext) {
        if !isHeadAlone { context.flush() }
    }

    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        departure?.cancel()
        if isWatching, !context.channel.isWritable { watchDeparture(context, waiting: Self.waiting(context)) }
        context.fireChannelWritabilityChanged()
    }

    public func channelInactive(context: ChannelHandlerContext) {
        stopWatching()
        context.fireChannelInactive()
    }

    public func handlerRemoved(context: ChannelHandlerContext) {
        stopWatching()
    }

    private func stopWatching() {
        arrival?.cancel()
        departure?.cancel()
    }

    private func watchArrival(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        arrival = context.eventLoop.scheduleTask(in: TimeAmount(limits.window)) {
            let (handler, context) = bound.value
            guard handler.received >= handler.limits.bytes else { return handler.end(context) }
            handler.received = 0
            handler.watchArrival(context)
        }
    }

    /// Looks again after a while at a client that takes less than is there for it.
    ///
    /// - Parameter waiting: how many bytes are there for it now.
    private func watchDeparture(_ context: ChannelHandlerContext, waiting: Int) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        departure = context.eventLoop.scheduleTask(in: TimeAmount(limits.window)) {
            let (handler, context) = bound.value
            let left = Self.waiting(context)
            guard waiting - left < handler.limits.bytes else { return handler.watchDeparture(context, waiting: left) }
            handler.isOver = true
            context.close(promise: nil)
        }
    }

    /// How many bytes were written and have not gone; none where the connection does not say.
    private static func waiting(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func endArrival(_ context: ChannelHandlerContext, in span: Duration) {
        arrival?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        arrival = context.eventLoop.scheduleTask(in: TimeAmount(span)) {
            let (handler, context) = bound.value
            handler.end(context)
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        isOver = true
        if answer == .none { writeRefusal(context) }
        context.close(promise: nil)
    }

    private func writeRefusal(_ context: ChannelHandlerContext) {
        let refusal = BlossomRefusal(.requestTimeout, "The blob came too slowly.")
        let body = ByteBuffer(string: refusal.reason + "\n")
        var headers = BlossomAnswers.refusal(refusal, isHeadersOnly: true).headers
        headers[.contentLength] = String(body.readableBytes)
        headers[.connection] = "close"
        let head = HTTPResponse(status: refusal.status, headerFields: headers)
        context.write(NIOAny(HTTPResponsePart.head(head)), promise: nil)
        context.write(NIOAny(HTTPResponsePart.body(body)), promise: nil)
        context.writeAndFlush(NIOAny(HTTPResponsePart.end(nil)), promise: nil)
    }
}
