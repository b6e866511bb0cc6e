import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let carol = TestPerson.carol

/// Articles by their address.
struct ArticlesTests {
    let bench = AccountBench()

    private func article(_ text: String, at moment: Int64) -> Event {
        bob.event(text, kind: 30_023, tags: [["d", "x"], ["title", text]], at: seconds(moment))
    }

    private let pointer = AddressPointer(
        address: EventAddress(kind: 30_023, author: bob.publicKey, identifier: "x"),
        relays: [relay("hint")])

    @Test("the newest version is asked for where it may be, once")
    func newest() async throws {
        _ = await bench.store.save([article("old", at: 1)], from: nil)
        bench.network.put([article("new", at: 2)], on: relay("hint"))
        let articles = try #require(bench.account.articles)
        #expect(try await articles.article(at: pointer)?.content == "new")
        let asked = bench.network.questions.count
        #expect(try await articles.article(at: pointer)?.content == "new")
        #expect(bench.network.questions.count == asked)
    }

    @Test("what is no article, or nowhere, is none")
    func none() async throws {
        let articles = try #require(bench.account.articles)
        #expect(try await articles.article(at: pointer) == nil)
        let list = AddressPointer(address: EventAddress(kind: 30_000, author: bob.publicKey, identifier: "x"))
        #expect(try await articles.article(at: list) == nil)
    }

    @Test("comments stand under it, by its address or its version")
    func comments() async throws {
        let event = article("one", at: 1)
        let comment = NostrNIPs.Comment.draft(
            on: event, relay: nil, text: "well said", createdAt: Timestamp(seconds: seconds(2)))
        let first = carol.event(comment.content, kind: 1111, tags: comment.tags, at: seconds(2))
        let answer = NostrNIPs.Comment.draft(
            on: first, relay: nil, text: "thanks", createdAt: Timestamp(seconds: seconds(3)))
        let second = bob.event(answer.content, kind: 1111, tags: answer.tags, at: seconds(3))
        _ = await bench.store.save([event, first, second], from: nil)
        let thread = try await bench.account.timeline.thread(event.id, hints: [])
        #expect(thread.replies.map(\.note.event) == [first, second])
        #expect(thread.replies.map(\.depth) == [0, 1])
    }

    @Test("somebody's articles, newest first, drafts last")
    func list() async throws {
        let draft = bob.event("later", kind: 30_024, tags: [["d", "z"]], at: seconds(9))
        let other = bob.event("two", kind: 30_023, tags: [["d", "y"]], at: seconds(5))
        _ = await bench.store.save([draft, article("one", at: 1), other], from: nil)
        let found = try await bench.account.articles?.articles(of: bob.publicKey)
        #expect(found?.map(\.content) == ["two", "one", "later"])
    }
}

/// What people show beside notes.
struct ShowcaseTests {
    let bench = AccountBench()

    @Test("pins of their own, statuses that hold, lists that everybody can read; nothing of who is muted")
    func showcase() async throws {
        let (first, second) = (bob.event("first", at: seconds(-9)), bob.event("second", at: seconds(-8)))
        let strange = carol.event("not his", at: seconds(-8))
        let gone: NostrCore.Tag = ["expiration", String(seconds(-1))]
        _ = await bench.store.save(
            [
                first, second, strange,
                bob.event(
                    kind: 10_001, tags: [first, strange, second].map { NostrCore.Tag(["e", $0.id.hex]) },
                    at: seconds(-5)),
                bob.event("reading", kind: 30_315, tags: [["d", "general"]], at: seconds(-5)),
                bob.event("a song", kind: 30_315, tags: [["d", "music"], gone], at: seconds(-5)),
                bob.event(kind: 30_000, tags: [["d", "k"], ["title", "Kind"], ["p", carol.publicKey.hex]]),
                bob.event("secret", kind: 30_003, tags: [["d", "empty"]]),
            ], from: nil)
        let showcases = try #require(bench.account.showcases)
        let shown = try await showcases.showcase(of: bob.publicKey, evenMuted: false)
        #expect(shown.pinned.map(\.event) == [second, first])
        #expect(shown.statuses.map(\.text) == ["reading"])
        #expect(shown.lists.map(\.title) == ["Kind"])
        let other = AccountBench()
        _ = await other.store.save(
            [
                first, bob.event("reading", kind: 30_315, tags: [["d", "general"]], at: seconds(-5)),
                alice.event(kind: 10_000, tags: [["p", bob.publicKey.hex]]),
            ], from: nil)
        let muted = try #require(other.account.showcases)
        #expect(try await muted.showcase(of: bob.publicKey, evenMuted: false) == PersonShowcase())
        #expect(try await muted.showcase(of: bob.publicKey, evenMuted: true).statuses.count == 1)
    }
}
