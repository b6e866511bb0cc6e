import Logging
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import Synchronization
import Testing
import WebSocketNIO

@Suite("WebSocket server", .timeLimit(.minutes(10)))
struct WebSocketServerTests {
    let transport: WebSocketTransport

    init() throws {
        transport = try WebSocketTransport()
    }

    @Test("a slow reader holds the writer back, and gets everything when it reads on")
    func backPressure() async throws {
        let sent = Mutex(0)
        let limits = WebSocketLimits(waitingBytes: 64 << 10, waitingMessages: 64)
        let slow = try WebSocketTransport(limits: limits)
        let flood: @Sendable (WebSocketConnection) async -> Void = { connection in
            do {
                for number in 0..<4000 {
                    var text = [UInt8](repeating: 97, count: 10_000)
                    text[0] = UInt8(number % 251)
                    try await connection.send(text)
                    sent.withLock { $0 += 1 }
                }
                for try await _ in connection.incoming {}
            } catch {
                // Counted by the reader.
            }
        }
        try await withServer(handle: flood) { server in
            let connection = try await slow.connect(to: url(server), deadline: .seconds(60))
            var messages = connection.incoming.makeAsyncIterator()
            for number in 0..<4000 {
                let text = try await messages.next()
                #expect(text?.first == UInt8(number % 251))
                // 40 MB cannot all lie in the buffers between the two.
                if number == 0 { #expect(sent.withLock { $0 } < 3000) }
            }
            await connection.close()
        }
    }

    @Test("a peer that never reads is given up after the send time-out")
    func stalledPeer() async throws {
        let why = try await ending(withDeafPeer: WebSocketLimits(sendTimeout: .milliseconds(200))) { connection in
            await failure { while true { try await connection.send([UInt8](repeating: 97, count: 100_000)) } }
        }
        #expect(why == .closed(code: nil))
    }

    @Test("what waits to be sent to a peer that never reads fails once its socket is closed")
    func closedOnStalledPeer() async throws {
        // Longer than a test may take: what ends the sending is no time-out.
        let why = try await ending(withDeafPeer: WebSocketLimits(sendTimeout: .seconds(3600))) { connection in
            async let why = failure {
                while true { try await connection.send([UInt8](repeating: 97, count: 1 << 20)) }
            }
            connection.beginClosing()
            return await why
        }
        #expect(why == .closed(code: nil))
    }

    /// How a server's handler ends towards a peer that reads one message at most.
    private func ending(
        withDeafPeer limits: WebSocketLimits,
        _ handle: @escaping @Sendable (WebSocketConnection) async -> TransportFailure?
    ) async throws -> TransportFailure? {
        let outcome = Mutex<TransportFailure?>(nil)
        let server = try await WebSocketServer.bind(limits: limits, logger: Logger(label: "test"))
        async let serving: Void = server.run { connection in
            let why = await handle(connection)
            outcome.withLock { $0 = why }
            server.beginShutdown()
        }
        let deaf = try WebSocketTransport(limits: WebSocketLimits(waitingMessages: 1))
        let connection = try await deaf.connect(to: url(server), deadline: .seconds(60))
        await serving
        await connection.close()
        return outcome.withLock { $0 }
    }

    @Test("more connections than allowed are turned away, and room is made again")
    func connectionLimit() async throws {
        try await withServer(.init(connections: ConnectionLimits(all: 1)), handle: echo) { server in
            let first = try await transport.connect(to: url(server), deadline: .seconds(60))
            let refused = await failure { _ = try await transport.connect(to: url(server), deadline: .seconds(60)) }
            // How a hang-up looks depends on what was under way.
            #expect(refused != nil)
            await first.close()
            var second: (any RelayConnection)?
            while second == nil, !Task.isCancelled {
                // The server notices the close a moment after the client does.
                second = try? await transport.connect(to: url(server), deadline: .seconds(60))
            }
            await second?.close()
        }
    }

    @Test("a peer that does not say what it wants is cut off")
    func headerTimeout() async throws {
        try await withServer(.init(headerTimeout: .milliseconds(100)), handle: echo) { server in
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port).get()
            // On a busy machine the server may hang up before this is written; that it does is what counts.
            try? await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\n")).get()
            try await channel.closeFuture.get()
        }
    }

