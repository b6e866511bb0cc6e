import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-51 emoji sets")
struct EmojiSetTests {
    private let bob = TestPerson.bob

    private func set(_ tags: [Tag], kind: Kind = 30_030) -> EmojiSet? {
        EmojiSet(bob.event("", kind: kind, tags: tags))
    }

    @Test("a pack's emoji stand once, by the first of a name, and know their pack")
    func emoji() throws {
        let found = try #require(
            set([
                ["d", "birds"], ["title", ""], ["name", "Birds"], ["description", "small ones"],
                ["emoji", "linnet", "https://e.example/l.png"], ["emoji", "linnet", "https://e.example/other.png"],
                ["emoji", "two words", "https://e.example/x.png"], ["emoji", "wave"], ["emoji", "x", "javascript:y"],
                ["emoji", "wren", "https://e.example/w.png", "30030:someone:else"],
            ]))
        #expect(found.title == "Birds" && found.about == "small ones")
        #expect(found.emoji.map(\.shortcode) == ["linnet", "wren"])
        #expect(found.emoji.first?.url == "https://e.example/l.png")
        let address = EventAddress(kind: 30_030, author: bob.publicKey, identifier: "birds")
        #expect(found.address == address && found.emoji.allSatisfy { $0.set == address })
    }

    @Test("a pack without a title is called by its identifier; one of another kind is none")
    func names() throws {
        #expect(set([["d", "plain"]])?.title == "plain")
        #expect(set([])?.title == "")
        #expect(set([["d", "x"]], kind: 30_000) == nil)
    }

    @Test("a pack is bounded")
    func bounded() throws {
        let many = (0..<2000).map { Tag(["emoji", "e\($0)", "https://e.example/\($0).png"]) }
        #expect(set([["d", "x"]] + many)?.emoji.count == EmojiSet.mostEmoji)
    }
}
