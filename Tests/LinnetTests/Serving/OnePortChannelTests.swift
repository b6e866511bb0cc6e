import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import ServiceLifecycle
import Synchronization
import Testing
import WebSocketNIO

@testable import linnet

@Suite("One port", .timeLimit(.minutes(10)))
struct OnePortChannelTests {
    @Test("WebSockets, pages, refused upgrades and streamed answers share a port")
    func shares() async throws {
        let (ticks, tick) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.get("/") { request, _ in request.headers[.accept] == "application/nostr+json" ? "document" : "page" }
        router.get("/stream") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    for await number in ticks { try await writer.write(ByteBuffer(string: "data: \(number)\n\n")) }
                    try await writer.finish(nil)
                })
        }
        try await serving(router) { port in
            let transport = try WebSocketTransport()
            let relay = try RelayURL("ws://127.0.0.1:\(port)")
            let socket = try await transport.connect(to: relay, deadline: .seconds(5))
            var messages = socket.incoming.makeAsyncIterator()
            try await socket.send(Array("hello".utf8))
            #expect(try await messages.next() == Array("hello".utf8))

            let document = try await transport.information(of: relay, deadline: .seconds(5), maxBytes: 100)
            #expect(document == Array("document".utf8))

            await #expect(throws: TransportFailure.handshake(status: 404)) {
                _ = try await transport.connect(
                    to: RelayURL("ws://127.0.0.1:\(port)/refused"), deadline: .seconds(5))
            }

            // The first part of a stream arrives while the stream is still open.
            let reader = try await TextReader.get("/stream", port: port)
            tick.yield(1)
            try await reader.wait(for: "data: 1")
            tick.yield(2)
            try await reader.wait(for: "data: 2")
            tick.finish()
        }
    }

    @Test("when the port is full a browser that is logged in comes in, others are told, and then nobody is heard")
    func fullPort() async throws {
        let router = Router()
        router.get("/") { _, _ in "page" }
        let visitors = Visitors(
            connections: OpenConnections(ConnectionLimits(all: 1, perAddress: 1, kept: 0, loggedIn: 1)),
            isLoggedIn: { $0.path == "/?good" })
        try await serving(router, visitors: visitors) { port in
            let relay = try RelayURL("ws://127.0.0.1:\(port)")
            let transport = try WebSocketTransport()
            let socket = try await transport.connect(to: relay, deadline: .seconds(60))
            #expect(visitors.connections.count == 1)
            let stranger = try await TextReader.get("/", port: port).whole()
            #expect(stranger.hasPrefix("HTTP/1.1 503") && stranger.contains("Too many connections"))
            try await settled(visitors, at: 1)
            await #expect(throws: TransportFailure.self) {
                _ = try await transport.connect(to: relay, deadline: .seconds(60))
            }
            try await settled(visitors, at: 1)
            let person = try await TextReader.get("/?good", port: port).whole()
            #expect(person.hasPrefix("HTTP/1.1 200") && person.hasSuffix("page"))
            await socket.close()
        }
    }

    /// Waits until so many sockets are open: the port notices that one has closed a moment after its peer does.
    private func settled(_ visitors: Visitors, at count: Int) async throws {
        while visitors.connections.count != count {
            for await _ in visitors.connections.changes { break }
        }
    }

    @Test("shutting down ends open WebSockets")
    func shutdown() async throws {
        let transport = try WebSocketTransport()
        let sockets = Mutex<[any RelayConnection]>([])
        try await serving(Router()) { port in
            let relay = try RelayURL("ws://127.0.0.1:\(port)")
            let socket = try await transport.connect(to: relay, deadline: .seconds(5))
            sockets.withLock { $0.append(socket) }
        }
        for socket in sockets.withLock({ $0 }) {
            for try await _ in socket.incoming {}
        }
    }

    private func serving(
        _ router: Router<BasicRequestContext>, visitors: Visitors = Visitors(), _ body: (Int) async throws -> Void
    ) async throws {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let upgrade = WebSocketUpgrade { $0.target != "/refused" }
        let application = Application(
            router: router,
            server: .onePort(upgrade, visitors: visitors) { connection in
                do {
                    for try await text in connection.incoming { try await connection.send(text) }
                } catch {
                    // The test's own side sees why.
                }
            },
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "test"))
        let group = ServiceGroup(services: [application], logger: Logger(label: "test"))
        async let running: Void = group.run()
        var iterator = ports.makeAsyncIterator()
        try await body(try #require(await iterator.next()))
        await group.triggerGracefulShutdown()
        try await running
    }
}

/// Reads an HTTP answer as it comes.
final class TextReader: Sendable {
    private let channel: any Channel
    private let parts: AsyncStream<String>

    private init(channel: any Channel, parts: AsyncStream<String>) {
        self.channel = channel
        self.parts = parts
    }

    static func get(_ path: String, port: Int, host: String = "x") async throws -> TextReader {
        try await send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", port: port)
    }

    /// Sends a request as it stands.
    static func send(_ request: String, port: Int) async throws -> TextReader {
        let (parts, heard) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        // Who is refused may be hung up on before all is written; the answer says why.
        try? await channel.writeAndFlush(ByteBuffer(string: request)).get()
        return TextReader(channel: channel, parts: parts)
    }

    func wait(for text: String) async throws {
        for await part in parts where part.contains(text) { return }
        Issue.record("the stream ended before \(text)")
    }

    /// Hangs up.
    func leave() async {
        // The other side may have done so first.
        try? await channel.close()
    }

    /// All of the answer, once its end has come.
    func whole() async -> String { await parts.reduce("", +) }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: AsyncStream<String>.Continuation

        init(_ heard: AsyncStream<String>.Continuation) {
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard.yield(String(buffer: Self.unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            heard.finish()
        }
    }
}
