import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-50 search")
struct SearchTests {
    @Test(
        "splits words and extensions",
        arguments: [
            ("best nostr apps", "best nostr apps", 0), ("  orange   domain:example.com ", "orange", 1),
            ("language:en nsfw:false", "", 2),
            ("at 12:30 https://x.example.com a: :b", "at 12:30 https://x.example.com a: :b", 0),
        ])
    func splits(text: String, words: String, extensions: Int) {
        let query = SearchQuery(text)
        #expect(query.words == words)
        #expect(query.extensions.count == extensions)
        #expect(SearchQuery(query.text) == query)
    }
}
