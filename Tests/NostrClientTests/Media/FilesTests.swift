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

/// Files that an account brings to media servers.
@Suite("files on media servers", .timeLimit(.minutes(10)))
struct FilesTests {
    private static let picture = [UInt8]("a picture".utf8)
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let two = ["https://a.example", "https://b.example"].compactMap { MediaServer($0) }

    /// One account's files, over scripted servers and a folder of their own.
    private struct Bench {
        let files: Files
        let servers: ScriptedMediaServers
        let folder: URL
        let records: MemoryRecordStore
        let store: MemoryEventStore

        init(
            _ servers: ScriptedMediaServers, records: MemoryRecordStore = MemoryRecordStore(), folder: URL? = nil,
            signer: (any EventSigner)? = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1)),
            now: Timestamp = FilesTests.now
        ) {
            let clock = ManualClock()
            self.servers = servers
            self.records = records
            self.folder =
                folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
            store = MemoryEventStore(now: { FilesTests.now })
            let context = AccountContext(
                publicKey: TestPerson.alice.publicKey, store: store, records: records,
                network: ScriptedNetwork(clock: clock),
                media: MediaAccess(transfer: servers, preparing: UnpreparedMedia(), folder: self.folder),
                configuration: AccountConfiguration(
                    routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
                time: Time(clock: clock, now: { now }))
            let gossip = Gossip(context)
            let publishing = Publishing(context, signer: signer, gossip: gossip)
            files = Files(
                context, gossip: gossip, publishing: publishing,
                replaceable: ReplaceableEvents(context, gossip: gossip, publishing: publishing))
        }

        func add(_ bytes: [UInt8], type: String = "image/png", to servers: [MediaServer]) async throws -> FileUpload {
            let intake = try await files.intake()
            try intake.write(bytes)
            return try await files.add(
                intake, FileFacts(name: "me.png", type: type, description: "Me"), to: servers)
        }

        func running(_ body: () async throws -> Void) async throws {
            try await withThrowingTaskGroup { group in
                group.addTask { await files.run() }
                try await body()
                group.cancelAll()
            }
            try? FileManager.default.removeItem(at: folder)
        }

        /// Waits until a file stands as a test wants.
        func until(_ id: String, _ holds: (OwnFile) -> Bool) async throws -> OwnFile {
            let news = files.ended.listen()
            if let file = try await files.upload(id)?.file, holds(file) { return file }
            for await _ in news {
                if let file = try await files.upload(id)?.file, holds(file) { return file }
            }
            throw CancellationError()
        }
    }

    @Test("a file goes to the first server that takes it, the others copy it, and a note says all of that")
    func firstTakes() async throws {
        let servers = ScriptedMediaServers { request, body in
            switch (request.method, request.address) {
            case (.head, _): return BlobAnswer(status: 404)
            case (.put, "https://a.example/upload"): return ScriptedMediaServers.kept(body, at: "a.example")
            case (.put, "https://b.example/mirror"):
                return ScriptedMediaServers.kept(FilesTests.picture, at: "b.example")
            default: return BlobAnswer(status: 404)
            }
        }
        let bench = Bench(servers)
        try await bench.running {
            let added = try await bench.add(Self.picture, to: Self.two)
            let file = try await bench.until(added.file.id) { $0.holders.count == 2 }
            let hash = BlobHash(of: Self.picture).hex
            #expect(file.stored?.url == "https://a.example/\(hash).png")
            let attachment = try #require(file.attachment.flatMap { MediaAttachment($0) })
            #expect(attachment.hash == hash && attachment.originalHash == nil && attachment.description == "Me")
            #expect(attachment.fallbacks == ["https://b.example/\(hash).png"])
            let event = try await bench.files.publish(file.id, saying: "Me at the weir #selfie")
            let shared = try #require(FileMetadata(event))
            #expect(shared.file.hash == hash && shared.file.description == "Me" && shared.topics == ["selfie"])
            #expect(shared.file.fallbacks == attachment.fallbacks && shared.text == "Me at the weir #selfie")
            await #expect(throws: AccountError.self) { _ = try await bench.files.publish("nobody", saying: "") }
        }
        let puts = servers.questions.filter { $0.hasPrefix("PUT") }
        #expect(
            puts == [
                "PUT https://a.example/media", "PUT https://a.example/upload", "PUT https://b.example/mirror",
            ])
    }

    @Test("where no server takes a sealed file, what each said is told")
    func sealedRefused() async throws {
        let servers = ScriptedMediaServers { request, _ in
            guard request.address.hasPrefix("https://a.example") else { throw ServerRefusal(.unreachable) }
            return BlobAnswer(status: 413, headers: ["x-reason": "5 bytes at most"])
        }
        let bench = Bench(servers)
        defer { try? FileManager.default.removeItem(at: bench.folder) }
        try await bench.files.keepUsual(Self.two)
        var outcomes: [ServerOutcome] = []
        do {
            _ = try await bench.files.upload([1, 2, 3], type: "application/octet-stream")
        } catch SealedFileError.refused(let told) {
            outcomes = told
        }
        #expect(outcomes.map(\.server) == Self.two)
        #expect(outcomes.map(\.refusal?.code) == [.tooLarge, .unreachable])
        #expect(outcomes.first?.refusal?.reason == "5 bytes at most")
        // Nothing of it stays.
        let left = try FileManager.default.contentsOfDirectory(
            atPath: bench.folder.appendingPathComponent("outgoing").path)
        #expect(left.isEmpty)
        #expect(try await bench.records.records(in: Files.table).isEmpty)
    }

    @Test("a server that was away gets its copy of a sealed file later, which is remembered no longer than that")
    func sealedLater() async throws {
        let away = ScriptedMediaServers { request, body in
            guard request.address.hasPrefix("https://a.example") else { throw ServerRefusal(.unreachable) }
            return ScriptedMediaServers.kept(body, at: "a.example")
        }
        let bench = Bench(away)
        try await bench.files.keepUsual(Self.two)
        let addresses = try await bench.files.upload([1, 2, 3], type: "application/octet-stream")
        #expect(addresses.count == 1 && addresses.first?.hasPrefix("https://a.example/") == true)
        // Only its owner can read what is sent.
        let outgoing = bench.folder.appendingPathComponent("outgoing")
        let names = try FileManager.default.contentsOfDirectory(atPath: outgoing.path)
        let facts = try names.map {
            try FileManager.default.attributesOfItem(atPath: outgoing.appendingPathComponent($0).path)
        }
        #expect(facts.map { $0[.posixPermissions] as? Int } == [0o600])
        // It is no file of the account's own pages.
        #expect(try await bench.files.uploads().isEmpty)
        #expect(try await bench.records.records(in: Files.table).count == 1)
        let back = ScriptedMediaServers { request, body in
            guard request.address == "https://b.example/upload" else { return BlobAnswer(status: 404) }
            return ScriptedMediaServers.kept(body, at: "b.example")
        }
        // After a restart, a minute later.
        let again = Bench(back, records: bench.records, folder: bench.folder, now: Self.now + .seconds(60))
        let news = again.files.ended.listen()
        try await again.running {
            var isDone = try await again.records.records(in: Files.table).isEmpty
            guard !isDone else { return }
            for await _ in news {
                isDone = try await again.records.records(in: Files.table).isEmpty
                if isDone { break }
            }
        }
        #expect(back.questions == ["PUT https://b.example/mirror", "PUT https://b.example/upload"])
    }

    @Test("without a list, sealed files go to the server that was chosen and to no other, or nowhere")
    func sealedWithoutList() async throws {
        let servers = ScriptedMediaServers { request, body in
            request.method == .put ? ScriptedMediaServers.kept(body, at: "home.example") : BlobAnswer(status: 404)
        }
        let bench = Bench(servers)
        try await bench.running {
            try await bench.files.keepUsual([])
            #expect(try await bench.files.servers().inUse == [])
            await #expect(throws: SealedFileError.noServer) {
                _ = try await bench.files.upload([1, 2, 3], type: "application/octet-stream")
            }
            #expect(servers.questions.isEmpty)
            let home = try #require(MediaServer("https://home.example"))
            try await bench.files.keepUsual([home])
            // Kept over a restart.
            let again = Bench(servers, records: bench.records, folder: bench.folder)
            #expect(try await again.files.servers() == OwnMediaServers(servers: [], isPublished: false, usual: [home]))
            _ = try await again.files.upload([1, 2, 3], type: "application/octet-stream")
            #expect(!servers.questions.isEmpty)
            #expect(servers.questions.allSatisfy { $0.contains("https://home.example/") }, "\(servers.questions)")
        }
    }

    @Test("each request has a token of its own, for that server and blob, dated in the past and short")
    func tokens() async throws {
        let servers = ScriptedMediaServers { request, body in
            request.address.hasSuffix("/upload") && request.method == .put
                ? ScriptedMediaServers.kept(body, at: "a.example") : BlobAnswer(status: 404)
        }
        let bench = Bench(servers)
        try await bench.running {
            let added = try await bench.add(Self.picture, to: Array(Self.two.prefix(1)))
            _ = try await bench.until(added.file.id) { $0.standing == .stored }
        }
        let puts = servers.requests.filter { $0.method == .put }
        #expect(puts.count == 2)
        for (request, action) in zip(puts, [BlobAuthorization.Action.media, .upload]) {
            let header = try #require(request.headers["Authorization"])
            let token = try BlobAuthorization(header: header, now: Self.now)
            #expect(token.actions == [action] && token.blobs == [BlobHash(of: Self.picture)])
            // It holds as long as the upload may take, and five minutes.
            #expect(token.servers == ["a.example"] && token.expiration == Self.now + .seconds(420))
            #expect(throws: BlobAuthorization.Refusal.notYet(Self.now - .seconds(5))) {
                try BlobAuthorization(header: header, now: Self.now - .seconds(66))
            }
        }
    }

    @Test(
        "a server that refuses is passed over, and what it said is kept",
        arguments: [
            (402, ServerRefusal.Code.paymentRequired), (413, .tooLarge), (415, .wrongType), (429, .tooMany),
            (401, .unauthorized), (500, .failed), (302, .redirected),
        ])
    func refused(status: Int, code: ServerRefusal.Code) async throws {
        let servers = ScriptedMediaServers { request, body in
            if request.address.hasPrefix("https://b.example"), request.method == .put {
                return request.address.hasSuffix("/upload")
                    ? ScriptedMediaServers.kept(body, at: "b.example") : BlobAnswer(status: 404)
            }
            if request.method == .head { return BlobAnswer(status: 200) }
            return BlobAnswer(
                status: status,
                headers: ["x-reason": "because", "x-lightning": "lnbc1", "location": "https://c.example"])
        }
        let bench = Bench(servers)
        try await bench.running {
            let added = try await bench.add(Self.picture, to: Self.two)
            let file = try await bench.until(added.file.id) { $0.standing == .stored }
            #expect(file.holders.map(\.domain) == ["b.example"])
            let place = try #require(file.places.first)
            #expect(place.refusal?.code == code && place.refusal?.reason == "because")
            #expect(place.refusal?.invoice == (status == 402 ? "lnbc1" : nil))
        }
    }

    @Test("a server that says it keeps something else is not believed, and a file that nobody took says so")
    func liar() async throws {
        let servers = ScriptedMediaServers { request, _ in
            request.method == .head
                ? BlobAnswer(status: 404) : ScriptedMediaServers.kept([UInt8]("other".utf8), at: "a.example")
        }
        let bench = Bench(servers)
        try await bench.running {
            // What is no picture is made no smaller by a server, so it is brought as it is.
            let added = try await bench.add(Self.picture, type: "audio/wav", to: Array(Self.two.prefix(1)))
            let file = try await bench.until(added.file.id) { $0.standing == .failed }
            #expect(file.places.first?.refusal?.code == .wrongHash && file.attachment == nil)
            // Its bytes are still here, to be tried again.
            try await bench.files.retry(file.id)
            let again = try await bench.until(file.id) { $0.standing == .failed }
            #expect(again.places.first?.refusal?.code == .wrongHash)
            try await bench.files.cancel(file.id)
            let gone = try await bench.files.upload(file.id)
            #expect(gone == nil)
        }
    }

    @Test("an upload outlives the program")
    func restart() async throws {
        let silent = Bench(ScriptedMediaServers { _, _ in throw ServerRefusal(.unreachable) })
        let added = try await silent.add(Self.picture, type: "audio/wav", to: Array(Self.two.prefix(1)))
        #expect(added.file.standing == .waiting)
        let later = Bench(
            ScriptedMediaServers { request, body in
                request.method == .put ? ScriptedMediaServers.kept(body, at: "a.example") : BlobAnswer(status: 404)
            }, records: silent.records, folder: silent.folder)
        try await later.running {
            let file = try await later.until(added.file.id) { $0.standing == .stored }
            #expect(file.description == "Me")
        }
    }

    @Test("lists of several servers are put together, and deleting tells what each said")
    func listing() async throws {
        let hash = BlobHash(of: Self.picture)
        let row = String(decoding: ScriptedMediaServers.kept(Self.picture, at: "a.example").body, as: UTF8.self)
        let servers = ScriptedMediaServers { request, _ in
            switch (request.method, request.address.hasPrefix("https://a.example")) {
            case (.get, true): return BlobAnswer(status: 200, body: [UInt8]("[\(row), {}]".utf8))
            case (.delete, true): return BlobAnswer(status: 204)
            default: return BlobAnswer(status: 503)
            }
        }
        let bench = Bench(servers)
        let listing = try await bench.files.listing(of: Self.two)
        #expect(listing.files.map(\.hash) == [hash] && listing.files.first?.holders.map(\.domain) == ["a.example"])
        #expect(listing.servers.map { $0.refusal?.code } == [nil, .failed])
        let outcomes = try await bench.files.delete(hash, at: Self.two)
        #expect(outcomes.map { $0.refusal?.code } == [nil, .failed])
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("what is gone is found on its author's servers, and only the right bytes are given out")
    func found() async throws {
        let hash = BlobHash(of: Self.picture)
        let servers = ScriptedMediaServers(blobs: [
            "https://a.example/\(hash.hex)": [UInt8]("a lie".utf8), "https://b.example/\(hash.hex)": Self.picture,
        ])
        let bench = Bench(servers)
        let list = TestPerson.bob.event(
            "", kind: MediaServerList.kind, tags: Self.two.map { ["server", $0.address] }, at: 1000)
        _ = await bench.store.save([list], from: nil)
        let first = try await bench.files.find(hash, of: TestPerson.bob.publicKey)
        let file = try #require(first)
        let bytes = [UInt8](try Data(contentsOf: file.file))
        #expect(bytes == Self.picture && file.type == "image/png")
        _ = try await bench.files.find(hash, of: TestPerson.bob.publicKey)
        #expect(servers.questions.count == 2)
        let other = try await bench.files.find(BlobHash(of: [1]), of: TestPerson.bob.publicKey)
        #expect(other == nil)
        let usage = try await bench.files.foundUsage()
        #expect(usage.count == 1 && usage.bytes == Int64(Self.picture.count) && usage.limit == MediaFinder.usualRoom)
        try await bench.files.clearFound()
        let left = try await bench.files.foundUsage()
        #expect(left.count == 0 && left.bytes == 0)
        #expect(!FileManager.default.fileExists(atPath: file.file.path))
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("a server of the account's own that asks who wants a file is told; another learns nothing of who looks")
    func closed() async throws {
        let hash = BlobHash(of: Self.picture)
        let addresses = Self.two.map { "\($0.address)/\(hash.hex)" }
        let servers = ScriptedMediaServers(
            blobs: Dictionary(uniqueKeysWithValues: addresses.map { ($0, Self.picture) }),
            closed: Self.two.map(\.address))
        let bench = Bench(servers)
        let (strange, own) = (Self.two[0], Self.two[1])
        let lists = [
            TestPerson.bob.event("", kind: MediaServerList.kind, tags: [["server", strange.address]], at: 1000),
            TestPerson.alice.event("", kind: MediaServerList.kind, tags: [["server", own.address]], at: 1000),
        ]
        _ = await bench.store.save(lists, from: nil)
        let file = try await bench.files.find(hash, of: TestPerson.bob.publicKey)
        #expect(file != nil)
        #expect(servers.questions == [addresses[0], addresses[1], addresses[1]].map { "GET \($0)" })
        #expect(servers.requests.prefix(2).allSatisfy { $0.headers["Authorization"] == nil })
        let header = try #require(servers.requests.last?.headers["Authorization"])
        let token = try BlobAuthorization(header: header, now: Self.now)
        #expect(token.actions == [.get] && token.blobs == [hash] && token.servers == ["b.example"])
        #expect(token.author == TestPerson.alice.publicKey && token.expiration <= Self.now + .seconds(600))
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("an account that only reads shows no closed server a token")
    func closedToReaders() async throws {
        let hash = BlobHash(of: Self.picture)
        let address = "https://a.example/\(hash.hex)"
        let servers = ScriptedMediaServers(blobs: [address: Self.picture], closed: ["https://a.example"])
        let bench = Bench(servers, signer: nil)
        let list = TestPerson.alice.event(
            "", kind: MediaServerList.kind, tags: [["server", "https://a.example"]], at: 1000)
        _ = await bench.store.save([list], from: nil)
        let file = try await bench.files.find(hash, of: TestPerson.alice.publicKey)
        #expect(file == nil && servers.requests.allSatisfy { $0.headers["Authorization"] == nil })
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("a signer that does not sign is not asked again for each picture of a page")
    func silentSigner() async throws {
        let hashes = [Self.picture, [1], [2]].map { BlobHash(of: $0) }
        let signer = RefusingSigner()
        let servers = ScriptedMediaServers(closed: ["https://a.example"])
        let bench = Bench(servers, signer: signer)
        let list = TestPerson.alice.event(
            "", kind: MediaServerList.kind, tags: [["server", "https://a.example"]], at: 1000)
        _ = await bench.store.save([list], from: nil)
        for hash in hashes {
            let file = try await bench.files.find(hash, of: TestPerson.alice.publicKey)
            #expect(file == nil)
        }
        #expect(signer.asked == 1 && servers.questions.count == 3)
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("a key that was locked opens a closed server as soon as it is unlocked")
    func unlocked() async throws {
        let hash = BlobHash(of: Self.picture)
        let signer = RefusingSigner(because: .locked)
        let servers = ScriptedMediaServers(
            blobs: ["https://a.example/\(hash.hex)": Self.picture], closed: ["https://a.example"])
        let bench = Bench(servers, signer: signer)
        let list = TestPerson.alice.event(
            "", kind: MediaServerList.kind, tags: [["server", "https://a.example"]], at: 1000)
        _ = await bench.store.save([list], from: nil)
        let before = try await bench.files.find(hash, of: TestPerson.alice.publicKey)
        signer.signs()
        let after = try await bench.files.find(hash, of: TestPerson.alice.publicKey)
        #expect(before == nil && after != nil && signer.asked == 2)
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("a film tells of the still that was brought with it; a sound gets none")
    func still() async throws {
        let servers = ScriptedMediaServers { request, body in
            request.method == .put && request.address.hasSuffix("/upload")
                ? ScriptedMediaServers.kept(body, at: "a.example") : BlobAnswer(status: 404)
        }
        let bench = Bench(servers)
        let one = Array(Self.two.prefix(1))
        try await bench.running {
            let film = try await bench.add([UInt8]("a film".utf8), type: "video/mp4", to: one)
            let picture = try await bench.files.intake()
            try picture.write(Self.picture)
            try await bench.files.addStill(picture, of: film.file.id)
            let told = try await bench.until(film.file.id) { file in
                file.attachment?.elements.contains { $0.hasPrefix("image ") } == true
            }
            let hash = BlobHash(of: Self.picture).hex
            #expect(told.attachment?.elements.contains("image https://a.example/\(hash).png") == true)

            let sound = try await bench.add([UInt8]("a sound".utf8), type: "audio/wav", to: one)
            let other = try await bench.files.intake()
            try other.write([UInt8]("another".utf8))
            try await bench.files.addStill(other, of: sound.file.id)
            let uploads = try await bench.files.uploads()
            #expect(uploads.count == 3)
        }
    }

    @Test("a queued file lies in the account's own folder, which nobody else can read, and nothing beside it")
    func place() async throws {
        let bench = Bench(ScriptedMediaServers())
        let added = try await bench.add(Self.picture, to: Self.two)
        for name in ["incoming", "preparing", "outgoing", "found"] {
            let path = bench.folder.appendingPathComponent(name).path
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.posixPermissions] as? Int == 0o700, "\(name)")
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(names == (name == "outgoing" ? [added.file.id] : []), "\(name)")
        }
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("a film of which many parts are wanted at once is fetched once")
    func parts() async throws {
        let hash = BlobHash(of: Self.picture)
        let servers = ScriptedMediaServers(blobs: ["https://a.example/\(hash.hex)": Self.picture])
        let bench = Bench(servers)
        let list = TestPerson.bob.event(
            "", kind: MediaServerList.kind, tags: [["server", "https://a.example"]], at: 1000)
        _ = await bench.store.save([list], from: nil)
        let files = bench.files
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await files.find(hash, of: TestPerson.bob.publicKey) != nil }
            }
            for try await isFound in group { #expect(isFound) }
        }
        #expect(servers.questions.count == 1)
        try? FileManager.default.removeItem(at: bench.folder)
    }

    @Test("an account without a key brings nothing")
    func readOnly() async throws {
        let bench = Bench(ScriptedMediaServers(), signer: nil)
        await #expect(throws: AccountError.self) {
            _ = try await bench.add(Self.picture, to: Self.two)
        }
        try? FileManager.default.removeItem(at: bench.folder)
    }
}

/// Somebody who does not sign, until they do.
private final class RefusingSigner: EventSigner {
    private let inner = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1))
    private let count = Mutex(0)
    private let failure: Mutex<SigningFailure?>

    init(because failure: SigningFailure = .refused) { self.failure = Mutex(failure) }

    /// Signs from now on.
    func signs() { failure.withLock { $0 = nil } }

    /// How often it was asked to sign.
    var asked: Int { count.withLock { $0 } }
    var publicKey: PublicKey { inner.publicKey }

    func sign(_ draft: EventDraft) async throws -> Event {
        count.withLock { $0 += 1 }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return try await inner.sign(draft)
    }

    func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await inner.encrypt(plaintext, for: other, by: cipher)
    }

    func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await inner.decrypt(payload, from: other, by: cipher)
    }

    func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        try await inner.open(wraps)
    }
}
