public import Logging
public import NIOCore
public import NIOPosix
import NIOSSL
import NostrRelay

/// Listens on one port: WebSocket upgrades become connections, other requests get small answers.
///
/// ``bind(_:limits:group:logger:accepts:respond:)`` opens the port, ``run(_:)`` serves until its task is cancelled
/// or ``beginShutdown()`` is called, then drains.
public final class WebSocketServer: Sendable {
    /// The port in use, also where 0 was asked.
    public let port: Int
    private let listener: any Channel
    private let accepted: AsyncStream<WebSocketConnection>
    private let arrivals: AsyncStream<WebSocketConnection>.Continuation
    private let channels: OpenChannels
    private let configuration: Configuration

    private init(
        listener: any Channel, channels: OpenChannels, configuration: Configuration,
        _ stream: (
            stream: AsyncStream<WebSocketConnection>, continuation: AsyncStream<WebSocketConnection>.Continuation
        )
    ) {
        self.listener = listener
        self.channels = channels
        self.configuration = configuration
        port = listener.localAddress?.port ?? 0
        accepted = stream.stream
        arrivals = stream.continuation
    }

    deinit {
        listener.close(promise: nil)
    }

    /// Opens the port.
    ///
    /// - Parameters:
    ///   - accepts: whether a request may become a WebSocket.
    ///   - respond: answers everything else; called on the event loop, so it must be quick and must not wait.
    /// - Throws: `IOError` with the system's number when the address cannot be had, `SocketAddressError` for a host that
    ///   has none; a TLS error for a bad certificate.
    public static func bind(
        _ configuration: Configuration = Configuration(), limits: WebSocketLimits = WebSocketLimits(idle: .seconds(60)),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger,
        accepts: @escaping @Sendable (UpgradeRequest) -> Bool = { _ in true },
        respond: @escaping @Sendable (PlainRequest) -> PlainResponse = { _ in PlainResponse(status: 404) }
    ) async throws -> WebSocketServer {
        let tls = try configuration.tls.map { try $0.context() }
        let upgrade = WebSocketUpgrade(
            limits: limits, headerTimeout: configuration.headerTimeout, proxies: configuration.proxies,
            accepts: accepts)
        let channels = OpenChannels(configuration.connections, proxies: configuration.proxies)
        let stream = AsyncStream.makeStream(
            of: WebSocketConnection.self, bufferingPolicy: .bufferingOldest(configuration.connections.all))
        let arrivals = stream.continuation
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard channels.admit(channel) else {
                        logger.debug("connection refused: too many", metadata: ["open": "\(channels.count)"])
                        throw ChannelError.operationUnsupported
                    }
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    _ = try upgrade.configure(channel) { channel in
                        try channel.pipeline.syncOperations.addHandler(
                            PlainHTTPHandler(respond, proxies: configuration.proxies))
                    } webSocket: { connection in
                        guard case .enqueued = arrivals.yield(connection) else {
                            throw ChannelError.operationUnsupported
                        }
                    }
                }
            }
        let listener = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
        try await AcceptPause.add(to: listener, logger: logger)
        return WebSocketServer(listener: listener, channels: channels, configuration: configuration, stream)
    }

    /// Serves until cancelled or told to shut down; returns when every connection has ended.
    ///
    /// - Parameter handle: runs once per connection, on its own task; the socket is closed when it returns.
    public func run(_ handle: @escaping @Sendable (WebSocketConnection) async -> Void) async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await connection in accepted {
                    group.addTask { [channels] in
                        await channels.counted {
                            await handle(connection)
                            await connection.close()
                        }
                    }
                }
                beginShutdown()
                await channels.drain(on: listener.eventLoop, deadline: configuration.drainDeadline)
                group.cancelAll()
            }
        } onCancel: {
            beginShutdown()
        }
    }

    /// Takes no more connections and lets ``run(_:)`` drain; returns at once.
    public func beginShutdown() {
        listener.close(promise: nil)
        arrivals.finish()
    }
}
