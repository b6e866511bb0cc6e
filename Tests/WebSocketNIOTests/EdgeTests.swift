import Logging
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import Synchronization
import Testing
import WebSocketNIO

@Suite("The protocol at the edge", .timeLimit(.minutes(10)))
struct EdgeTests {
    private static let upgrade =
        "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

    @Test(
        "a frame that breaks the protocol is answered by a goodbye that says how, and by the end",
        arguments: [
            ("unmasked text", [0x81, 0x02, 0x68, 0x69], 1002), ("unmasked ping", [0x89, 0x00], 1002),
            ("first reserved bit", [0xC1, 0x80, 0, 0, 0, 0], 1002),
            ("second reserved bit", [0xA1, 0x80, 0, 0, 0, 0], 1002),
            ("third reserved bit on a ping", [0x99, 0x80, 0, 0, 0, 0], 1002),
            ("unknown opcode", [0x83, 0x80, 0, 0, 0, 0], 1002),
            ("unknown control opcode", [0x8B, 0x80, 0, 0, 0, 0], 1002),
            ("text in pieces as a ping", [0x09, 0x80, 0, 0, 0, 0], 1002),
            ("a continuation of nothing", [0x80, 0x80, 0, 0, 0, 0], 1002),
            ("text that is no UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28], 1007),
            ("text of half a surrogate", [0x81, 0x83, 0, 0, 0, 0, 0xED, 0xA0, 0x80], 1007),
            (
                "text in pieces that is no UTF-8",
                [0x01, 0x81, 0, 0, 0, 0, 0x61, 0x80, 0x81, 0, 0, 0, 0, 0xFF], 1007
            ),
            ("half a close code", [0x88, 0x81, 0, 0, 0, 0, 0x03], 1002),
            ("a close code that is never sent", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED], 1002),
            ("a goodbye that is no UTF-8", [0x88, 0x83, 0, 0, 0, 0, 0x03, 0xE8, 0xFF], 1007),
            ("a binary message", [0x82, 0x81, 0, 0, 0, 0, 0x00], 1003),
        ] as [(String, [UInt8], UInt16)])
    func brokenFrames(what: String, frame: [UInt8], code: UInt16) async throws {
        try await withServer(handle: echo) { server in
            let peer = try await RawPeer(port: server.port)
            try await peer.send(Self.upgrade)
            try await peer.send(bytes: frame)
            let heard = await peer.whole()
            #expect(heard.suffix(4) == [0x88, 0x02, UInt8(code >> 8), UInt8(code & 255)], "\(what)")
        }
    }

    @Test("characters that two pieces share are whole, and so is a goodbye with a code and words")
    func wholeFrames() async throws {
        try await withServer(handle: echo) { server in
            let peer = try await RawPeer(port: server.port)
            try await peer.send(Self.upgrade)
            try await peer.send(bytes: [0x01, 0x81, 0, 0, 0, 0, 0xC3, 0x80, 0x81, 0, 0, 0, 0, 0xA9])
            try await peer.wait(for: [0x81, 0x02, 0xC3, 0xA9])
            try await peer.send(bytes: [0x88, 0x84, 0, 0, 0, 0, 0x03, 0xE8, 0xC3, 0xA9])
            let heard = await peer.whole()
            #expect(heard.suffix(4) == [0x88, 0x02, 0x03, 0xE8])
        }
    }

    @Test(
        "a flood of pings, or of pongs nobody asked for, is left unread for a moment, and then all else is heard",
        arguments: [UInt8(0x89), 0x8A])
    func floods(opcode: UInt8) async throws {
        try await withServer(handle: echo) { server in
            let peer = try await RawPeer(port: server.port)
            try await peer.send(Self.upgrade)
            // Each tenth of a second allows one more: on a slow machine there must be some too many all the same.
            let count = 52
            let flood = [[UInt8]](repeating: [opcode, 0x80, 0, 0, 0, 0], count: count).flatMap { $0 }
            try await peer.send(bytes: flood)
            try await peer.send(bytes: [0x81, 0x81, 0, 0, 0, 0, 0x61])
            let heard = try await peer.wait(for: [0x81, 0x01, 0x61])
            let pongs = zip(heard, heard.dropFirst()).count { $0 == 0x8A && $1 == 0 }
            #expect(opcode == 0x89 ? (32..<count).contains(pongs) : pongs == 0)
        }
    }

    @Test("a flood without end is hung up on, with the reason", arguments: [UInt8(0x89), 0x8A])
    func endlessFlood(opcode: UInt8) async throws {
        try await withServer(handle: echo) { server in
            let peer = try await RawPeer(port: server.port)
            try await peer.send(Self.upgrade)
            try await peer.send(bytes: [[UInt8]](repeating: [opcode, 0x80, 0, 0, 0, 0], count: 200).flatMap { $0 })
            #expect(await peer.whole().suffix(4) == [0x88, 0x02, 0x03, 0xF0])
        }
    }

    @Test("a peer that says goodbye and reads no more is gone soon, whatever it was sent")
    func deafGoodbye() async throws {
        // Longer than a test may take: what ends the socket is no time-out.
        let limits = WebSocketLimits(sendTimeout: .seconds(3600))
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let failures = Mutex<[TransportFailure?]>([])
        let server = try await WebSocketServer.bind(limits: limits, logger: Logger(label: "test"))
        async let serving: Void = server.run { connection in
            // More than lies between the two.
            async let why = failure { try await connection.send([UInt8](repeating: 97, count: 32 << 20)) }
            begin.finish()
            let ending = await why
            failures.withLock { $0.append(ending) }
            await connection.close()
            server.beginShutdown()
        }
        let peer = try await RawPeer(port: server.port, reads: false)
        try await peer.send(Self.upgrade)
        for await _ in begun {}
        try await peer.send(bytes: [0x88, 0x80, 0, 0, 0, 0])
        await serving
        await peer.close()
        #expect(failures.withLock { $0 } == [.closed(code: nil)])
    }

