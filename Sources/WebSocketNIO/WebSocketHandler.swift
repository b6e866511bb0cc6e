import NIOCore
import NIOWebSocket
import NostrRelay

/// What a connection asks of its handler besides sending.
enum WebSocketCommand: Sendable {
    /// Sends a ping; the promise is kept by its pong or broken at the deadline.
    case ping(EventLoopPromise<Void>, deadline: TimeAmount)
    /// Says goodbye and closes.
    case close
    /// The reader caught up: read the socket again.
    case resumeReading
}

/// Turns frames into whole text messages and back, answers pings, keeps the limits; one per channel.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    private let queue: MessageQueue
    private let limits: WebSocketLimits
    private let masks: Bool
    private var paused = false
    private var readHeld = false
    private var pingsReceived = PingAllowance()
    /// Whether the socket is left unread because of pings.
    private var leavesUnread = false
    private var closing = false
    private var unsent = 0
    private var lastProgress = NIODeadline.now()
    private var lastHeard = NIODeadline.now()
    private var pings: [UInt64: EventLoopPromise<Void>] = [:]
    private var pingCount: UInt64 = 0
    private var ticking: RepeatedTask?
    private var willFlush = false

    /// - Parameter masks: `true` on the client's side. Source: RFC 6455 §5.1.
    init(queue: MessageQueue, limits: WebSocketLimits, masks: Bool) {
        self.queue = queue
        self.limits = limits
        self.masks = masks
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let period = TimeAmount(min(limits.sendTimeout, limits.idle ?? limits.sendTimeout) / 2)
        ticking = context.eventLoop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in
            let (handler, context) = bound.value
            handler.tick(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        over(.failure(.closed(code: nil)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        over(.failure(.closed(code: nil)))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let failure = TransportFailure(error, frameLimit: limits.messageBytes)
        let code: WebSocketErrorCode =
            if case .frameTooLong = failure { .messageTooLarge } else { (error as? FrameError)?.code ?? .protocolError }
        goodbye(context, code: code, ending: .failure(failure))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: goodbye(context, code: .goingAway, ending: .success(()))
        case let event as ChannelEvent where event == .inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func over(_ ending: Result<Void, TransportFailure>) {
        ticking?.cancel()
        ticking = nil
        queue.finish(ending)
        for promise in pings.values { promise.fail(TransportFailure.closed(code: nil)) }
        pings = [:]
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if paused || leavesUnread { readHeld = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastHeard = .now()
        let frame = Self.unwrapInboundIn(data)
        switch frame.opcode {
        case .text where !closing: heard(Array(frame.unmaskedData.readableBytesView), context)
        case .binary where !closing:
            let failure = TransportFailure.io("binary message")
            goodbye(context, code: .unacceptableData, ending: .failure(failure))
        case .ping:
            // A peer that does not read gets no pongs, so that pings cannot fill our memory.
            guard isBorne(context), !closing, context.channel.isWritable else { return }
            send(context, .pong, frame.unmaskedData, promise: nil)
        case .pong:
            var payload = frame.unmaskedData
            if let promise = payload.readInteger(as: UInt64.self).flatMap({ pings.removeValue(forKey: $0) }) {
                promise.succeed()
            } else {
                // What nobody asked for costs as much as a ping.
                _ = isBorne(context)
            }
        case .connectionClose: closed(context, frame)
        default: break
        }
    }

    private func heard(_ text: [UInt8], _ context: ChannelHandlerContext) {
        // RFC 6455 §8.1. A relay is read on: a single broken event it holds would else keep all others from being read,
        // each time they are asked for; its broken messages are counted where they are decoded.
        guard masks || isUTF8(text) else { return errorCaught(context: context, error: FrameError.notUTF8) }
        if !queue.append(text) { paused = true }
    }

    private func closed(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        var payload = frame.unmaskedData
        let code = payload.readInteger(as: UInt16.self).map(Int.init)
        // 1000 normal, 1001 going away, none given: a clean end. Source: RFC 6455 §7.4.1.
        let clean = code == nil || code == 1000 || code == 1001
        queue.finish(clean ? .success(()) : .failure(.closed(code: code)))
        guard !closing else { return context.close(promise: nil) }
        closing = true
        let echo = frame.unmaskedData.getSlice(at: frame.unmaskedData.readerIndex, length: code == nil ? 0 : 2)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        send(context, .connectionClose, echo ?? ByteBuffer(), promise: written)
        closeSoon(context)
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !closing else { return promise?.fail(TransportFailure.closed(code: nil)) ?? () }
        if unsent == 0 { lastProgress = .now() }
        unsent += 1
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in
            bound.value.unsent -= 1
            bound.value.lastProgress = .now()
        }
        let frame = WebSocketFrame(
            fin: true, opcode: .text, maskKey: masks ? .random() : nil, data: Self.unwrapOutboundIn(data))
        context.write(Self.wrapOutboundOut(frame), promise: promise)
    }

    /// Messages that many tasks send at the same time go out together: one system call for all that the loop has at hand.
    func flush(context: ChannelHandlerContext) {
        guard !willFlush else { return }
        willFlush = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = bound.value
            handler.willFlush = false
            context.flush()
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let command = event as? WebSocketCommand else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        switch command {
        case .ping(let pong, let deadline): ping(context, pong, deadline)
        case .close: goodbye(context, code: .normalClosure, ending: .success(()))
        case .resumeReading:
            paused = false
            readOn(context)
        }
        promise?.succeed()
    }

    /// Reads the socket again, if somebody wanted to and nothing holds it back any more.
    private func readOn(_ context: ChannelHandlerContext) {
        guard readHeld, !paused, !leavesUnread else { return }
        readHeld = false
        context.read()
    }

    /// Counts a ping: whether the peer may send it.
    ///
    /// Who may not is left unread, or hung up on.
    private func isBorne(_ context: ChannelHandlerContext) -> Bool {
        guard !closing else { return false }
        let now = context.eventLoop.now
        if pingsReceived.receive(at: now) { return true }
        if pingsReceived.isUsedUp(at: now) {
            goodbye(context, code: .policyViolation, ending: .failure(.closed(code: 1008)))
            // Not read any further, not for a goodbye either.
            context.close(promise: nil)
        } else {
            leaveUnread(context)
        }
        return false
    }

    /// Leaves the socket unread until the peer has pings left.
    private func leaveUnread(_ context: ChannelHandlerContext) {
        guard !leavesUnread, let pause = pingsReceived.pause(at: context.eventLoop.now) else { return }
        leavesUnread = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: pause) {
            let (handler, context) = bound.value
            handler.leavesUnread = false
            handler.leaveUnread(context)
            handler.readOn(context)
        }
    }

    private func send(
        _ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ data: ByteBuffer,
        promise: EventLoopPromise<Void>?
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: masks ? .random() : nil, data: data)
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: promise)
    }

    private func ping(_ context: ChannelHandlerContext, _ pong: EventLoopPromise<Void>, _ deadline: TimeAmount) {
        guard !closing, context.channel.isActive else { return pong.fail(TransportFailure.closed(code: nil)) }
        pingCount &+= 1
        let number = pingCount
        pings[number] = pong
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let timer = context.eventLoop.scheduleTask(in: deadline) {
            bound.value.pings.removeValue(forKey: number)?.fail(TransportFailure.timedOut)
        }
        pong.futureResult.whenComplete { _ in timer.cancel() }
        send(context, .ping, ByteBuffer(integer: number), promise: nil)
    }

    /// Sends a close frame once and closes the socket soon.
    private func goodbye(
        _ context: ChannelHandlerContext, code: WebSocketErrorCode, ending: Result<Void, TransportFailure>
    ) {
        queue.finish(ending)
        guard !closing else { return }
        closing = true
        // A reader that stopped must not keep the peer's close frame from being read.
        paused = false
        leavesUnread = false
        readOn(context)
        var payload = ByteBuffer()
        payload.write(webSocketErrorCode: code)
        send(context, .connectionClose, payload, promise: nil)
        closeSoon(context)
    }

    /// Closes the socket after half a second: a peer that reads no more takes neither goodbye nor what was sent before it.
    private func closeSoon(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(500)) { bound.value.close(mode: .all, promise: nil) }
    }

    // MARK: Time

    private func tick(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if unsent > 0, now - lastProgress > TimeAmount(limits.sendTimeout) {
            queue.finish(.failure(.timedOut))
            return context.close(promise: nil)
        }
        guard let idle = limits.idle.map({ TimeAmount($0) }), !paused, !leavesUnread, !closing else { return }
        if now - lastHeard > idle + idle {
            queue.finish(.failure(.timedOut))
            context.close(promise: nil)
        } else if now - lastHeard > idle {
            send(context, .ping, ByteBuffer(), promise: nil)
        }
    }
}
