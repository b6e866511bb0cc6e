import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("cards of quoted notes")
struct NoteCardsTests {
    private let alice = TestPerson.alice, bob = TestPerson.bob
    private let style = NoteStyle(now: Timestamp(seconds: 0), media: .never, pictureHosts: [], canSign: true)

    private func quoting(_ words: String, _ quoted: [Event]) throws -> NoteItem {
        let codes = try quoted.map { try NostrEntity.note($0.id).uri() }
        let event = alice.event(words + " " + codes.joined(separator: " "))
        var note = Note(event: event, author: Person(key: alice.publicKey))
        for event in quoted { note.quoted[event.id] = Note(event: event, author: Person(key: bob.publicKey)) }
        return try #require(NoteItem(note, own: alice.publicKey))
    }

    @Test("are under each of the notes of a page that quote one, as if it stood alone")
    func shared() throws {
        let (first, second) = (bob.event("the <first>"), bob.event("the second"))
        let notes = [try quoting("a", [first]), try quoting("b", [second, first]), try quoting("c", [first, second])]
        let page = notesHTML(notes, style).text
        #expect(page == notes.map { NoteMarkup(note: $0, style: style).article().text }.joined())
        #expect(page.split(separator: "the &lt;first&gt;", omittingEmptySubsequences: false).count == 4)
        #expect(page.split(separator: "the second", omittingEmptySubsequences: false).count == 3)
    }
}

@Suite("comments among notes")
struct CommentedThingTests {
    private func drawn(_ tags: [NostrCore.Tag], isInThread: Bool = false) throws -> String {
        let event = TestPerson.alice.event("Well said", kind: 1111, tags: tags)
        let note = Note(event: event, author: Person(key: TestPerson.alice.publicKey))
        let item = try #require(NoteItem(note, own: TestPerson.bob.publicKey))
        let style = NoteStyle(now: Timestamp(seconds: 0), media: .never, pictureHosts: [], canSign: true)
        return NoteMarkup(note: item, style: style, isInThread: isInThread).article().text
    }

    @Test("lead to the article or the page they are about, or name it")
    func things() throws {
        let article = EventAddress(kind: 30_023, author: TestPerson.bob.publicKey, identifier: "long")
        let code = try NostrEntity.naddr(AddressPointer(address: article)).encoded()
        let comment = Comment.draft(
            on: TestPerson.bob.event("at length", kind: 30_023, tags: [["d", "long"]]), relay: nil, text: "x",
            createdAt: Timestamp(seconds: 0))
        #expect(try drawn(comment.tags).contains("<a href=\"/article/\(code)\">Comments on an article</a>"))
        #expect(try !drawn(comment.tags, isInThread: true).contains("Comments on"))
        func about(_ name: String, _ kind: String) throws -> String {
            try drawn(Comment.draft(on: name, kind: kind, text: "x", createdAt: Timestamp(seconds: 0)).tags)
        }
        #expect(try about("https://a.example/x", "web").contains("Comments on <a href=\"https://a.example/x\" rel="))
        #expect(try about("isbn:978<b>", "isbn").contains("Comments on <span dir=\"auto\">isbn:978&lt;b&gt;</span>"))
        #expect(try !about("javascript:alert(1)", "web").contains("href=\"javascript"))
        let answer = Comment.draft(
            on: TestPerson.bob.event("first", kind: 1111, tags: comment.tags), relay: nil, text: "x",
            createdAt: Timestamp(seconds: 0))
        #expect(try drawn(answer.tags).contains("Replies to a note"))
    }
}
