import AsyncPrimitives
import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

/// Servers that give sealed files only to whom they know.
@Suite("closed media servers", .timeLimit(.minutes(10)))
struct ClosedServersTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let sealed = [UInt8]("sealed".utf8)

    /// A server that wants to know who asks, and remembers what it was shown.
    private final class ClosedHost: SealedBlobFetching {
        private let state = Mutex<[String?]>([])

        /// The tokens that came, one for each question.
        var shown: [String?] { state.withLock { $0 } }

        func blob(at address: String, longest: Int) async throws -> [UInt8] {
            try await blob(at: address, headers: [:], longest: longest)
        }

        func blob(at address: String, headers: [String: String], longest: Int) async throws -> [UInt8] {
            let token = headers["Authorization"]
            state.withLock { $0.append(token) }
            guard token != nil else { throw ServerRefusal(.unauthorized, status: 401) }
            return ClosedServersTests.sealed
        }
    }

    private func files(_ host: ClosedHost, servers: [MediaServer]) -> SealedFiles {
        let clock = ManualClock()
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: [])
        configuration.mediaServers = servers
        let context = AccountContext(
            publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: { Self.now }),
            records: MemoryRecordStore(), network: ScriptedNetwork(clock: clock),
            media: MediaAccess(
                transfer: ScriptedMediaServers(), preparing: UnpreparedMedia(),
                folder: FileManager.default.temporaryDirectory),
            blobs: host, configuration: configuration, time: Time(clock: clock, now: { Self.now }))
        return SealedFiles(
            context, signedBy: LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1)))
    }

    @Test("a sealed file on a closed server of the account's own is opened, with a token for that blob alone")
    func own() async throws {
        let host = ClosedHost()
        let hash = BlobHash(of: Self.sealed)
        let server = try #require(MediaServer("https://a.example"))
        let opened = try await files(host, servers: [server])
            .file("one", at: ["https://a.example/\(hash.hex)"]) { OpenedFile($0) }
        #expect(opened.bytes == Self.sealed)
        #expect(host.shown.count == 2 && host.shown.first == .some(nil))
        let last = host.shown.compactMap { $0 }.last
        let header = try #require(last)
        let token = try BlobAuthorization(header: header, now: Self.now)
        #expect(token.actions == [.get] && token.blobs == [hash] && token.servers == ["a.example"])
    }

    @Test(
        "no other host is told who asks, nor is one of the account's own for what is no blob",
        arguments: ["https://b.example/\(String(repeating: "ab", count: 32))", "https://a.example/private"])
    func strange(address: String) async throws {
        let host = ClosedHost()
        let server = try #require(MediaServer("https://a.example"))
        let files = files(host, servers: [server])
        await #expect(throws: SealedFileError.gone) {
            _ = try await files.file("one", at: [address]) { OpenedFile($0) }
        }
        #expect(host.shown == [nil])
    }
}
