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
