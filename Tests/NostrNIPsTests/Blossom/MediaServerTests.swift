import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("BUD-03 media servers")
struct MediaServerTests {
    private static let hash = String(repeating: "ab", count: 32)

    @Test(
        "an address is read as people and lists write it",
        arguments: [
            ("https://blossom.example", "https://blossom.example", "blossom.example"),
            (" HTTPS://Blossom.Example/ ", "https://blossom.example", "blossom.example"),
            ("blossom.example", "https://blossom.example", "blossom.example"),
            ("https://blossom.example:443/upload?x=1#y", "https://blossom.example", "blossom.example"),
            ("http://linden.localhost:8080/", "http://linden.localhost:8080", "linden.localhost"),
            ("http://localhost:3000", "http://localhost:3000", "localhost"),
        ])
    func reads(text: String, address: String, domain: String) throws {
        let server = try #require(MediaServer(text))
        #expect(server.address == address && server.domain == domain)
    }

    @Test(
        "what is no address of a server is none",
        arguments: [
            "", "https://", "wss://relay.example", "javascript:alert(1)", "https://user@host.example",
            "https://-x.example", "https://host.example:0", "https://host.example:99999", "word", "https://hö.example",
        ])
    func refuses(text: String) {
        #expect(MediaServer(text) == nil)
    }

    @Test("a list keeps order, drops garbage and repetitions, and keeps tags it does not know")
    func list() throws {
        let event = TestPerson.alice.event(
            "kept", kind: MediaServerList.kind,
            tags: [
                ["server", "https://b.example/"], ["alt", "servers"], ["server", "nonsense"], ["server"],
                ["server", "https://a.example"], ["server", "https://B.example"],
            ], at: 1000)
        var list = try #require(MediaServerList(event))
        #expect(list.servers.map(\.address) == ["https://b.example", "https://a.example"])
        list.set(list.servers.reversed())
        let draft = list.draft(now: Timestamp(seconds: 900))
        #expect(
            draft.tags == [["server", "https://a.example"], ["server", "https://b.example"], ["alt", "servers"]])
        #expect(draft.content == "kept" && draft.createdAt.seconds == 1001)
    }

    @Test(
        "a blob is named by the last 64 characters of hex in an address",
        arguments: [
            ("https://a.example/\(hash).pdf", true), ("https://a.example/\(hash)", true),
            ("https://a.example/user/\(String(repeating: "1", count: 64))/media/\(hash).png?x=1", true),
            ("https://a.example/\(hash.uppercased()).png", true), ("https://a.example/\(hash)a.png", false),
            ("https://a.example/x.png", false), ("", false),
        ])
    func hashes(address: String, isThere: Bool) {
        #expect(BlobHash(inAddress: address)?.hex == (isThere ? Self.hash : nil))
    }

    @Test("an address of a blob ends as its type does")
    func endings() throws {
        let (server, blob) = (try #require(MediaServer("https://a.example")), try #require(BlobHash(hex: Self.hash)))
        #expect(server.address(of: blob, type: "image/png") == "https://a.example/\(Self.hash).png")
        #expect(server.address(of: blob, type: "x/y") == "https://a.example/\(Self.hash)")
    }

    @Test("a hash of pieces is the hash of the whole")
    func pieces() {
        var hasher = BlobHasher()
        for piece in ["one", "", "two"] { hasher.update([UInt8](piece.utf8)) }
        #expect(hasher.finish() == BlobHash(of: [UInt8]("onetwo".utf8)))
    }

    @Test("noise never traps")
    func noise() {
        Noise.run([UInt8]("https://a.example:80/\(Self.hash).png".utf8), rounds: 300) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = MediaServer(text)
            _ = BlobHash(inAddress: text)
        }
    }
}
