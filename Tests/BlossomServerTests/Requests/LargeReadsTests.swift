import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix
import NostrNIPs
import Testing

@testable import BlossomServer

@Suite("how much of an upload is read at once", .timeLimit(.minutes(5)))
struct LargeReadsTests {
    private struct Broken: Error {}

    /// A connection to a server, which speaks as one itself where it is to.
    private func connection(to blobs: ServedBlobs, speaksHTTP: Bool) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard speaksHTTP else { return }
                    try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                }
            }
            .connect(host: "127.0.0.1", port: blobs.port).get()
    }

    private func largest(_ channel: any Channel) async throws -> Int? {
        let sizes = try await channel.getOption(.recvAllocator).get()
        return (sizes as? AdaptiveRecvByteBufferAllocator)?.maximum
    }

    @Test("large parts are read as long as an upload lasts, also one that fails")
    func duringAnUpload() async throws {
        try await ServedBlobs.with { blobs in
            let channel = try await connection(to: blobs, speaksHTTP: true)
            let usual = try await largest(channel)
            let meanwhile = try await LargeReads.during(over: channel) { try await largest(channel) }
            #expect(meanwhile == LargeReads.largest)
            let after = try await largest(channel)
            #expect(after == usual && usual != LargeReads.largest)
            await #expect(throws: Broken.self) {
                try await LargeReads.during(over: channel) { () -> Void in throw Broken() }
            }
            let afterFailure = try await largest(channel)
            #expect(afterFailure == usual)
            try await channel.close()
        }
    }

    @Test("a connection of another kind is read as it was, and one that is closed fails nothing")
    func others() async throws {
        try await ServedBlobs.with { blobs in
            let channel = try await connection(to: blobs, speaksHTTP: false)
            let usual = try await largest(channel)
            let meanwhile = try await LargeReads.during(over: channel) { try await largest(channel) }
            #expect(meanwhile == usual)
            try await channel.close()
            let number = await LargeReads.during(over: channel) { 7 }
            #expect(number == 7)
        }
        let number = await LargeReads.during(over: nil) { 7 }
        #expect(number == 7)
    }

    @Test(
        "a blob of any length comes whole, one after the other over connections that are kept",
        arguments: [1, 65_535, 65_536, 65_537, 262_143, 262_144, 524_287, 524_288, 524_289, 3_400_000])
    func lengths(count: Int) async throws {
        try await ServedBlobs.with { blobs in
            for seed in 1...3 as ClosedRange<UInt64> {
                let content = bytes(count, seed: seed)
                let brought = try await blobs.bring(content)
                // Two of the shortest may be the same.
                #expect([200, 201].contains(brought.status) && brought.descriptor?.size == count)
                let got = try await blobs.send(.GET, "/\(BlobHash(of: content).hex)")
                #expect(got.body == content)
            }
        }
    }

    @Test("a blob that comes in many small parts with pauses of its sender is whole, too")
    func smallParts() async throws {
        try await ServedBlobs.with { blobs in
            let content = bytes(700_000)
            let hash = BlobHash(of: content)
            let parts = AsyncStream<ByteBuffer> { continuation in
                for start in stride(from: 0, to: content.count, by: 7001) {
                    continuation.yield(ByteBuffer(bytes: content[start..<min(start + 7001, content.count)]))
                }
                continuation.finish()
            }
            let answer = try await blobs.send(
                .PUT, "/upload", [blobs.token(.upload, [hash]), ("X-SHA-256", hash.hex)],
                body: .stream(parts, length: .known(Int64(content.count))))
            #expect(answer.status == 201 && answer.descriptor?.size == content.count)
            let got = try await blobs.send(.GET, "/\(hash.hex)")
            #expect(got.body == content)
        }
    }
}
