import BlossomServer
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import WebSocketNIO

/// One port for everything: a WebSocket upgrade goes to the relay, any other request to the pages.
///
/// Use it as `Application(router:server: .onePort(upgrade) { connection in … })`.
struct OnePortChannel: ServerChildChannel, HTTPChannelHandler {
    /// What a socket turned out to be, once known.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let use: EventLoopFuture<Use>
    }

    fileprivate enum Use: Sendable {
        case pages(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case relay(WebSocketConnection)
    }

    let responder: HTTPChannelHandler.Responder
    let upgrade: WebSocketUpgrade
    let visitors: Visitors
    let idleTimeout: Duration
    let bodyTimeout: Duration
    let blobs: (@Sendable (String) -> Bool)?
    let answersOnEventLoops: Bool
    let relay: @Sendable (WebSocketConnection) async -> Void

    /// Few parts of a request wait to be taken: of a file that is brought, each may have a quarter of a megabyte.
    private static var reading: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>.Configuration {
        NIOAsyncChannel.Configuration(
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4), isOutboundHalfClosureEnabled: true)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let (idleTimeout, bodyTimeout, visitors, blobs) = (idleTimeout, bodyTimeout, visitors, blobs)
        let admission = visitors.connections.admit(channel)
        guard admission != .refused else {
            logger.debug("connection refused: too many", metadata: ["open": "\(visitors.connections.count)"])
            channel.close(promise: nil)
            let refused = channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported) as EventLoopFuture<Use>
            // Its failure must not be the listener's.
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, use: refused))
        }
        // The last places are for pages.
        let upgrade = admission == .welcome ? upgrade : upgrade.refusing
        return channel.eventLoop.makeCompletedFuture {
            let use = try upgrade.configure(channel) { channel -> Use in
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                try pipeline.addHandler(RequestDeadline(bodyTimeout) { blobs?($0) ?? false })
                if let blobs { try pipeline.addHandler(TransferPace(path: blobs)) }
                try pipeline.addHandler(
                    VisitorCheck(visitors.connections, admission, isLoggedIn: visitors.isLoggedIn))
                try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
                return .pages(
                    try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: Self.reading))
            } webSocket: { connection in
                .relay(connection)
            }
            return Value(channel: channel, use: use)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.use.get() {
            case .pages(let channel):
                let loop = answersOnEventLoops ? EventLoopTasks(value.channel.eventLoop) : nil
                await withTaskExecutorPreference(loop) { await handleHTTP(asyncChannel: channel, logger: logger) }
            case .relay(let connection):
                await relay(connection)
                await connection.close()
            }
        } catch {
            // The peer said nothing in time, or no HTTP; its socket is closed already.
            logger.trace("connection ended before a request")
        }
    }
}

/// How many sockets a port bears, and who is logged in among those who come.
struct Visitors: Sendable {
    var connections = OpenConnections()
    /// Whether a request comes from a browser that is logged in.
    var isLoggedIn: @Sendable (HTTPRequest) -> Bool = { _ in false }
}

extension HTTPServerBuilder {
    /// Serves WebSockets and pages on one port.
    ///
    /// - Parameters:
    ///   - upgrade: which requests become WebSockets, and their limits.
    ///   - visitors: how many sockets there may be, and whose.
    ///   - idleTimeout: how long a page connection may rest between requests.
    ///   - bodyTimeout: how long the body of a request may take in all.
    ///   - blobs: whether a path, with its query, is the media server's, whose bodies may take longer; `nil` without one.
    ///   - answersOnEventLoops: whether requests are answered on the connections' own threads, which saves passing them
    ///     to others: for a server whose answers never block and compute little.
    ///   - relay: runs once per WebSocket; the socket is closed when it returns.
    static func onePort(
        _ upgrade: WebSocketUpgrade, visitors: Visitors = Visitors(), idleTimeout: Duration = .seconds(60),
        bodyTimeout: Duration = .seconds(60), blobs: (@Sendable (String) -> Bool)? = nil,
        answersOnEventLoops: Bool = false, relay: @escaping @Sendable (WebSocketConnection) async -> Void
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            OnePortChannel(
                responder: responder, upgrade: upgrade, visitors: visitors, idleTimeout: idleTimeout,
                bodyTimeout: bodyTimeout, blobs: blobs, answersOnEventLoops: answersOnEventLoops, relay: relay)
        }
    }
}
