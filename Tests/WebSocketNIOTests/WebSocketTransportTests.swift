import Crypto
import Foundation
import Logging
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import NostrTesting
import Testing
import WebSocketNIO

@Suite("WebSocket client", .timeLimit(.minutes(10)))
struct WebSocketTransportTests {
    let transport: WebSocketTransport

    init() throws {
        transport = try WebSocketTransport()
    }

    @Test("messages of any size arrive whole and in order", arguments: [[0, 1, 125, 126, 65_535, 65_536, 900_000]])
    func echoes(sizes: [Int]) async throws {
        try await withServer(handle: echo) { server in
            let connection = try await transport.connect(to: url(server), deadline: .seconds(60))
            var answers = connection.incoming.makeAsyncIterator()
            for size in sizes {
                let text = [UInt8](repeating: UInt8(ascii: "x"), count: size)
                try await connection.send(text)
                #expect(try await answers.next() == text)
            }
            try await connection.ping(deadline: .seconds(60))
            await connection.close()
            #expect(try await answers.next() == nil)
        }
    }

    @Test("closing ends both sides soon and sending after it fails")
    func closes() async throws {
        try await withServer(handle: echo) { server in
            let connection = try await transport.connect(to: url(server), deadline: .seconds(60))
            let took = await ContinuousClock().measure { await connection.close() }
            #expect(took < .seconds(20))
            await connection.close()
            #expect(await failure { try await connection.send([1]) } == .closed(code: nil))
            #expect(await failure { try await connection.ping(deadline: .seconds(60)) } == .closed(code: nil))
        }
    }

    @Test("a message longer than the server takes closes with code 1009")
    func tooLong() async throws {
        try await withServer(limits: WebSocketLimits(messageBytes: 1000), handle: echo) { server in
            let connection = try await transport.connect(to: url(server), deadline: .seconds(60))
            try await connection.send([UInt8](repeating: 97, count: 1001))
            let why = await failure { for try await _ in connection.incoming {} }
            #expect(why == .closed(code: 1009))
        }
    }

    @Test("a message longer than the client takes is a named failure")
    func tooLongForUs() async throws {
        let small = try WebSocketTransport(limits: WebSocketLimits(messageBytes: 1000))
        let send: @Sendable (WebSocketConnection) async -> Void = { connection in
            // The client hangs up while this is written.
            try? await connection.send([UInt8](repeating: 97, count: 5000))
            do { for try await _ in connection.incoming {} } catch {}
        }
        try await withServer(handle: send) { server in
            let connection = try await small.connect(to: url(server), deadline: .seconds(60))
            let why = await failure { for try await _ in connection.incoming {} }
            #expect(why == .frameTooLong(limit: 1000))
        }
    }

