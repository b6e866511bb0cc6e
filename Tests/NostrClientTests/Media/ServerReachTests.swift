import AsyncPrimitives
import Foundation
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

private let blob = String(repeating: "ab", count: 32)

/// Which media servers may be near: those whose address the person typed here.
@Suite("servers of the person's own network")
struct ServerReachTests {
    /// A server near this machine that answers every question for sealed files with one byte.
    private struct NearServers: NearBlobTransferring {
        func send(_ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> BlobAnswer {
            BlobAnswer(status: 204)
        }

        func fetch(
            _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
        ) async throws -> FetchedBlob {
            throw ServerRefusal(.notThere)
        }

        func blob(at address: String, longest: Int) async throws -> [UInt8] { [1] }
    }

    private func context() -> AccountContext {
        let clock = ManualClock()
        let now = Timestamp(seconds: 1_700_000_000)
        return AccountContext(
            publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: { now }),
            records: MemoryRecordStore(), network: ScriptedNetwork(clock: clock),
            media: MediaAccess(
                transfer: ScriptedMediaServers(), near: NearServers(), preparing: UnpreparedMedia(),
                folder: FileManager.default.temporaryDirectory),
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
            time: Time(clock: clock, now: { now }))
    }

    @Test(
        "only a blob of a typed server, by its hash, is fetched near this machine",
        arguments: [
            ("http://192.168.1.5:3000/\(blob)", true), ("http://192.168.1.5:3000/\(blob).bin", true),
            ("http://192.168.1.5:3000/\(blob)?a=1", false), ("http://192.168.1.5:3000/\(blob).a/b", false),
            ("http://192.168.1.5:3000/admin", false), ("http://192.168.1.5:3000/upload/\(blob)", false),
            ("http://192.168.1.5:3001/\(blob)", false), ("https://192.168.1.5:3000/\(blob)", false),
            ("http://192.168.1.5:3000@other.example/\(blob)", false), ("http://192.168.1.6:3000/\(blob)", false),
            ("http://192.168.1.5:3000/\(blob.uppercased())", false), ("", false),
        ] as [(String, Bool)])
    func sealed(address: String, isNear: Bool) async throws {
        let context = context()
        let server = try #require(MediaServer("http://192.168.1.5:3000"))
        let before = try await context.serverReach()
        #expect(before?.sealed(at: address) == nil)
        try await context.keepTyped([server], true)
        let found = try await context.serverReach()
        let reach = try #require(found)
        #expect((reach.sealed(at: address) != nil) == isNear, "\(address)")
    }

    @Test("what was typed is remembered until it is taken off, and nothing else is near")
    func remembered() async throws {
        let context = context()
        let servers = ["http://127.0.0.1:4871", "https://a.example"].compactMap { MediaServer($0) }
        try await context.keepTyped(servers, true)
        try await context.keepTyped(Array(servers.suffix(1)), false)
        let found = try await context.serverReach()
        let reach = try #require(found)
        #expect(reach.typed == Set(servers.prefix(1)))
        let near = try #require(servers.first.map { reach.transfer(for: $0) })
        #expect(near is NearServers)
        let other = try #require(servers.last.map { reach.transfer(for: $0) })
        #expect(other is ScriptedMediaServers)
    }

    @Test("a list of the account's own from a relay lets no server be near")
    func listed() async throws {
        let context = context()
        let list = TestPerson.alice.event(
            "", kind: MediaServerList.kind, tags: [["server", "http://127.0.0.1:4871"]], at: 1000)
        _ = try await context.store.save([list], from: nil)
        let found = try await context.serverReach()
        let reach = try #require(found)
        #expect(reach.typed.isEmpty)
    }
}
