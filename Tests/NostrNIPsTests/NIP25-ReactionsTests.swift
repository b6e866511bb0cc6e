import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-25 reactions")
struct ReactionTests {
    @Test("understands likes, dislikes and emoji")
    func meanings() throws {
        let tags: [Tag] = [["e", repeatedHex("a")], ["emoji", "wave", "https://example.com/w.png"]]
        func meaning(_ content: String) -> Reaction.Meaning? {
            Reaction(TestPerson.bob.event(content, kind: 7, tags: tags))?.meaning
        }
        #expect(meaning("+") == .like)
        #expect(meaning("") == .like)
        #expect(meaning("-") == .dislike)
        #expect(meaning("🤙") == .emoji("🤙"))
        #expect(meaning(":wave:") == .customEmoji(try #require(tags.customEmoji.first)))
        #expect(meaning(":nope:") == .emoji(":nope:"))
    }

    @Test("the last event and person named are the target")
    func target() throws {
        let event = TestPerson.bob.event(
            kind: 7,
            tags: [
                ["e", repeatedHex("a")], ["p", repeatedHex("1")], ["e", repeatedHex("b")], ["p", repeatedHex("2")],
                ["e", "x"],
            ])
        let reaction = try #require(Reaction(event))
        #expect(reaction.target.id == repeatedID("b"))
        #expect(reaction.target.author?.hex == repeatedHex("2"))
        #expect(Reaction(TestPerson.bob.event(kind: 7, tags: [["e", "x"]])) == nil)
    }

    @Test("a draft reads back as it was meant")
    func roundTrip() throws {
        let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])
        let relay = try RelayURL("wss://r.example.com")
        let draft = Reaction.draft(to: article, relay: relay, createdAt: moment)
        let reaction = try #require(Reaction(TestPerson.bob.event(draft.content, kind: 7, tags: draft.tags)))
        #expect(reaction.target == EventPointer(article, relays: [relay]))
        #expect(reaction.address == article.address)
        #expect(reaction.meaning == .like)
    }

    @Test(
        "a reaction counts by an address alone or an older version, and not where it only happened there",
        arguments: [
            ([], true), ([["e", repeatedHex("a")]], true), ([["k", "30023"]], true),
            ([["e", repeatedHex("a")], ["k", "1311"]], false), ([["k", "x"]], true),
            ([["e", repeatedHex("a")], ["p", TestPerson.alice.publicKey.hex]], true),
            ([["e", repeatedHex("a")], ["p", TestPerson.carol.publicKey.hex]], false),
            ([["e", repeatedHex("a"), "", TestPerson.carol.publicKey.hex]], false),
            ([["e", repeatedHex("a")], ["p", TestPerson.carol.publicKey.hex], ["k", "30023"]], true),
            ([["p", TestPerson.carol.publicKey.hex]], true),
        ] as [([Tag], Bool)])
    func toAddress(more: [Tag], counts: Bool) throws {
        let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])
        let address = try #require(article.address)
        let event = TestPerson.bob.event("+", kind: 7, tags: [["a", address.description]] + more)
        #expect((Reaction(event, to: article.id, at: address)?.target.id == article.id) == counts)
        #expect(Reaction(event, to: article.id, at: nil) == nil)
        let note = TestPerson.bob.event("+", tags: [["a", address.description]])
        #expect(Reaction(note, to: article.id, at: address) == nil)
    }
}
