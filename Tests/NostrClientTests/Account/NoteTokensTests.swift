import AccountTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

@Suite("A note's text in tokens")
struct NoteTokensTests {
    private let alice = TestPerson.alice, bob = TestPerson.bob

    private func joined(_ text: NoteText) -> String { text.tokens.map(\.source).joined() }

    @Test("what a token is cut through by the end of what is shown goes as a whole, and nothing of it is left")
    func ends() throws {
        let link = "https://a.example/" + String(repeating: "path/", count: 12) + "x.png"
        let codes = [
            link, "nostr:" + bob.publicKey.npub, try NostrEntity.note(alice.event("x").id).uri(), "#birds",
            "lnbc" + String(repeating: "q", count: 300), "blossom:" + String(repeating: "ab", count: 32) + ".png",
        ]
        for code in codes {
            for within in [1, 5, code.count - 1] {
                // The end falls so many letters into the code.
                let words = String(repeating: "word ", count: (Note.longestCard - within - 6) / 5)
                let padding = String(repeating: "x", count: Note.longestCard - within - words.count - 1) + " "
                let text = NoteText(alice.event(padding + words + code), isCard: true)
                #expect(text.isCut)
                #expect(joined(text) == padding + words)
                #expect(text.tokens.allSatisfy { $0.meaning == .text })
                #expect(text.references.isEmpty)
            }
        }
    }

    @Test("one that ends where the text is cut stays", arguments: [" ", "\n", "\u{3000}"])
    func whole(space: String) {
        let code = "nostr:" + bob.publicKey.npub
        let padding = String(repeating: "x", count: Note.longestCard - code.count - 1) + " "
        let text = NoteText(alice.event(padding + code + space + "more"), isCard: true)
        #expect(text.isCut && joined(text) == padding + code)
        #expect(text.references == [.npub(bob.publicKey)])
    }

    @Test(
        "characters of many scalars are not cut through, and the tokens are all of what is shown",
        arguments: ["👩‍👩‍👧‍👦", "e\u{301}\u{302}\u{303}", "🇩🇪", "ä", "&<\"", "👍🏽 "])
    func characters(character: String) {
        let content = String(repeating: character, count: 2 * Note.longestCard / character.unicodeScalars.count)
        let event = alice.event(content)
        let text = NoteText(event, isCard: true)
        let shown = Note.shown(of: content, most: Note.longestCard)
        #expect(text.isCut && shown.isCut)
        #expect(joined(text) == shown.text)
        #expect(content.hasPrefix(shown.text) && shown.text.unicodeScalars.count <= Note.longestCard)
        #expect(shown.text.unicodeScalars.count > Note.longestCard - 64)
    }

    @Test("emoji of the author are tokens, and count among those that are cut out")
    func emoji() throws {
        let tags: [NostrCore.Tag] = [["emoji", "bird", "https://a.example/bird.png"]]
        let text = NoteText(alice.event(":bird: nostr:" + bob.publicKey.npub, tags: tags))
        #expect(text.tokens.count == 3 && text.references == [.npub(bob.publicKey)])
        let many = String(repeating: ":bird:", count: Note.mostReferences) + " nostr:" + bob.publicKey.npub
        #expect(NoteText(alice.event(many, tags: tags)).references.isEmpty)
    }

    @Test("a text that was read with the note is what is drawn, in small only where that shows as much")
    func serves() {
        let long = alice.event(String(repeating: "word ", count: Note.longestCard))
        let short = alice.event("word")
        for event in [long, short] {
            for wasCard in [false, true] {
                var note = Note(event: event, author: Person(key: alice.publicKey))
                note.readText = NoteText(event, isCard: wasCard)
                for isCard in [false, true] {
                    let (drawn, expected) = (note.text(isCard: isCard), NoteText(event, isCard: isCard))
                    #expect(drawn.tokens == expected.tokens && drawn.isCut == expected.isCut)
                }
            }
        }
        #expect(Note(event: short, author: Person(key: alice.publicKey)).text().tokens.map(\.source) == ["word"])
    }

    @Test("a note that is read brings its text along, and so do those it quotes")
    func read() async throws {
        let bench = AccountBench()
        let quoted = bob.event("about nostr:" + TestPerson.carol.publicKey.npub, at: seconds(1))
        let code = try NostrEntity.note(quoted.id).uri()
        let note = alice.event("see \(code)", at: seconds(2))
        let follows = alice.event(kind: 3, tags: [["p", TestPerson.carol.publicKey.hex]])
        _ = await bench.store.save([follows, quoted, note], from: nil)
        let home = try await bench.home()
        let shown = try #require(home.first { $0.id == note.id })
        #expect(shown.readText == NoteText(note))
        let card = try #require(shown.quoted[quoted.id])
        #expect(card.readText == NoteText(quoted, isCard: true))
        #expect(card.mentioned[TestPerson.carol.publicKey] != nil)
    }

    @Test("an article names all it links, beyond what a note would")
    func article() throws {
        let codes = Array(repeating: "https://a.example/x ", count: Note.mostReferences).joined()
        let event = alice.event(codes + "nostr:" + bob.publicKey.npub, kind: 30_023, tags: [["d", "x"]])
        #expect(!event.namesInWords)
        #expect(event.peopleInText == [bob.publicKey])
        let note = alice.event(codes + "nostr:" + bob.publicKey.npub)
        #expect(note.namesInWords && note.peopleInText.isEmpty)
    }
}
