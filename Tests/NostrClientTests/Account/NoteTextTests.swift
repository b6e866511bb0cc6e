import NostrClient
import Testing

/// What is shown of a note's text.
struct NoteTextTests {
    @Test(
        "a long text is cut between words, or between characters where a word is as long as no link is",
        arguments: [
            ("short enough", "short enough", false),
            // The link that is cut through goes as a whole, not only its end.
            ("words https://a.example/path", "words ", true), ("a b c d e f g h i j k l", "a b c d e f g h i j ", true),
            ("twenty letters here! and", "twenty letters here!", true),
            ("", "", false),
        ])
    func cut(text: String, shown: String, isCut: Bool) {
        let found = Note.shown(of: text, most: 20)
        #expect(found.text == shown && found.isCut == isCut)
    }

    @Test("no character is cut through", arguments: ["👩‍👩‍👧‍👦", "e\u{301}\u{302}", "🇩🇪", "ä"])
    func whole(character: String) {
        let text = String(repeating: character, count: 5_000)
        for most in 3_000..<3_012 {
            let found = Note.shown(of: text, most: most)
            #expect(found.isCut && found.text.unicodeScalars.count <= most)
            #expect(found.text.allSatisfy { String($0) == character })
        }
    }

    @Test("marks stacked without end are cut all the same")
    func stacked() {
        let text = "e" + String(repeating: "\u{301}", count: 20_000)
        let found = Note.shown(of: text, most: 10_000)
        #expect(found.isCut && found.text.unicodeScalars.count > 9_000)
    }
}
