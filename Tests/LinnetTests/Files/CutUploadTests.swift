import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import Synchronization
import Testing

@testable import linnet

/// Uploads to a media server that hangs up in the midst of them, over real sockets.
@Suite("an upload whose server dies midway", .timeLimit(.minutes(5)))
struct CutUploadTests {
    /// A WAV file of some megabytes that is fit to be published as it is.
    private static let sound: [UInt8] = {
        let values = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        func number(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
        var file = Array("RIFF".utf8)
        file += number(values.count + 36)
        file += Array("WAVEfmt ".utf8)
        file += format
        file += Array("data".utf8)
        file += number(values.count)
        file += values
        return file
    }()

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
        try Data(Self.sound).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    @Test("it is told as broken off, nothing of it is listed, and the next try brings it whole")
    func verb() async throws {
        try await withFile { file in
            try await BreakingServer.with(breaks: 1) { server in
                let person = try await CommandPerson(relay: "ws://127.0.0.1:9", signer: LocalSigner.generate())
                defer { person.forget() }
                let there = ["--server", server.address]
                let cut = try person.run(["files", "upload", file.path] + there)
                #expect(cut.status == 1, "\(cut.output)\(cut.errors)")
                let line = try object(cut.line)
                let place = line["servers"]?.elements.first
                #expect(line["standing"]?.string == "failed" && line["url"] == nil, "\(cut.line)")
                #expect(place?["problem"]?.string == "brokenOff", "\(cut.line)")
                #expect(server.kept.isEmpty && server.most >= BreakingServer.part)
                #expect(server.most < Self.sound.count)
                let none = try person.run(["files", "list"] + there)
                #expect(none.status == 0 && none.output.isEmpty, "\(none.output)\(none.errors)")

                let whole = try person.run(["files", "upload", file.path] + there)
                #expect(whole.status == 0, "\(whole.output)\(whole.errors)")
                let stored = try object(whole.line)
                let hash = try #require(stored["sha256"]?.string)
                #expect(stored["standing"]?.string == "stored" && server.kept.keys.sorted() == [hash])
                #expect(server.kept[hash]?.count == Self.sound.count)
                let listed = try person.run(["files", "list"] + there)
                #expect(try object(listed.line)["sha256"]?.string == hash, "\(listed.errors)")
            }
        }
    }

    /// How much is on its way, as pages are told.
    private final class Progress: Sendable {
        private let most = Mutex<Int64>(0)
        var count: Int64 { most.withLock { $0 } }
        func note(_ count: Int64) { most.withLock { $0 = max($0, count) } }
    }

    @Test("one that never was there is told otherwise, and a server that dies twice is tried as often")
    func transfer() async throws {
        let progress = Progress()
        try await withFile { file in
            let size = Int64(Self.sound.count)
            func send(_ address: String) async throws -> Int {
                let request = BlobRequest(.put, address + "/upload", body: .file(file, size: size))
                let answer = try await MediaOfTheWeb(near: true).send(request) { progress.note($0) }
                return answer.status
            }
            await #expect(throws: ServerRefusal(.unreachable)) { try await send("http://127.0.0.1:1") }
            #expect(progress.count == 0)
            try await BreakingServer.with(breaks: 2) { server in
                for _ in 0..<2 {
                    await #expect(throws: ServerRefusal(.brokenOff)) { try await send(server.address) }
                }
                #expect(server.kept.isEmpty && progress.count >= Int64(BreakingServer.part))
                let status = try await send(server.address)
                #expect(status == 200)
                let hash = BlobHash(of: Self.sound).hex
                #expect(server.kept[hash] == Self.sound && progress.count == size)
            }
        }
    }
}

/// A media server that hangs up on its first uploads once a part of them has come.
private final class BreakingServer: Sendable {
    /// How much comes before it hangs up.
    static let part = 1 << 20

    private struct State {
        var port = 0
        var breaksLeft: Int
        var kept: [String: [UInt8]] = [:]
        var most = 0
    }

    private let state: Mutex<State>

    private init(breaks: Int) { state = Mutex(State(breaksLeft: breaks)) }

    var address: String { "http://127.0.0.1:\(state.withLock { $0.port })" }
    /// What came whole, by its hash.
    var kept: [String: [UInt8]] { state.withLock { $0.kept } }
    /// The most that came of what did not.
    var most: Int { state.withLock { $0.most } }

    /// Runs one while a test works.
    static func with(breaks: Int, _ body: (BreakingServer) async throws -> Void) async throws {
        let server = BreakingServer(breaks: breaks)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Answers(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.state.withLock { $0.port = channel.localAddress?.port ?? 0 }
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await channel.close()
        try result.get()
    }

    /// Whether it hangs up now.
    private func hangsUp(after count: Int) -> Bool {
        state.withLock { state in
            guard state.breaksLeft > 0, count >= Self.part else { return false }
            state.breaksLeft -= 1
            state.most = max(state.most, count)
            return true
        }
    }

    /// What it says of a blob that it keeps.
    private func descriptor(_ hash: String, _ count: Int) -> String {
        #"{"url":"\#(address)/\#(hash)","sha256":"\#(hash)","size":\#(count),"type":"audio/wav","uploaded":1700000000}"#
    }

    private func keep(_ bytes: [UInt8]) -> String {
        let hash = BlobHash(of: bytes).hex
        state.withLock { $0.kept[hash] = bytes }
        return descriptor(hash, bytes.count)
    }

    private func list() -> String {
        "[" + kept.map { descriptor($0.key, $0.value.count) }.sorted().joined(separator: ",") + "]"
    }

    private final class Answers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: BreakingServer
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []
        private var isGone = false

        init(_ server: BreakingServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isGone else { return }
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, [])
            case .body(let bytes):
                body += bytes.readableBytesView
                guard head?.method == .PUT, server.hangsUp(after: body.count) else { return }
                isGone = true
                context.close(promise: nil)
            case .end:
                switch head?.method {
                case .HEAD: answer(context, "")
                case .PUT: answer(context, server.keep(body))
                case .GET where head?.uri.hasPrefix("/list/") == true: answer(context, server.list())
                default: answer(context, "", .notFound)
                }
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ text: String, _ status: HTTPResponseStatus = .ok) {
            let fields = HTTPHeaders([
                ("content-type", "application/json"), ("content-length", "\(text.utf8.count)"),
            ])
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
