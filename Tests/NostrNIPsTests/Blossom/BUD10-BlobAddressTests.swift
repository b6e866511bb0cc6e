import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let blob = String(repeating: "ab", count: 32)

@Suite("BUD-10 addresses of blobs")
struct BlobAddressTests {
    @Test(
        "is read as programs write it",
        arguments: [
            ("blossom:\(blob).png?xs=cdn.example.com", "png", ["https://cdn.example.com/\(blob).png"]),
            (
                "blob:\(blob).pdf?xs=https://a.example&xs=b.example&xs=a.example", "pdf",
                ["https://a.example/\(blob).pdf", "https://b.example/\(blob).pdf"]
            ),
            ("BLOSSOM:\(blob.uppercased()).JPG?xs=https%3A%2F%2Fa.example", "jpg", ["https://a.example/\(blob).jpg"]),
            ("blossom:\(blob)", "bin", []), ("blossom:\(blob).?xs&=&xs=&sz=x", "bin", []),
            ("blossom:\(blob).mp4?xs=nonsense&xs=javascript:alert(1)", "mp4", []),
        ] as [(String, String, [String])])
    func reads(text: String, ending: String, addresses: [String]) throws {
        let address = try #require(BlobAddress(text))
        #expect(address.hash.hex == blob && address.ending == ending && address.addresses == addresses)
    }

    @Test("people and size are read, what makes no sense is not")
    func hints() throws {
        let (alice, bob) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        let address = try #require(
            BlobAddress("blossom:\(blob).png?as=\(alice.hex)&sz=184292&as=nobody&as=\(bob.hex)&as=\(alice.hex)"))
        #expect(address.authors == [alice, bob] && address.size == 184_292)
        #expect(BlobAddress("blossom:\(blob).png?sz=-1")?.size == nil)
        let many = (0..<100).map { "xs=s\($0).example" }.joined(separator: "&")
        #expect(BlobAddress("blossom:\(blob).png?" + many)?.servers.count == 8)
    }

    @Test(
        "what names no blob is none",
        arguments: [
            "", "blossom:", "blossom:\(blob.dropLast()).png", "blossom:\(blob)0.png", "blossom:\(blob).p/ng",
            "blossom://\(blob).png", "blob:https://a.example/1f2e", "https://a.example/\(blob).png",
            "blossom:\(blob).png?xs=" + String(repeating: "a", count: 5000),
        ])
    func refuses(text: String) {
        #expect(BlobAddress(text) == nil)
    }

    @Test(
        "stands in a text as a token of its own, without the sentence's full stop; browsers' own blob: addresses do not"
    )
    func inText() {
        let address = "blossom:\(blob).png?xs=a.example"
        let tokens = ContentToken.split("See \(address). And blob:https://a.example/1f2e")
        #expect(tokens.map(\.source).joined() == "See \(address). And blob:https://a.example/1f2e")
        #expect(tokens.count { if case .blob = $0.meaning { true } else { false } } == 1)
        #expect(tokens.contains { $0.source == address })
    }
}
