import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-22 comments")
struct CommentTests {
    private let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])

    @Test("a first comment names an article by address and version")
    func first() throws {
        let relay = try RelayURL("wss://r.example.com")
        let draft = Comment.draft(on: article, relay: relay, text: "good", createdAt: moment)
        let comment = try #require(Comment(TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)))
        let address = try #require(article.address)
        #expect(comment.root == .address(AddressPointer(address: address, relays: [relay]), version: nil))
        #expect(comment.parent == .address(AddressPointer(address: address, relays: [relay]), version: article.id))
        #expect(comment.text == "good")
    }

    @Test("an answer keeps the root and names the comment")
    func answer() throws {
        let draft = Comment.draft(on: article, relay: nil, text: "good", createdAt: moment)
        let first = TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)
        let answer = Comment.draft(on: first, relay: nil, text: "yes", createdAt: moment)
        let read = try #require(Comment(TestPerson.carol.event(answer.content, kind: answer.kind, tags: answer.tags)))
        #expect(read.root == Comment(first)?.root)
        #expect(read.parent == .event(EventPointer(first)))
    }

    @Test("comments on the outside name it by identifier and kind")
    func external() throws {
        let draft = Comment.draft(on: "https://example.com/a", kind: "web", text: "nice", createdAt: moment)
        let read = try #require(Comment(TestPerson.carol.event(draft.content, kind: draft.kind, tags: draft.tags)))
        #expect(read.root == .external("https://example.com/a", kind: "web", page: nil))
        #expect(read.parent == read.root)
    }

    @Test("without a root or a parent it is no comment")
    func incomplete() {
        #expect(Comment(TestPerson.bob.event(kind: 1111, tags: [["E", repeatedHex("a")], ["K", "1063"]])) == nil)
        #expect(
            Comment(TestPerson.bob.event(kind: 1, tags: [["E", repeatedHex("a")], ["e", repeatedHex("a")]])) == nil)
    }
}
