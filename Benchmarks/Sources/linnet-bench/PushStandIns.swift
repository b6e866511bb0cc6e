import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NostrCore
import Synchronization
import WebSocketNIO

/// A relay that answers every question by sending prepared events at a steady pace.
final class FeedingRelay: Sendable {
    private let server: WebSocketServer
    private let frames: [(EventID, [UInt8])]
    private let perSecond: Int
    private let moments = Mutex<[EventID: ContinuousClock.Instant]>([:])
    private let end: AsyncStream<Void>
    private let ended: AsyncStream<Void>.Continuation

    init(events: [Event], perSecond: Int) async throws {
        server = try await WebSocketServer.bind(logger: Logger(label: "bench"))
        frames = events.map { ($0.id, $0.json) }
        self.perSecond = perSecond
        (end, ended) = AsyncStream.makeStream(of: Void.self)
    }

    var url: String { "ws://127.0.0.1:\(server.port)" }
    /// When each event went out.
    var sent: [EventID: ContinuousClock.Instant] { moments.withLock { $0 } }

    func run() async {
        await server.run { connection in
            do {
                for try await text in connection.incoming {
                    guard case .req(let id, _)? = try? ClientMessage(json: text) else { continue }
                    try await connection.send(Array("[\"EOSE\",\"\(id.text)\"]".utf8))
                    try await self.feed(connection, Array("[\"EVENT\",\"\(id.text)\",".utf8))
                }
            } catch {
                // The proxy went away: what did not arrive is counted.
            }
        }
    }

    /// Waits until all events are out, at most two minutes.
    func finished() async {
        let timer = Task { [ended] in
            try? await ContinuousClock().sleep(for: .seconds(120))
            ended.finish()
        }
        for await _ in end { break }
        timer.cancel()
    }

    func stop() { server.beginShutdown() }

    private func feed(_ connection: WebSocketConnection, _ start: [UInt8]) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        for (number, frame) in frames.enumerated() {
            if number % 10 == 0 {
                try await clock.sleep(until: began + .seconds(1) * number / perSecond, tolerance: .zero)
            }
            moments.withLock { $0[frame.0] = clock.now }
            try await connection.send(start + frame.1 + [UInt8(ascii: "]")])
        }
        ended.finish()
    }
}

/// A push service with Apple's protocol that takes everything and notes when.
final class BenchPushService: Sendable {
    fileprivate struct State {
        var arrivals: [EventID: ContinuousClock.Instant] = [:]
        var messages = 0
    }

    private let state: Box
    private let channel: any Channel

    fileprivate final class Box: Sendable {
        let value = Mutex(State())

        fileprivate func took(_ body: [UInt8]) {
            let moment = ContinuousClock.now
            let name = Array("\"event_id\":\"".utf8)
            let found = body.indices.dropLast(name.count + 64).first { body[$0...].starts(with: name) }
            let id = found.flatMap { start in
                try? EventID(hex: String(decoding: body[(start + name.count)...].prefix(64), as: UTF8.self))
            }
            value.withLock { state in
                state.messages += 1
                if let id { state.arrivals[id] = moment }
            }
        }
    }

    init(certificate: BenchCertificate) async throws {
        let tls = try NIOSSLContext(configuration: certificate.configuration())
        let state = Box()
        self.state = state
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                            try stream.pipeline.syncOperations.addHandler(BenchMessageHandler { state.took($0) })
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var origin: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }
    /// When the message of each event arrived.
    var arrivals: [EventID: ContinuousClock.Instant] { state.value.withLock { $0.arrivals } }
    /// How many messages arrived in all.
    var messages: Int { state.value.withLock { $0.messages } }

    func wait(for count: Int, atMost limit: Duration) async {
        let end = ContinuousClock.now + limit
        while messages < count, .now < end { try? await ContinuousClock().sleep(for: .milliseconds(50)) }
    }

    func close() async throws { try await channel.close().get() }
}

/// Gathers one message and says 200.
private final class BenchMessageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let took: ([UInt8]) -> Void
    private var body: [UInt8] = []

    init(_ took: @escaping ([UInt8]) -> Void) {
        self.took = took
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head: break
        case .body(let part): body += part.readableBytesView
        case .end:
            took(body)
            context.write(Self.wrapOutboundOut(.head(HTTPResponseHead(version: .http2, status: .ok))), promise: nil)
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

/// A throw-away certificate for `localhost`, made by openssl, as `cert.pem` in a folder.
struct BenchCertificate {
    private let folder: URL

    struct Missing: Error {}

    init(in folder: URL) throws {
        self.folder = folder
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "cert.pem").path,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Missing() }
    }

    func configuration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(folder.appending(path: "cert.pem").path)
                .map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(file: folder.appending(path: "key.pem").path, format: .pem)))
        configuration.applicationProtocols = ["h2"]
        return configuration
    }
}