    @Test(
        "what is no well-formed request is answered 400 and hung up on",
        arguments: [
            "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            upgrade.replacing("Host: x", with: "Host: x\r\nHost: y"),
        ])
    func malformed(request: String) async throws {
        // Longer than a test may take: what hangs up is no time-out.
        let configuration = WebSocketServer.Configuration(headerTimeout: .seconds(3600))
        try await withServer(configuration, respond: { _ in PlainResponse(status: 200) }, handle: echo) { server in
            let peer = try await RawPeer(port: server.port)
            try await peer.send(request)
            let heard = String(decoding: await peer.whole(), as: UTF8.self)
            #expect(heard.hasPrefix("HTTP/1.1 400 "))
            #expect(heard.split(separator: "HTTP/1.1 ").count == 1, "one answer")
        }
    }

    @Test(
        "where a request comes from is said by its socket, or by a proxy that is trusted",
        arguments: [
            (["127.0.0.1"], "X-Forwarded-For: 192.0.2.7\r\n", "192.0.2.7"),
            (["::ffff:127.0.0.1"], "x-forwarded-for: 2001:db8::7\r\n", "2001:db8::7"),
            ([], "X-Forwarded-For: 192.0.2.7\r\n", "127.0.0.1"),
            (["192.0.2.1"], "X-Forwarded-For: 192.0.2.7\r\n", "127.0.0.1"),
            // What strangers wrote stands before what the proxies did.
            (["127.0.0.1"], "X-Forwarded-For: 192.0.2.9, 192.0.2.7\r\n", "192.0.2.7"),
            (["127.0.0.1", "192.0.2.1"], "X-Forwarded-For: 192.0.2.7,192.0.2.1\r\n", "192.0.2.7"),
            (["127.0.0.1"], "X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-For: 192.0.2.7\r\n", "192.0.2.7"),
            (["127.0.0.1"], "", "127.0.0.1"), (["127.0.0.1"], "X-Forwarded-For: unknown\r\n", "127.0.0.1"),
            (["127.0.0.1"], "X-Forwarded-For: 192.0.2.7, somebody\r\n", "127.0.0.1"),
        ])
    func forwarded(proxies: [String], header: String, origin: String) async throws {
        let configuration = WebSocketServer.Configuration(proxies: try #require(TrustedProxies(proxies)))
        let seen = Mutex<[String]>([])
        try await withServer(
            configuration,
            respond: { request in
                seen.withLock { $0.append(request.request.peer) }
                return PlainResponse(status: 200)
            },
            handle: { connection in seen.withLock { $0.append(connection.request.peer) } }
        ) { server in
            for request in ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", Self.upgrade] {
                let peer = try await RawPeer(port: server.port)
                try await peer.send(request.replacing("Host: x\r\n", with: "Host: x\r\n" + header))
                // Where it was a plain request, the answer may have ended all.
                try? await peer.send(bytes: [0x88, 0x80, 0, 0, 0, 0])
                _ = await peer.whole()
            }
        }
        #expect(seen.withLock { $0 } == [origin, origin])
    }

    @Test("a proxy is named by its address alone")
    func proxyNames() {
        #expect(TrustedProxies(["127.0.0.1", "localhost"]) == nil)
        #expect(TrustedProxies([]) == TrustedProxies())
    }

    @Test("an old request needs no host")
    func oldRequest() async throws {
        try await withServer(respond: { _ in PlainResponse(status: 200) }, handle: echo) { server in
            let peer = try await RawPeer(port: server.port)
            try await peer.send("GET / HTTP/1.0\r\n\r\n")
            #expect(String(decoding: await peer.whole(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        }
    }
}

/// A socket that sends what it is given and keeps what comes.
final class RawPeer: Sendable {
    private let channel: any Channel
    private let parts: AsyncStream<[UInt8]>

    init(port: Int, reads: Bool = true) async throws {
        let (parts, heard) = AsyncStream.makeStream(of: [UInt8].self)
        self.parts = parts
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear(heard))
                }
            }
            .channelOption(.autoRead, value: reads)
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ text: String) async throws { try await send(bytes: Array(text.utf8)) }

    func send(bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    /// For one that does not read, and so does not see the end.
    func close() async {
        // It may be closed already.
        try? await channel.close().get()
    }

    /// Waits until some bytes came.
    @discardableResult
    func wait(for bytes: [UInt8]) async throws -> [UInt8] {
        var heard: [UInt8] = []
        for await part in parts {
            heard += part
            if heard.suffix(bytes.count) == bytes[...] { return heard }
        }
        Issue.record("the connection ended first")
        return heard
    }

    /// All that comes until the other side hangs up.
    func whole() async -> [UInt8] { await parts.reduce([], +) }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: AsyncStream<[UInt8]>.Continuation

        init(_ heard: AsyncStream<[UInt8]>.Continuation) {
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard.yield(Array(Self.unwrapInboundIn(data).readableBytesView))
        }

        func channelInactive(context: ChannelHandlerContext) {
            heard.finish()
        }
    }
}
