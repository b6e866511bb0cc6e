public import Logging
public import NIOCore

/// Stops listening for a moment where the system gives no socket for a connection that waits.
///
/// Such a connection stays in the system's queue, so that the listener is ready to be read at once again: without a pause
/// one processor does nothing but fail. NIO's own `AcceptBackoffHandler` puts off the next wish to read, but the one that
/// failed is still in force and brings the listener back by itself; only to take that one back helps.
/// Source: accept(2): EMFILE, ENFILE, ENOBUFS, ENOMEM.
public final class AcceptPause: ChannelInboundHandler, Sendable {
    public typealias InboundIn = any Channel

    private let pause: TimeAmount
    private let logger: Logger

    init(_ pause: TimeAmount = .seconds(1), logger: Logger) {
        (self.pause, self.logger) = (pause, logger)
    }

    /// Puts one before everything else that a listener does.
    ///
    /// - Throws: what NIO does, when the listener is closed.
    public static func add(to listener: any Channel, logger: Logger) async throws {
        try await listener.pipeline.addHandler(AcceptPause(logger: logger), position: .first).get()
    }

    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let channel = context.channel
        // One that comes while it pauses was under way already.
        channel.setOption(.autoRead, value: false).whenSuccess { [pause, logger] in
            logger.warning("no connection can be taken for a moment", metadata: ["error": "\(error)"])
            channel.eventLoop.scheduleTask(in: pause) {
                // A listener that was closed meanwhile reads nothing more.
                channel.setOption(.autoRead, value: true).whenFailure { _ in }
            }
        }
    }
}
