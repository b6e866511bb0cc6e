import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NostrTesting
import Synchronization
import Testing

/// A push service of this machine: HTTP/2 over TLS, saying what a test wants.
final class PushServiceStandIn: Sendable {
    /// One message that came.
    struct Message: Sendable {
        let path: String
        let headers: HTTPHeaders
        let body: [UInt8]
        /// Which connection it came over, from 0.
        let connection: Int
    }

    /// What the service does with a message.
    enum Reply: Sendable {
        case answer(Int, [(String, String)] = [], String = "")
        /// Says that it will take no more, this message included, and closes.
        case goAway
        /// Answers, and takes no more on this connection.
        case answerThenGoAway
        case hangUp
        case silence
        /// Begins an answer and never ends it.
        case endless
    }

    typealias Behaviour = @Sendable (Message) -> Reply

    private struct State {
        var behaviour: Behaviour
        var messages: [Message] = []
        var connections = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let channel: any Channel

    private init(channel: any Channel, state: consuming Mutex<State>) {
        self.channel = channel
        self.state = state
    }

    /// Runs one on a free port while a test works.
    static func with<R: Sendable>(
        _ certificate: TestCertificate, _ behaviour: @escaping Behaviour = { _ in .answer(200) },
        _ body: (PushServiceStandIn) async throws -> R
    ) async throws -> R {
        let tls = try NIOSSLContext(configuration: try certificate.serverConfiguration)
        let box = ServiceBox()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = box.service?.connected() ?? 0
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            let pipeline = stream.pipeline.syncOperations
                            try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                            try pipeline.addHandler(
                                MessageHandler(connection: number) { box.service?.took($0) ?? .silence })
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let service = PushServiceStandIn(channel: channel, state: Mutex(State(behaviour: behaviour)))
        box.service = service
        let result: Result<R, any Error>
        do { result = .success(try await body(service)) } catch { result = .failure(error) }
        try await channel.close().get()
        return try result.get()
    }

    var origin: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }
    var messages: [Message] { state.withLock { $0.messages } }
    var connections: Int { state.withLock { $0.connections } }

    func behave(_ behaviour: @escaping Behaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    /// Waits until so many messages have come.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.messages.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func connected() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections - 1
        }
    }

    private func took(_ message: Message) -> Reply {
        let (behaviour, ready) = state.withLock { state in
            state.messages.append(message)
            let count = state.messages.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (state.behaviour, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return behaviour(message)
    }
}

/// Where connections find their service, which is made after the port is open.
private final class ServiceBox: Sendable {
    private let held = Mutex<PushServiceStandIn?>(nil)
    var service: PushServiceStandIn? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

/// Gathers one message and replies.
private final class MessageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Int
    private let reply: (PushServiceStandIn.Message) -> PushServiceStandIn.Reply
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(connection: Int, reply: @escaping (PushServiceStandIn.Message) -> PushServiceStandIn.Reply) {
        self.connection = connection
        self.reply = reply
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part): body += part.readableBytesView
        case .end:
            guard let head else { return }
            let message = PushServiceStandIn.Message(
                path: head.uri, headers: head.headers, body: body, connection: connection)
            switch reply(message) {
            case .answer(let status, let headers, let text): answer(context, status, headers, text)
            case .answerThenGoAway:
                answer(context, 200, [], "")
                goAway(context, last: .maxID)
            case .goAway:
                goAway(context, last: .rootStream)
                context.channel.parent?.close(promise: nil)
            case .hangUp: context.channel.parent?.close(promise: nil)
            case .silence: break
            case .endless:
                let head = HTTPResponseHead(version: .http2, status: .created)
                context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: ".")))), promise: nil)
            }
        }
    }

    private func answer(_ context: ChannelHandlerContext, _ status: Int, _ headers: [(String, String)], _ text: String)
    {
        let head = HTTPResponseHead(
            version: .http2, status: .init(statusCode: status), headers: HTTPHeaders(headers))
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        if !text.isEmpty {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func goAway(_ context: ChannelHandlerContext, last: HTTP2StreamID) {
        let frame = HTTP2Frame(
            streamID: .rootStream, payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil))
        context.channel.parent?.writeAndFlush(frame, promise: nil)
    }
}

extension TestCertificate {
    /// Speaks HTTP/2 only, as Apple's does.
    var serverConfiguration: TLSConfiguration {
        get throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem)))
            configuration.applicationProtocols = ["h2"]
            return configuration
        }
    }
}
