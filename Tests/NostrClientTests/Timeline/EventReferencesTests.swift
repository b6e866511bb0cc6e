import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

@Suite("What an event refers to")
struct EventReferencesTests {
    private let target = TestPerson.bob.event("a note")

    @Test("a note named in the text is quoted")
    func named() throws {
        let code = try NostrEntity.note(target.id).uri()
        let note = TestPerson.alice.event("see \(code)")
        #expect(note.quotedEvents.map(\.id) == [target.id])
    }

    @Test("what stands behind the end of what is shown of a text is not looked for")
    func beyond() throws {
        let code = try NostrEntity.note(target.id).uri()
        let note = TestPerson.alice.event(String(repeating: "ä", count: Note.longestText) + " " + code)
        #expect(note.quotedEvents.isEmpty)
        let mention = TestPerson.alice.event(
            String(repeating: "ä ", count: Note.longestText / 2) + TestPerson.bob.publicKey.npub)
        #expect(mention.peopleInText.isEmpty)
    }

    @Test("of thousands of quotes in tags the first are looked at")
    func thousands() {
        let tags = (0..<5000).map { number in
            Tag(["q", String(repeating: "0", count: 60) + String(1000 + number), "wss://relay.example.com"])
        }
        let note = TestPerson.alice.event("all of it", tags: tags)
        #expect(note.quotedEvents.count == Quote.most)
        #expect(note.quotedEvents.first?.id.hex.hasSuffix("1000") == true)
    }

    @Test(
        "what is shown of a text ends at a whole character, and says whether it is all",
        arguments: [("äöü", 3, "äöü"), ("äöü", 2, "äö"), ("e\u{301}x", 1, ""), ("", 1, "")])
    func shown(text: String, most: Int, expected: String) {
        let shown = Note.shown(of: text, most: most)
        #expect(shown.text == expected)
        #expect(shown.isCut == (expected != text))
    }
}
