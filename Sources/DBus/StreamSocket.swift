internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Why a socket is of no use.
package enum SocketProblem: Error, Hashable, Sendable {
    /// Nobody listens there, or the name is not known.
    case noAnswer
    /// Connecting or sending took too long.
    case tooSlow
    /// It was closed here, or broke.
    case closed
}

/// An open connection that is read by hand: nothing is taken from the system before somebody asks for it.
///
/// So a sender who floods fills their own buffers and not this program's memory. Releasing it closes it too.
package final class StreamSocket: Sendable {
    /// Where to connect to.
    package enum Address: Hashable, Sendable {
        /// A host by name or number, and its port.
        case tcp(host: String, port: Int)
        /// A socket in the file system.
        case unix(path: String)
    }

    /// The most bytes that one ``receive()`` gives.
    package static let mostAtOnce = 16 << 10

    private let channel: any Channel
    private let inbox: SocketInbox
    private let deadline: Duration

    /// Connects.
    ///
    /// - Parameter deadline: for connecting, and for each piece that is sent.
    /// - Throws: ``SocketProblem/noAnswer`` and ``SocketProblem/tooSlow``; `CancellationError` at once when cancelled.
    package init(to address: Address, within deadline: Duration) async throws {
        let inbox = SocketInbox()
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(deadline))
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.mostAtOnce))
            .channelInitializer { channel in channel.pipeline.addHandler(inbox) }
        let opening =
            switch address {
            case .tcp(let host, let port): bootstrap.connect(host: host, port: port)
            case .unix(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        do {
            channel = try await Self.opened(opening)
        } catch is CancellationError {
            throw CancellationError()
        } catch ChannelError.connectTimeout {
            throw SocketProblem.tooSlow
        } catch let error as NIOConnectionError where error.isLate {
            throw SocketProblem.tooSlow
        } catch {
            throw SocketProblem.noAnswer
        }
        self.inbox = inbox
        self.deadline = deadline
    }

    deinit { channel.close(promise: nil) }

    /// Waits for a connection, and no longer than somebody wants it.
    private static func opened(_ opening: EventLoopFuture<any Channel>) async throws -> any Channel {
        let answer = opening.eventLoop.makePromise(of: (any Channel).self)
        opening.cascade(to: answer)
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
            opening.whenSuccess { $0.close(promise: nil) }
        }
    }

    /// The next bytes, at most ``mostAtOnce``; `nil` when the other side has closed.
    ///
    /// One reader at a time; a second one sends the first away. Being cancelled closes the connection.
    ///
    /// - Throws: `CancellationError`, and ``SocketProblem/closed`` when it broke.
    package func receive() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if inbox.wait(continuation) { channel.read() }
            }
        } onCancel: {
            inbox.end(.failure(CancellationError()))
            channel.close(promise: nil)
        }
    }

    /// Sends bytes; they are with the system when this returns.
    ///
    /// - Throws: ``SocketProblem/tooSlow`` when the other side does not take them, and ``SocketProblem/closed``.
    package func send(_ bytes: [UInt8]) async throws {
        let sending = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: sending)
        let late = channel.eventLoop.scheduleTask(in: TimeAmount(deadline)) { [inbox, channel] in
            inbox.end(.failure(SocketProblem.tooSlow))
            channel.close(promise: nil)
        }
        defer { late.cancel() }
        try await withTaskCancellationHandler {
            do { try await sending.futureResult.get() } catch { throw inbox.problem ?? SocketProblem.closed }
        } onCancel: {
            inbox.end(.failure(CancellationError()))
            channel.close(promise: nil)
        }
    }

    /// Closes it; who still waits for bytes is told that there are none.
    package func close() async {
        // One that is closed already needs no closing.
        try? await channel.close().get()
    }
}

extension NIOConnectionError {
    /// Whether the time was over before any of the addresses had answered.
    fileprivate var isLate: Bool {
        connectionErrors.contains {
            if case ChannelError.connectTimeout? = $0.error as? ChannelError { true } else { false }
        }
    }
}

/// What came of a connection and was not asked for yet: no more than one reading of the system's buffer.
private final class SocketInbox: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias Reader = CheckedContinuation<[UInt8]?, any Error>

    private struct State {
        var ready: [[UInt8]] = []
        var reader: Reader?
        /// How it ended: with the other side's end, or by a failure.
        var end: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    /// Why it ended, unless the other side closed.
    var problem: (any Error)? {
        state.withLock { state in
            if case .failure(let error)? = state.end { error } else { nil }
        }
    }

    /// Takes who waits; whether more has to be read for them.
    func wait(_ reader: Reader) -> Bool {
        let (former, answer): (Reader?, Result<[UInt8]?, any Error>?) = state.withLock { state in
            let former = state.reader
            state.reader = nil
            if !state.ready.isEmpty { return (former, .success(state.ready.removeFirst())) }
            switch state.end {
            case .success?: return (former, .success(nil))
            case .failure(let error)?: return (former, .failure(error))
            case nil:
                state.reader = reader
                return (former, nil)
            }
        }
        former?.resume(throwing: CancellationError())
        if let answer { reader.resume(with: answer) }
        return answer == nil
    }

    /// Nothing comes any more; the first reason counts.
    func end(_ end: Result<Void, any Error>) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.reader = nil }
            return state.reader
        }
        switch end {
        case .success: reader?.resume(returning: nil)
        case .failure(let error): reader?.resume(throwing: error)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(buffer: unwrapInboundIn(data))
        let reader = state.withLock { state in
            if state.reader == nil { state.ready.append(bytes) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: bytes)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.success(()))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(SocketProblem.closed))
        context.close(promise: nil)
    }
}
