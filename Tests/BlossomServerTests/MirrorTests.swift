import AsyncHTTPClient
import BlossomServer
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrTesting
import Synchronization
import Testing

@Suite("copying blobs from other servers", .serialized, .timeLimit(.minutes(5)))
struct MirrorTests {
    private static let address = "https://other.example/blob.png"
    private let content = bytes(300_000)
    private var hash: BlobHash { BlobHash(of: content) }

    /// Other servers, as a test has them.
    private final class Others: BlobFetching {
        let asked = Mutex<[String]>([])
        private let answer: @Sendable (String) throws -> (type: String?, content: [UInt8])

        init(_ answer: @escaping @Sendable (String) throws -> (type: String?, content: [UInt8])) {
            self.answer = answer
        }

        func fetch(
            _ address: String, longest: Int, deadline: Duration,
            chunk: @escaping @Sendable ([UInt8]) async throws -> Void
        ) async throws -> String? {
            asked.withLock { $0.append(address) }
            let (type, content) = try answer(address)
            for start in stride(from: 0, to: content.count, by: 100_000) {
                try await chunk(Array(content[start..<min(start + 100_000, content.count)]))
            }
            return type
        }
    }

    private func mirror(
        _ blobs: ServedBlobs, _ body: String, _ headers: [(String, String)]
    ) async throws -> Answer {
        try await blobs.send(.PUT, "/mirror", headers, body: .bytes(ByteBuffer(string: body)))
    }

    @Test("a blob is fetched, checked against the token, and kept for who asked")
    func copies() async throws {
        let content = content
        let others = Others { _ in ("image/webp", content) }
        try await ServedBlobs.with(fetching: others) { blobs in
            let token = blobs.token(.upload, [hash])
            let wish = #"{"url":"\#(Self.address)"}"#
            let first = try await mirror(blobs, wish, [token])
            #expect(first.status == 201 && first.descriptor?.hash == hash && first.descriptor?.type == "image/webp")
            #expect(try await mirror(blobs, wish, [token]).status == 200)
            #expect(try await blobs.send(.GET, "/\(hash.hex)").body == content)
            #expect(others.asked.withLock { $0 } == [Self.address, Self.address])
        }
    }

    @Test("what is not the blob that was signed for is not kept, and nobody is asked without a token")
    func refuses() async throws {
        let content = content
        let others = Others { _ in (nil, content) }
        try await ServedBlobs.with(fetching: others) { blobs in
            let wish = #"{"url":"\#(Self.address)"}"#
            #expect(try await mirror(blobs, wish, []).status == 401)
            #expect(try await mirror(blobs, wish, [blobs.token(.upload)]).status == 401)
            #expect(try await mirror(blobs, wish, [blobs.token(.delete, [hash])]).status == 401)
            let token = blobs.token(.upload, [hash])
            for wish in ["", "[]", "{}", #"{"url":7}"#, "{\"url\":\"" + String(repeating: "a", count: 9000) + "\"}"] {
                #expect(try await mirror(blobs, wish, [token]).status == 400)
            }
            #expect(others.asked.withLock { $0.isEmpty })
            let other = try await mirror(blobs, wish, [blobs.token(.upload, [BlobHash(of: [1])])])
            #expect(other.status == 409)
            await blobs.folder.settles(at: 0)
        }
    }

    @Test(
        "why another server did not give it is said",
        arguments: [
            (BlobFetchFailure.notAllowed, 400), (.tooLong, 413), (.notGiven("it answered 404"), 502),
        ])
    func failures(failure: BlobFetchFailure, status: Int) async throws {
        try await ServedBlobs.with(fetching: Others { _ in throw failure }) { blobs in
            let got = try await mirror(blobs, #"{"url":"\#(Self.address)"}"#, [blobs.token(.upload, [hash])])
            #expect(got.status == status && !got.reason.isEmpty)
            await blobs.folder.settles(at: 0)
        }
    }

    @Test("bounds hold for what is copied, too")
    func bounds() async throws {
        let content = content
        let others = Others { _ in ("text/html", content) }
        try await ServedBlobs.with({ $0.types = ["image/*"] }, fetching: others) { blobs in
            let got = try await mirror(blobs, #"{"url":"x"}"#, [blobs.token(.upload, [hash])])
            #expect(got.status == 415)
            await blobs.folder.settles(at: 0)
        }
        try await ServedBlobs.with({ $0.blobSize = 299_999 }, fetching: others) { blobs in
            let got = try await mirror(blobs, #"{"url":"x"}"#, [blobs.token(.upload, [hash])])
            #expect(got.status == 413)
            await blobs.folder.settles(at: 0)
        }
    }
}