    @Test("a message in one breath with the server's consent is not lost")
    func oneBreath() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HastyServer())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let relay = try RelayURL("ws://127.0.0.1:\(listener.localAddress?.port ?? 0)")
        let connection = try await transport.connect(to: relay, deadline: .seconds(60))
        var messages = connection.incoming.makeAsyncIterator()
        #expect(try await messages.next() == Array("hi".utf8))
        await connection.close()
        try await listener.close().get()
    }

    @Test("a refused upgrade is named with its status")
    func refusedUpgrade() async throws {
        try await withServer(accepts: { _ in false }, respond: { _ in PlainResponse(status: 402) }, handle: echo) {
            server in
            let why = await failure { _ = try await transport.connect(to: url(server), deadline: .seconds(60)) }
            #expect(why == .handshake(status: 402))
        }
    }

    @Test("a closed port is refused at once")
    func closedPort() async throws {
        // Of the ports that are never given to whoever asks for any, so that no server of another test listens there.
        let relay = try RelayURL("ws://127.0.0.1:1")
        #expect(await failure { _ = try await transport.connect(to: relay, deadline: .seconds(60)) } == .refused)
    }

    @Test("a host that accepts and says nothing is given up at the deadline", arguments: ["ws", "wss"])
    func mute(scheme: String) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let relay = try RelayURL("\(scheme)://127.0.0.1:\(listener.localAddress?.port ?? 0)")
        let took = await ContinuousClock().measure {
            let why = await failure { _ = try await transport.connect(to: relay, deadline: .milliseconds(200)) }
            #expect(why == .timedOut)
            let document = await failure {
                _ = try await transport.information(of: relay, deadline: .milliseconds(200), maxBytes: 100)
            }
            #expect(document == .timedOut)
        }
        #expect(took < .seconds(20))
        try await listener.close().get()
    }

    @Test("a cancelled task stops connecting")
    func cancelled() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let relay = try RelayURL("ws://127.0.0.1:\(listener.localAddress?.port ?? 0)")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await failure { _ = try await transport.connect(to: relay, deadline: .seconds(50)) } }
            group.cancelAll()
        }
        try await listener.close().get()
    }

    @Test("the information document is fetched, and bounded")
    func information() async throws {
        let respond: @Sendable (PlainRequest) -> PlainResponse = { plain in
            plain.request.header("accept") == "application/nostr+json"
                ? PlainResponse(status: 200, body: Array(#"{"name":"x"}"#.utf8)) : PlainResponse(status: 406)
        }
        try await withServer(respond: respond, handle: echo) { server in
            let document = try await transport.information(of: url(server), deadline: .seconds(60), maxBytes: 12)
            #expect(document == Array(#"{"name":"x"}"#.utf8))
            let why = await failure {
                _ = try await transport.information(of: url(server), deadline: .seconds(60), maxBytes: 11)
            }
            #expect(why == .frameTooLong(limit: 11))
        }
        try await withServer(handle: echo) { server in
            let why = await failure {
                _ = try await transport.information(of: url(server), deadline: .seconds(60), maxBytes: 11)
            }
            #expect(why == .handshake(status: 404))
        }
    }

    @Test("a certificate is believed only for its host and from a trusted root")
    func certificates() async throws {
        let certificate = try TestCertificate()
        let tls = WebSocketServer.Certificate(chainPEM: certificate.chain, keyPEM: certificate.key)
        let trusting = try WebSocketTransport(trustedRoots: certificate.chain)
        try await withServer(.init(tls: tls), respond: { _ in PlainResponse(status: 200, body: [42]) }, handle: echo) {
            server in
            let connection = try await trusting.connect(
                to: url(server, "wss", host: "localhost"), deadline: .seconds(60))
            try await connection.send([97])
            var answers = connection.incoming.makeAsyncIterator()
            #expect(try await answers.next() == [97])
            let took = await ContinuousClock().measure { await connection.close() }
            #expect(took < .seconds(20))
            let relay = try url(server, "wss", host: "localhost")
            #expect(try await trusting.information(of: relay, deadline: .seconds(60), maxBytes: 10) == [42])
            let wrongHost = await failure {
                _ = try await trusting.connect(to: url(server, "wss"), deadline: .seconds(60))
            }
            #expect(wrongHost == .certificate(.wrongHost))
            let unknownRoot = await failure { _ = try await transport.connect(to: relay, deadline: .seconds(60)) }
            #expect(unknownRoot == .certificate(.untrusted))
        }
    }
}

/// Accepts an upgrade and says "hi" in the same write.
private final class HastyServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let request = String(buffer: Self.unwrapInboundIn(data))
        guard let name = request.range(of: "Sec-WebSocket-Key: "),
            let end = request[name.upperBound...].firstIndex(of: "\r\n")
        else { return }
        let key = request[name.upperBound..<end] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        let accept = Data(Insecure.SHA1.hash(data: Data(key.utf8))).base64EncodedString()
        var answer = ByteBuffer(
            string: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        answer.writeString("Sec-WebSocket-Accept: \(accept)\r\n\r\n")
        // One final text frame of two bytes, not masked.
        answer.writeBytes([0x81, 2] + Array("hi".utf8))
        context.writeAndFlush(Self.wrapOutboundOut(answer), promise: nil)
    }
}
