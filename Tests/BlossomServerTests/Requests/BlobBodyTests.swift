import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NostrNIPs
import Synchronization
import Testing

@testable import BlossomServer

@Suite("how a blob is sent", .timeLimit(.minutes(5)))
struct BlobBodyTests {
    private let content = bytes(3_400_000)
    private var hash: BlobHash { BlobHash(of: content) }

    @Test(
        "what the system sends is what was asked for, wherever it begins and ends, over one connection again and again",
        arguments: [0..<3_400_000, 0..<1, 1_048_575..<1_048_577, 1_048_576..<2_097_152, 262_143..<3_399_999])
    func sent(range: Range<Int>) async throws {
        try await ServedBlobs.with { blobs in
            _ = try await blobs.bring(content)
            for _ in 0..<3 {
                let header = ("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
                let got = try await blobs.send(.GET, "/\(hash.hex)", [header])
                #expect(got.status == 206 && got.body == Array(content[range]))
                let whole = try await blobs.send(.GET, "/\(hash.hex)")
                #expect(whole.status == 200 && whole.body == content)
            }
        }
    }

    @Test("where the connection is not known, the same bytes are read and written")
    func written() async throws {
        try await ServedBlobs.with { blobs in
            _ = try await blobs.bring(content)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/\(hash.hex)")
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            let response = await blobs.server.respond(to: request)
            let parts = CollectedParts()
            try await response.body.write(parts)
            #expect(response.status == .ok && parts.bytes == content)
        }
    }

    @Test("a client that hangs up in the middle leaves the file closed and the server at work")
    func hungUp() async throws {
        try await ServedBlobs.with { blobs in
            _ = try await blobs.bring(content)
            for _ in 0..<20 {
                let text = "GET /\(hash.hex) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                _ = try await blobs.raw(text, hangUpAfter: {})
            }
            #expect(try await blobs.send(.GET, "/\(hash.hex)").body == content)
        }
    }

    /// What was written.
    private final class CollectedParts: ResponseBodyWriter, Sendable {
        private let collected = Mutex<[UInt8]>([])

        var bytes: [UInt8] { collected.withLock { $0 } }

        func write(_ buffer: ByteBuffer) async throws {
            let part = Array(buffer.readableBytesView)
            collected.withLock { $0 += part }
        }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
