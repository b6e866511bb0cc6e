import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-23 articles")
struct LongFormTests {
    @Test("reads an article")
    func article() throws {
        let tags: [Tag] = [
            ["d", "lorem"], ["title", "Lorem"], ["published_at", "1296962229"], ["t", "Place"], ["t", "place"],
            ["summary", ""],
        ]
        let article = try #require(Article(TestPerson.alice.event("# Hi", kind: 30_023, tags: tags)))
        #expect(article.title == "Lorem")
        #expect(article.summary == nil)
        #expect(article.publishedAt?.seconds == 1_296_962_229)
        #expect(article.hashtags == ["place"])
        #expect(article.markdown == "# Hi")
        #expect(article.address.identifier == "lorem")
    }
}

@Suite("NIP-23 articles that are published")
struct ArticleDraftTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    @Test(
        "titles make identifiers",
        arguments: [
            ("A guide to Linnets!", "a-guide-to-linnets"), ("  Übung, 2. Teil ", "übung-2-teil"), ("東京", "東京"),
            ("?!", ""),
        ])
    func identifiers(title: String, identifier: String) {
        #expect(ArticleDraft(title: title, markdown: "x").identifier == identifier)
    }

    @Test("long titles make identifiers that fit a code")
    func longTitle() {
        #expect(ArticleDraft.identifier(of: String(repeating: "ü", count: 400)).utf8.count <= 80)
    }

    @Test("a new version keeps when it was first published and what this program does not know, and drops old topics")
    func replaces() throws {
        let first = TestPerson.alice.event(
            "old", kind: 30_023,
            tags: [["d", "x"], ["title", "Old"], ["published_at", "1600000000"], ["t", "old"], ["zap", "z"]])
        let npub = TestPerson.bob.publicKey.npub
        let draft = ArticleDraft(
            identifier: "x", title: "New", hashtags: ["Birds", "birds", ""], markdown: "with nostr:\(npub)"
        ).draft(replacing: first, now: now)
        #expect(draft.tags.firstValue("published_at") == "1600000000")
        #expect(draft.tags.named("t") == [["t", "birds"]])
        #expect(draft.tags.named("zap") == [["zap", "z"]])
        #expect(draft.tags.named("p").first?.value == TestPerson.bob.publicKey.hex)
        #expect(draft.createdAt > first.createdAt)
        let fresh = ArticleDraft(title: "Fresh", markdown: "x").draft(replacing: nil, now: now)
        #expect(fresh.tags.firstValue("published_at") == "1700000000" && fresh.kind == 30_023)
    }

    @Test("drafts are read, and other kinds are none; what an event is stands in its alt tag")
    func kinds() {
        let alice = TestPerson.alice
        #expect(Article(alice.event("x", kind: 30_024, tags: [["d", "y"]]))?.isDraft == true)
        #expect(Article(alice.event("x", kind: 30_023))?.isDraft == false)
        #expect(Article(alice.event("x", kind: 30_025)) == nil)
        #expect(alice.event(tags: [["alt", "A walk"]]).tags.alternativeText == "A walk")
        #expect(alice.event(tags: [["alt", ""], ["alt"]]).tags.alternativeText == nil)
    }
}
