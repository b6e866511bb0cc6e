import NIOCore
import NIOPosix
import Testing

/// A listener on loopback whose connections a test serves as it likes.
enum LoopbackListener {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    typealias Incoming = NIOAsyncChannelInboundStream<ByteBuffer>
    typealias Outgoing = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Serves every connection while the body runs; its port goes to the body.
    static func run<R: Sendable>(
        _ serve: @escaping @Sendable (Incoming, Outgoing) async throws -> Void,
        _ body: (Int) async throws -> R
    ) async throws -> R {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        let port = try #require(listener.channel.localAddress?.port)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withThrowingDiscardingTaskGroup { connections in
                    try await listener.executeThenClose { incoming in
                        for try await connection in incoming {
                            connections.addTask {
                                // A client who leaves in the middle is what some tests are about.
                                try? await connection.executeThenClose { try await serve($0, $1) }
                            }
                        }
                    }
                }
            }
            let result = try await body(port)
            group.cancelAll()
            // Being cancelled is how it ends.
            try? await group.waitForAll()
            return result
        }
    }

    /// A port where nobody listens: the first of all, which only the system could take.
    static let deadPort = 1

    /// A port that was free a moment ago, for a program that cannot find one itself.
    static func freePort() async throws -> Int {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        try await listener.close()
        return port
    }
}

/// A line of what a client says, cut at line feeds.
struct LineInput {
    private var bytes: LoopbackListener.Incoming.AsyncIterator
    private var unread: [UInt8] = []

    init(_ incoming: LoopbackListener.Incoming) { bytes = incoming.makeAsyncIterator() }

    /// The next line; `nil` when the client has closed.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> String? {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            guard let buffer = try await bytes.next(isolation: actor) else { return nil }
            unread += Array(buffer: buffer)
        }
    }
}
