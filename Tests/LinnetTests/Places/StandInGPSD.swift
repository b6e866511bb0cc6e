import NIOCore
import NIOPosix
import Testing

/// Something that answers as gpsd does, on the event loops: programs that a test waits for find it there.
enum StandInGPSD {
    /// Has it tell everybody who connects one position, while the body runs.
    static func run<R>(telling position: String, _ body: (Int) async throws -> R) async throws -> R {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.pipeline.addHandler(Conversation(position: position)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        do {
            let result = try await body(port)
            try await listener.close()
            return result
        } catch {
            try await listener.close()
            throw error
        }
    }

    private final class Conversation: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let position: String

        init(position: String) { self.position = position }

        func channelActive(context: ChannelHandlerContext) {
            send(#"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#, context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { send(position, context) }

        private func send(_ line: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: line + "\r\n")), promise: nil)
        }
    }
}
