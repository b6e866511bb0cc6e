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

/// What servers do that others do otherwise.
@Suite("habits of media servers", .timeLimit(.minutes(10)))
struct ServerHabitsTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let sound = [UInt8]("a sound".utf8)
    private static let hash = BlobHash(of: sound)

    private func server(_ name: String) throws -> MediaServer {
        try #require(MediaServer("https://\(name).example"))
    }

    private func withFiles(
        _ servers: any BlobTransferring, on clock: ManualClock = ManualClock(), _ body: (Files) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = AccountContext(
            publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: { Self.now }),
            records: MemoryRecordStore(), network: ScriptedNetwork(clock: clock),
            media: MediaAccess(transfer: servers, preparing: UnpreparedMedia(), folder: folder),
            configuration: AccountConfiguration(
                routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
            time: Time(clock: clock, now: { Self.now }))
        let signer = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1))
        let gossip = Gossip(context)
        let publishing = Publishing(context, signer: signer, gossip: gossip)
        let files = Files(
            context, gossip: gossip, publishing: publishing,
            replaceable: ReplaceableEvents(context, gossip: gossip, publishing: publishing))
        try await withThrowingTaskGroup { group in
            group.addTask { await files.run() }
            try await body(files)
            group.cancelAll()
        }
    }

    @Test(
        "a server that lists a hundred at a time is asked on, one that knows no such question or refuses it only once",
        arguments: [("goes on", 230, 3), ("says the same", 100, 2), ("refuses", 100, 2), ("is slow", 200, 2)])
    func longList(habit: String, listed: Int, questions: Int) async throws {
        let all = (0..<230).map { number in
            BlobDescriptor(
                url: "https://a.example/\(number)", hash: BlobHash(of: Array("\(number)".utf8)), size: 1,
                type: "image/png", uploaded: Timestamp(seconds: Int64(5000 - number)))
        }
        let clock = ManualClock()
        let servers = ScriptedMediaServers { request, _ in
            guard request.address.hasPrefix("https://a.example/list/") else { return BlobAnswer(status: 404) }
            let cursor = request.address.split(separator: "&cursor=").dropFirst().first
            if cursor != nil, habit == "refuses" { return BlobAnswer(status: 400) }
            let after = cursor.flatMap { cursor in all.firstIndex { $0.hash.hex == cursor } }
            // Two of those, and nobody waits for a third.
            if habit == "is slow" { clock.advance(by: .seconds(20)) }
            let start = ["goes on", "is slow"].contains(habit) ? after.map { $0 + 1 } ?? 0 : 0
            let stretch = all[start..<min(all.count, start + 100)].map { String(decoding: $0.json, as: UTF8.self) }
            return BlobAnswer(status: 200, body: Array("[\(stretch.joined(separator: ","))]".utf8))
        }
        let server = try server("a")
        try await withFiles(servers, on: clock) { files in
            let listing = try await files.listing(of: [server])
            #expect(listing.files.count == listed && listing.servers.allSatisfy { $0.refusal == nil })
        }
        #expect(servers.questions.count { $0.contains("/list/") } == questions)
    }

    @Test(
        "a server that copies nothing is brought the bytes, from a server that is on no list",
        arguments: [400, 403, 404, 409, 501, 502])
    func copiesNothing(status: Int) async throws {
        let servers = ScriptedMediaServers(blobs: ["https://a.example/\(Self.hash.hex)": Self.sound]) { request, body in
            request.method == .put && request.address == "https://b.example/upload"
                ? ScriptedMediaServers.kept(body, at: "b.example") : BlobAnswer(status: status)
        }
        let (first, second) = (try server("a"), try server("b"))
        let blob = ListedFile(
            hash: Self.hash, url: "https://a.example/\(Self.hash.hex)", size: Int64(Self.sound.count),
            type: "audio/wav", uploaded: Self.now, holders: [first])
        try await withFiles(servers) { files in
            let news = files.ended.listen()
            try await files.mirror(blob, to: [second])
            for await _ in news {
                if try await files.uploads().first?.file.holders == [first, second] { break }
            }
        }
        let puts = servers.questions.filter { $0.hasPrefix("PUT") }
        #expect(puts == ["PUT https://b.example/mirror", "PUT https://b.example/upload"])
    }

    @Test(
        "a server of this network is sent only to servers of it that the file was brought to",
        arguments: [
            ("http://192.168.1.20:3000", "http://192.168.1.20:3000", true),
            ("https://a.example", "http://192.168.1.1", false), ("https://a.example", "http://[fd00::1]", false),
            ("http://192.168.1.20:3000", "http://192.168.1.20", false),
            ("https://a.example", "https://b.example", true),
        ])
    func sentNear(from: String, place: String, isAsked: Bool) async throws {
        let target = try #require(MediaServer("http://192.168.1.30:3000"))
        let holder = try #require(MediaServer(from))
        let blobs = ["\(holder.address)/\(Self.hash.hex)": Self.sound]
        let servers = ScriptedMediaServers(blobs: blobs) { request, body in
            switch request.address {
            case "\(target.address)/mirror": ScriptedMediaServers.kept(Self.sound, at: "192.168.1.30:3000")
            case "\(target.address)/upload" where request.method == .put:
                ScriptedMediaServers.kept(body, at: "192.168.1.30:3000")
            default: BlobAnswer(status: 404)
            }
        }
        let blob = ListedFile(
            hash: Self.hash, url: "\(place)/\(Self.hash.hex)", size: Int64(Self.sound.count), type: "audio/wav",
            uploaded: Self.now, holders: [holder])
        try await withFiles(servers) { files in
            let news = files.ended.listen()
            try await files.mirror(blob, to: [target])
            for await _ in news {
                if try await files.uploads().first?.file.holders == [holder, target] { break }
            }
        }
        let puts = servers.questions.filter { $0.hasPrefix("PUT") }
        #expect(puts == ["PUT \(target.address)/\(isAsked ? "mirror" : "upload")"])
    }

    @Test(
        "a file that its server lost is brought there anew, and one that it has is not",
        arguments: [(404, 2), (200, 1)])
    func lost(status: Int, brought: Int) async throws {
        let servers = ScriptedMediaServers { request, body in
            switch (request.method, request.address) {
            case (.put, "https://a.example/upload"): ScriptedMediaServers.kept(body, at: "a.example", type: "audio/wav")
            case (.head, "https://a.example/\(Self.hash.hex)"): BlobAnswer(status: status)
            default: BlobAnswer(status: 404)
            }
        }
        let server = try server("a")
        try await withFiles(servers) { files in
            for _ in 0..<2 {
                let intake = try await files.intake()
                try intake.write(Self.sound)
                let facts = FileFacts(name: "a.wav", type: "audio/wav", description: "")
                let added = try await files.add(intake, facts, to: [server])
                let file = try await files.wait(for: [added.file.id], atMost: .seconds(60)).first?.file
                #expect(file?.holders == [server])
            }
            let known = try await files.uploads()
            #expect(known.count == 1)
        }
        #expect(servers.questions.filter { $0 == "PUT https://a.example/upload" }.count == brought)
    }

    @Test("servers that have a file are asked at once whether they have it still: one that is away holds up none")
    func askedTogether() async throws {
        let servers = SlowServers(
            ScriptedMediaServers { request, body in
                let isUpload = request.method == .put && request.address == "https://a.example/upload"
                if isUpload { return ScriptedMediaServers.kept(body, at: "a.example", type: "audio/wav") }
                let isCopy = request.method == .put && request.address == "https://b.example/mirror"
                if isCopy { return ScriptedMediaServers.kept(Self.sound, at: "b.example", type: "audio/wav") }
                return BlobAnswer(status: request.method == .head ? 200 : 404)
            }, asking: Self.hash)
        let both = [try server("a"), try server("b")]
        try await withFiles(servers) { files in
            let news = files.ended.listen()
            for turn in 0..<2 {
                let intake = try await files.intake()
                try intake.write(Self.sound)
                _ = try await files.add(intake, FileFacts(name: "a.wav", type: "audio/wav", description: ""), to: both)
                guard turn == 0 else { break }
                for await _ in news {
                    if try await files.uploads().first?.file.holders == both { break }
                }
            }
        }
        #expect(servers.most == 2)
    }

    @Test("what a server calls a wrong request is deleted where it does not have it; else it is told what it says")
    func deleted() async throws {
        let servers = ScriptedMediaServers { request, _ in
            switch request.method {
            case .head: BlobAnswer(status: request.address.hasPrefix("https://a.example/") ? 404 : 200)
            case .delete: BlobAnswer(status: 400, body: [UInt8](#"{"message":"unauthorized"}"#.utf8))
            default: BlobAnswer(status: 404)
            }
        }
        let (first, second) = (try server("a"), try server("b"))
        try await withFiles(servers) { files in
            let outcomes = try await files.delete(Self.hash, at: [first, second])
            #expect(outcomes.map { $0.refusal?.code } == [nil, .malformed])
            #expect(outcomes.last?.refusal?.reason == "unauthorized")
        }
    }

    @Test(
        "what a server says of a refusal is read from its field, else from its JSON, and from nothing else",
        arguments: [
            ("because", #"{"message":"no"}"#, "because"), (nil, #"{"message":"no"}"#, "no"),
            (nil, #"{"error":"no"}"#, "no"), (nil, #"{"message":7}"#, nil), (nil, #"{"message":"#, nil),
            (nil, #"["message"]"#, nil), (nil, "no", nil), (nil, "", nil),
        ] as [(String?, String, String?)])
    func reason(field: String?, body: String, said: String?) {
        let headers = field.map { ["x-reason": $0] } ?? [:]
        let refusal = ServerRefusal(BlobAnswer(status: 400, headers: headers, body: Array(body.utf8)))
        #expect(refusal?.code == .malformed && refusal?.reason == said)
    }
}

/// Servers that say whether they have a blob once two are asked.
private final class SlowServers: BlobTransferring {
    private let servers: ScriptedMediaServers
    private let blob: BlobHash
    private let open = Mutex(0)
    private let mostOpen = CurrentValue(0)

    /// How many were asked at the same time.
    var most: Int { mostOpen.value }

    init(_ servers: ScriptedMediaServers, asking blob: BlobHash) { (self.servers, self.blob) = (servers, blob) }

    func send(_ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> BlobAnswer {
        guard request.method == .head, request.address.hasSuffix("/\(blob.hex)") else {
            return try await servers.send(request, progress: progress)
        }
        open.withLock { open in
            open += 1
            mostOpen.set(max(open, mostOpen.value))
        }
        // It answers once another one is asked, however late that is.
        for await most in mostOpen.values() where most >= 2 { break }
        open.withLock { $0 -= 1 }
        return try await servers.send(request, progress: progress)
    }

    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        try await servers.fetch(address, headers: headers, into: file, longest: longest, deadline: deadline)
    }
}
