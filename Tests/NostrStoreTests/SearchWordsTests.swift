import NostrStore
import Testing

@Suite struct SearchWordsTests {
    @Test(
        "folds text to the words search compares",
        arguments: [
            ("Hello, HELLO world-wide", ["hello", "world", "wide"]),
            ("José Łódź straße ÅNGSTRÖM", ["jose", "lodz", "straße", "angstrom"]),
            ("e\u{301}te\u{301}", ["ete"]),
            ("東京へ", ["東", "京", "東京", "へ", "京へ"]),
            ("東 京", ["東", "京"]),
            ("Москва 2024", ["москва", "2024"]),
            ("🦜 §1 \u{0} ", ["1"]),
            ("a" + String(repeating: "b", count: 64) + " c", ["c"]),
            ("", []),
        ])
    func folds(text: String, words: [String]) {
        #expect(searchWords(in: text) == words)
    }

    @Test("each word is there once, where it was first, however many there are")
    func onceEach() {
        let text = "ab abc a ab ABC \u{e4} a bc " + (0..<2_000).map { "w\($0 % 700)" }.joined(separator: "-")
        let words = ["ab", "abc", "a", "bc"] + (0..<700).map { "w\($0)" }
        #expect(searchWords(in: text) == words)
        #expect(joinedSearchWords(in: text) == words.joined(separator: " "))
        #expect(joinedSearchWords(in: " -\u{301} ").isEmpty)
        #expect(foldedWords(in: "tea Tea 東京") == ["tea", "tea", "東", "京"])
    }

    @Test("of very many words the first ones count")
    func mostTerms() {
        let many = SearchTerms((0..<40_000).map { "w\($0)" }.joined(separator: " "))
        #expect(many.words == (0..<32).map { "w\($0)" } && many.prefixes.isEmpty)
        #expect(SearchTerms((0..<40_000).map { "w\($0)" }.joined(separator: ",")).count == 32)
        #expect(SearchTerms((0..<100).map { "w\($0)*" }.joined(separator: " ")).count == 32)
    }

    @Test(
        "reads words, beginnings and extensions of a search",
        arguments: [
            ("Tea cup*", ["tea"], ["cup"]),
            ("tea language:en https://x.example", ["tea", "https", "x", "example"], []),
            ("*", [], []),
            ("rock-n-ro*", ["rock", "n"], ["ro"]),
            ("tea Tea TEA te* Te* tea", ["tea"], ["te"]),
        ] as [(String, [String], [String])])
    func terms(text: String, words: [String], prefixes: [String]) {
        let terms = SearchTerms(text)
        #expect(terms.words == words)
        #expect(terms.prefixes == prefixes)
    }
}