    @Test("a peer whose head does not come in time is told so, and hung up on")
    func lateHead() async throws {
        try await withServer(.init(headerTimeout: .milliseconds(100)), handle: echo) { server in
            let answer = String(decoding: try await RawPeer(port: server.port).whole(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 408") && answer.hasSuffix("The request took too long to arrive.\n"))
        }
    }

    @Test("a silent peer is pinged, a dead one is closed")
    func idle() async throws {
        let ended = Mutex<TransportFailure?>(nil)
        let limits = WebSocketLimits(idle: .milliseconds(100))
        let server = try await WebSocketServer.bind(limits: limits, logger: Logger(label: "test"))
        async let serving: Void = server.run { connection in
            let why = await failure { for try await _ in connection.incoming {} }
            ended.withLock { $0 = why }
            server.beginShutdown()
        }
        // Upgrades by hand and never answers a ping.
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: server.port).get()
        let request = """
            GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        try await channel.writeAndFlush(ByteBuffer(string: request)).get()
        await serving
        #expect(ended.withLock { $0 } == .timedOut)
        try await channel.closeFuture.get()
    }

    @Test("shutting down says goodbye to every connection and waits for its handler")
    func shutdown() async throws {
        let finished = Mutex(0)
        let server = try await WebSocketServer.bind(logger: Logger(label: "test"))
        async let serving: Void = server.run { connection in
            await echo(connection)
            finished.withLock { $0 += 1 }
        }
        var connections: [any RelayConnection] = []
        for _ in 0..<20 {
            let connection = try await transport.connect(to: url(server), deadline: .seconds(60))
            try await connection.send([97])
            connections.append(connection)
            var answers = connection.incoming.makeAsyncIterator()
            #expect(try await answers.next() == [97])
        }
        server.beginShutdown()
        await serving
        #expect(finished.withLock { $0 } == 20)
        for connection in connections { await connection.close() }
    }

    @Test("a cancelled server drains too, and a handler that ignores its socket is cancelled at the deadline")
    func cancelledServer() async throws {
        let server = try await WebSocketServer.bind(
            .init(drainDeadline: .milliseconds(100)), logger: Logger(label: "test"))
        let (stuck, release) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run { _ in for await _ in stuck {} } }
            let connection = try await transport.connect(to: url(server), deadline: .seconds(60))
            group.cancelAll()
            await connection.close()
        }
        release.finish()
    }

    @Test(
        "an upgrade that is none is answered as plain HTTP",
        arguments: [
            "Upgrade: h2c\r\n", "Upgrade: websocket\r\n", "Upgrade: websocket\r\nSec-WebSocket-Version: 12\r\n",
        ])
    func notAnUpgrade(header: String) async throws {
        try await withServer(respond: { _ in PlainResponse(status: 426) }, handle: echo) { server in
            let answer = Mutex("")
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            Listener { text in answer.withLock { $0 += text } })
                    }
                }
                .connect(host: "127.0.0.1", port: server.port).get()
            let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\(header)\r\n"
            try await channel.writeAndFlush(ByteBuffer(string: request)).get()
            try await channel.closeFuture.get()
            #expect(answer.withLock { $0 }.hasPrefix("HTTP/1.1 426"))
        }
    }

    @Test("the request line and headers reach the handler")
    func request() async throws {
        let seen = Mutex<UpgradeRequest?>(nil)
        let note: @Sendable (WebSocketConnection) async -> Void = { connection in
            seen.withLock { $0 = connection.request }
        }
        try await withServer(handle: note) { server in
            let relay = try RelayURL("ws://127.0.0.1:\(server.port)/inbox?x=1")
            let connection = try await transport.connect(to: relay, deadline: .seconds(60))
            for try await _ in connection.incoming {}
            #expect(seen.withLock { $0?.target } == "/inbox?x=1")
            #expect(seen.withLock { $0?.header("HOST") } == "127.0.0.1:\(server.port)")
            #expect(seen.withLock { $0?.peer } == "127.0.0.1")
        }
    }
}

/// Hands on what comes as text.
private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let heard: @Sendable (String) -> Void

    init(_ heard: @escaping @Sendable (String) -> Void) {
        self.heard = heard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard(String(buffer: Self.unwrapInboundIn(data)))
    }
}
