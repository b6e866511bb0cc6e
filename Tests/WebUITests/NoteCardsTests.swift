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
