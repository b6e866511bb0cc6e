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
    let idleTimeout: Duration
    let relay: @Sendable (WebSocketConnection) async -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let idleTimeout = idleTimeout
        return channel.eventLoop.makeCompletedFuture {
            let use = try upgrade.configure(channel) { channel -> Use in
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
                return .pages(
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                )
            } webSocket: { connection in
                .relay(connection)
            }
            return Value(channel: channel, use: use)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.use.get() {
            case .pages(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
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

extension HTTPServerBuilder {
    /// Serves WebSockets and pages on one port.
    ///
    /// - Parameters:
    ///   - upgrade: which requests become WebSockets, and their limits.
    ///   - idleTimeout: how long a page connection may rest between requests.
    ///   - relay: runs once per WebSocket; the socket is closed when it returns.
    static func onePort(
        _ upgrade: WebSocketUpgrade, idleTimeout: Duration = .seconds(60),
        relay: @escaping @Sendable (WebSocketConnection) async -> Void
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            OnePortChannel(responder: responder, upgrade: upgrade, idleTimeout: idleTimeout, relay: relay)
        }
    }
}
