import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrWorld

@Suite("media servers of the world")
struct WorldMediaServersTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let bytes = [UInt8]("a file".utf8)

    private func request(
        _ method: String, _ host: String, _ path: String, _ action: BlobAuthorization.Action, blob: BlobHash?,
        body: [UInt8] = []
    ) -> WorldMediaServers.Incoming {
        let draft = BlobAuthorization.draft(
            action, blobs: blob.map { [$0] } ?? [], servers: ["\(host).localhost"], words: "Upload",
            createdAt: Self.now, expiration: Self.now + .seconds(300))
        let token = TestPerson.alice.event(draft.content, kind: draft.kind, tags: draft.tags, at: Self.now.seconds)
        return WorldMediaServers.Incoming(
            method: method, address: "http://\(host).localhost:99/\(path)",
            headers: ["Authorization": BlobAuthorization.header(token), "Content-Type": "image/png"], body: body)
    }

    @Test("one keeps, lists, gives and deletes; one breaks off, one lies, one wants to be paid")
    func manners() throws {
        let servers = WorldMediaServers(port: 99, now: { Self.now })
        let hash = BlobHash(of: Self.bytes)
        func upload(_ host: String) -> WorldMediaServers.Answer? {
            servers.answer(request("PUT", host, "upload", .upload, blob: hash, body: Self.bytes))
        }
        #expect(upload("ember") == nil)
        let asked = try #require(upload("toll")?.headers["x-lightning"])
        let invoice = try LightningInvoice(asked)
        #expect(upload("toll")?.status == 402 && invoice.millisatoshis == 21_000)
        let kept = try #require(upload("linden"))
        #expect(kept.status == 201 && BlobDescriptor(json: kept.body)?.hash == hash)
        let lie = try #require(upload("mirage"))
        #expect(BlobDescriptor(json: lie.body)?.hash != hash)
        let list = servers.answer(
            request("GET", "linden", "list/\(TestPerson.alice.publicKey.hex)", .list, blob: nil))
        #expect(list.map { String(decoding: $0.body, as: UTF8.self).contains(hash.hex) } == true)
        let plain = WorldMediaServers.Incoming(
            method: "GET", address: "http://linden.localhost:99/\(hash.hex).png", headers: [:], body: [])
        #expect(servers.answer(plain)?.body == Self.bytes)
        #expect(servers.answer(request("DELETE", "linden", hash.hex, .delete, blob: hash))?.status == 204)
        #expect(servers.answer(plain)?.status == 404)
    }

    @Test("a server copies from another, and takes no token for another server")
    func mirroring() throws {
        let servers = WorldMediaServers(port: 99, now: { Self.now })
        let hash = BlobHash(of: Self.bytes)
        _ = servers.answer(request("PUT", "linden", "upload", .upload, blob: hash, body: Self.bytes))
        let body = [UInt8](#"{"url":"http://linden.localhost:99/\#(hash.hex).png"}"#.utf8)
        let copied = servers.answer(request("PUT", "ember", "mirror", .upload, blob: hash, body: body))
        #expect(copied?.status == 201)
        var stolen = request("PUT", "linden", "upload", .upload, blob: hash, body: Self.bytes)
        stolen.address = "http://mirage.localhost:99/upload"
        #expect(servers.answer(stolen)?.status == 401)
    }

    @Test("the demo person has servers, and pictures whose first server is gone are kept by their authors' own")
    func world() throws {
        let world = try World(
            seed: 1961, size: .hamlet, now: Self.now, ports: WorldPorts(from: 20_000, relays: WorldSize.hamlet.relays))
        let lists = world.events.compactMap { event in MediaServerList(event).map { (event.pubkey, $0) } }
        #expect(lists.contains { $0.0 == world.heroPerson.publicKey && $0.1.servers.count == 4 })
        let lost = world.events.filter { $0.kind == 1 && $0.content.contains("http://gone.localhost") }
        #expect(lost.count == WorldFiles.lost.count)
        let servers = WorldMediaServers(port: 20_000 + WorldSize.hamlet.relays, now: { Self.now })
        for note in lost {
            let hash = try #require(BlobHash(inAddress: note.content))
            let linden = WorldMediaServers.Incoming(
                method: "GET", address: "\(servers.addresses[1])/\(hash.hex)", headers: [:], body: [])
            #expect(servers.answer(linden).map { BlobHash(of: $0.body) } == hash)
            #expect(lists.contains { $0.0 == note.pubkey })
        }
    }
}
