import AsyncHTTPClient
import AsyncPrimitives
import BlossomServer
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import ServiceLifecycle
import Testing

/// What a server answered.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var reason: String { headers.first(name: "x-reason") ?? "" }
    var descriptor: BlobDescriptor? { BlobDescriptor(json: body) }

    func header(_ name: String) -> String? { headers.first(name: name) }
}

/// A media server on a real socket of this machine, for one test.
final class ServedBlobs: Sendable {
    static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    let server: BlobServer
    let folder: TemporaryFolder
    let records: MemoryRecordStore
    let moment: MovableMoment
    let port: Int

    private init(
        server: BlobServer, folder: TemporaryFolder, records: MemoryRecordStore, moment: MovableMoment, port: Int
    ) {
        (self.server, self.folder, self.records, self.moment, self.port) = (server, folder, records, moment, port)
    }

    /// Runs one while a test works.
    ///
    /// - Parameters:
    ///   - folder: what an earlier one left, with its records; a fresh one without.
    static func with(
        _ change: (inout BlobSettings) -> Void = { _ in }, in folder: TemporaryFolder? = nil,
        records: MemoryRecordStore = MemoryRecordStore(), fetching: (any BlobFetching)? = nil,
        pace: TransferPace.Limits = TransferPace.Limits(), mayBring: @escaping BlobServer.Admission = { _ in true },
        _ body: (ServedBlobs) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let moment = MovableMoment(Timestamp(seconds: 1_700_000_000))
        var settings = BlobSettings(domains: ["localhost", "127.0.0.1", "CDN.example.com"])
        change(&settings)
        let server = try await BlobServer(
            folder: folder.path, records: records, settings: settings, mayBring: mayBring, fetching: fetching,
            time: Time(clock: ManualClock(), now: { moment.now }), log: log)
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: BlossomResponder(server),
            server: .http1(configuration: .init(additionalChannelHandlers: [TransferPace(limits: pace)])),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? 0) }, logger: log)
        let group = ServiceGroup(services: [application], logger: log)
        async let running: Void = group.run()
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        try await body(
            ServedBlobs(server: server, folder: folder, records: records, moment: moment, port: port))
        await group.triggerGracefulShutdown()
        try await running
    }

    /// A token as a header.
    func token(
        _ action: BlobAuthorization.Action, _ blobs: [BlobHash] = [], by person: TestPerson = .alice,
        servers: [String] = ["localhost"], lasts seconds: Int64 = 300
    ) -> (String, String) {
        let draft = BlobAuthorization.draft(
            action, blobs: blobs, servers: servers, words: "Upload picture", createdAt: moment.now,
            expiration: Timestamp(seconds: moment.now.seconds + seconds))
        let event = person.event(draft.content, kind: draft.kind, tags: draft.tags, at: draft.createdAt.seconds)
        return ("Authorization", BlobAuthorization.header(event))
    }

    /// Sends a request and reads all of the answer.
    func send(
        _ method: HTTPMethod, _ path: String, _ headers: [(String, String)] = [], body: HTTPClientRequest.Body? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = body
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 64 << 20)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(bytes.readableBytesView))
    }

    /// Brings a blob.
    func bring(
        _ content: [UInt8], by person: TestPerson = .alice, type: String? = "image/png",
        _ further: [(String, String)] = []
    ) async throws -> Answer {
        let hash = BlobHash(of: content)
        var headers = [token(.upload, [hash], by: person), ("X-SHA-256", hash.hex)] + further
        if let type { headers.append(("Content-Type", type)) }
        return try await send(.PUT, "/upload", headers, body: .bytes(ByteBuffer(bytes: content)))
    }

    /// Sends bytes as they stand, for what no client would send.
    ///
    /// - Parameter wait: after which it hangs up; without one it waits until the server does.
    func raw(_ text: String, hangUpAfter wait: (() async -> Void)? = nil) async throws -> String {
        let (parts, heard) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        // Who is refused may be hung up on before all is written.
        try? await channel.writeAndFlush(ByteBuffer(string: text)).get()
        if let wait {
            await wait()
            // The server may have hung up first.
            try? await channel.close()
        }
        return await parts.reduce("", +)
    }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let heard: AsyncStream<String>.Continuation

        init(_ heard: AsyncStream<String>.Continuation) { self.heard = heard }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard.yield(String(buffer: Self.unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) { heard.finish() }
    }
}

/// Some bytes that are no type's.
func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return randomBytes(count, using: &random)
}
