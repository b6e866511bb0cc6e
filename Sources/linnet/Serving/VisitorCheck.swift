import HTTPTypes
import NIOCore
import NIOHTTPTypes
import WebSocketNIO

/// Notes where browsers that are logged in come from, and turns others away where the last places are kept for them.
final class VisitorCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    private let isLoggedIn: @Sendable (HTTPRequest) -> Bool
    private var isKnown = false
    private var mustBeKnown: Bool
    private var isOver = false

    init(
        _ connections: OpenConnections, _ admission: ConnectionAdmission,
        isLoggedIn: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        self.connections = connections
        self.isLoggedIn = isLoggedIn
        mustBeKnown = admission == .ifLoggedIn
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        if case .head(let request) = Self.unwrapInboundIn(data), !isKnown, isLoggedIn(request) {
            isKnown = true
            connections.meet(context.channel)
        }
        guard isKnown || !mustBeKnown else { return refuse(context) }
        context.fireChannelRead(data)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        isOver = true
        context.writeAnswer(.serviceUnavailable, "Too many connections at the moment; try again soon.\n")
        context.close(promise: nil)
    }
}
