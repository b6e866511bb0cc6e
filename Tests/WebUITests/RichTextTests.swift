import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("a note's text as HTML")
struct RichTextTests {
    @Test("closes the gap a picture drawn below leaves")
    func gaps() {
        let picture = ContentPart.image("https://a.example/x.png")
        func drawn(_ parts: [ContentPart]) -> String { richText(parts, drawsMedia: { _ in true }).text }
        #expect(drawn([.text("One.\n\n"), picture]) == "One.")
        #expect(drawn([picture, .text("\n\nOne.")]) == "One.")
        #expect(drawn([.text("One.\n\n"), picture, .text("\n\nTwo.")]) == "One.\n\nTwo.")
        #expect(drawn([.text("One.\n"), picture, .text("\n"), picture, .text("\n")]) == "One.")
        #expect(drawn([picture]).isEmpty)
        let tag = ContentPart.hashtag(shown: "#a", tag: "a")
        #expect(drawn([.text("One.\n\n"), picture, .text("\n\n"), tag]).hasPrefix("One.\n\n<a"))
        let note = FakeWorld.plain(notes: 1).notes[0].id
        let quoted = richText([.text("Look: "), .note(note)], cards: [note], drawsMedia: { _ in false })
        #expect(quoted.text == "Look:")
    }

    @Test("keeps the address of a picture that is not drawn")
    func kept() {
        let html = richText([.text("See "), .image("https://a.example/x.png")], drawsMedia: { _ in false })
        #expect(html.text.hasPrefix("See <a href=\"https://a.example/x.png\" rel=\"noopener nofollow ugc\""))
    }

    @Test("shows long addresses short and links them whole")
    func long() {
        let address = "https://a.example/" + String(repeating: "p", count: 200)
        let html = richText([.link(address)], drawsMedia: false)
        #expect(html.text.contains("href=\"\(address)\""))
        #expect(html.text.contains("…</a>"))
    }

    @Test("draws every key its own feathers, always the same")
    func feathers() {
        let keys = (1...40).map { FakeAuthor(UInt8($0)).key }
        #expect(Set(keys.map(identicon)).count == keys.count)
        #expect(keys.allSatisfy { identicon($0) == identicon($0) })
    }
}

@Suite("live pages of one session")
struct SessionTests {
    @Test("are bounded: a further one ends the oldest")
    func streams() {
        let account = FakeAccount(.plain(notes: 0))
        let session = BrowserSession(openedAt: Timestamp(seconds: 0), account: account)
        let begin = { session.beginStream(of: account.publicKey)?.number ?? 0 }
        let first = begin()
        let others = (0..<BrowserSession.mostStreams).map { _ in begin() }
        #expect(!session.isOpen(stream: first))
        #expect(others.allSatisfy(session.isOpen))
        session.endStream(others[0])
        #expect(!session.isOpen(stream: others[0]))
    }

    @Test("end with the session's time")
    func lifetime() async {
        let clock = MovedClock(Timestamp(seconds: 1000))
        let sessions = Sessions(
            time: clock.time, tokenLifetime: .seconds(60), opening: FakeOpening(FakeAccount(.plain(notes: 0))))
        let word = await sessions.open(nil)
        #expect(await sessions.session(word) != nil)
        #expect(await sessions.session(word + "0") == nil)
        clock.move(Sessions.sessionLifetime)
        #expect(await sessions.session(word) == nil)
    }
}
