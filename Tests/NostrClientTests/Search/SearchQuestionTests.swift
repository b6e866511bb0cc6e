import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// What a line of text asks for.
@Suite("a search as it is typed")
struct SearchQuestionTests {
    private let bob = TestPerson.bob

    @Test("words, whose, since when and until when are told apart")
    func parts() {
        let question = SearchQuestion(
            " @heron  dawn from:\(bob.publicKey.npub) since:2025-03-01 until:2025-03-01 nsfw:false")
        #expect(question.words == "heron dawn")
        #expect(question.author == bob.publicKey)
        #expect(question.since == Timestamp(seconds: 1_740_787_200))
        #expect(question.until == Timestamp(seconds: 1_740_873_599))
        #expect(question.extensions.map(\.key) == ["nsfw"])
        #expect(question.unread.isEmpty)
    }

    @Test("extensions go to relays and not to the index here")
    func extensions() {
        let question = SearchQuestion("bread include:spam language:de 12:30 re:invent")
        #expect(question.here?.search == "bread 12 30 re invent")
        #expect(
            question.there.map(\.search) == Array(repeating: "bread 12:30 re invent include:spam language:de", count: 2)
        )
        #expect(question.there.first?.limit == 50 && question.there.last?.limit == 20)
    }

    @Test(
        "what cannot be read is left out, and said",
        arguments: [
            "from:bob", "since:yesterday", "until:2025-13-01", "since:2025", "since:0000-01-01", "until:1-2-3-4",
        ])
    func unread(part: String) {
        let question = SearchQuestion("heron \(part)")
        #expect(question.unread == [part] && question.words == "heron")
    }

    @Test(
        "days are counted as calendars do",
        arguments: [
            ("1970-01-02", Int64(86_400)), ("2000-02-29", 951_782_400), ("2024-12-31", 1_735_603_200),
            ("1700000000", 1_700_000_000),
        ])
    func days(text: String, seconds: Int64) {
        #expect(SearchQuestion("x since:\(text)").since == Timestamp(seconds: seconds))
    }

    @Test("sorts ask for their kinds alone, and people for names")
    func sorts() {
        #expect(SearchQuestion("ada", sort: .people).here == nil)
        #expect(SearchQuestion("ada", sort: .people).there.map(\.kinds) == [[0]])
        #expect(SearchQuestion("ada", sort: .articles).here?.kinds == [30_023])
        #expect(SearchQuestion("ada", sort: .notes).there.map(\.kinds) == [[1, 1111]])
        #expect(SearchQuestion("from:\(bob.publicKey.npub)").there.map(\.search) == [nil])
    }

    @Test(
        "two letters are enough, and so is whose",
        arguments: [("", true), ("a", true), ("nsfw:true", true), ("ab", false), ("鳥", false), ("from:x a", true)])
    func tooShort(text: String, isTooShort: Bool) {
        #expect(SearchQuestion(text).isTooShort == isTooShort)
    }

    @Test("searches that differ are known by other keys")
    func keys() throws {
        let relay = try RelayURL("wss://one.example")
        let all = [
            SearchQuestion("heron"), SearchQuestion("heron nsfw:true"), SearchQuestion("heron", sort: .notes),
            SearchQuestion("heron", scope: .listed), SearchQuestion("heron", scope: .here),
            SearchQuestion("heron", scope: .relay(relay)), SearchQuestion("heron since:2025-01-01"),
        ]
        #expect(Set(all.map(\.key)).count == all.count)
        #expect(SearchQuestion(" heron ").key == "heron")
    }

    @Test("never traps on noise")
    func noise() {
        var random = SeededRandom(seed: 3)
        let letters = Array("ab:@ -#/0129\u{301}鳥\u{0}since:until:from:npub1")
        for _ in 0..<3000 {
            let text = String(
                (0..<Int.random(in: 0...60, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
            let question = SearchQuestion(text)
            _ = (question.key, question.here, question.there, question.named)
        }
    }
}
