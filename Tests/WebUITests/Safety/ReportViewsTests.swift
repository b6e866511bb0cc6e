import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("reports on pages")
struct ReportViewsTests {
    @Test("a note's page says who reported it for what; names stay text, and many are counted")
    func note() async throws {
        let under = try FaceUnderTest()
        let note = try #require(await under.account.notes.first)
        let ben = Person(key: TestPerson.bob.publicKey, fields: ["name": "Ben <b>"])
        let others = (1...6).map { Person(key: FakeAuthor($0 + 20).key) }
        under.account.reported.put(
            [ReportGroup(reason: .spam, people: [ben] + others, isOwn: true), ReportGroup(reason: nil, people: [ben])],
            about: note.id)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/note/\(note.id.hex)", cookie: cookie)
            #expect(page.text.contains("<strong>Spam</strong>") && page.text.contains("by you"))
            #expect(page.text.contains("Ben &lt;b&gt;") && !page.text.contains("Ben <b>"))
            #expect(page.text.contains("and 2 more") && page.text.contains("No reason that Linnet knows"))
        }
    }

    @Test("a person's page says it, too, and nothing where nobody reported them")
    func person() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        let ben = FakeAuthor(2).key
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let before = try await browser.get("/people/\(ben.hex)", cookie: cookie)
            #expect(!before.text.contains("reports-title"))
            under.account.reported.put(
                [ReportGroup(reason: .impersonation, people: [Person(key: TestPerson.carol.publicKey)])], about: ben)
            let page = try await browser.get("/people/\(ben.hex)", cookie: cookie)
            #expect(page.text.contains("Someone pretending to be someone else"))
            #expect(page.text.contains("/people/\(TestPerson.carol.publicKey.hex)"))
        }
    }

    @Test("a report by address alone leads to what stands there")
    func byAddress() throws {
        let bob = TestPerson.bob
        let event = TestPerson.carol.event(
            "", kind: 1984, tags: [["a", "30023:\(bob.publicKey.hex):x", "spam"], ["p", bob.publicKey.hex]])
        let person = Person(key: TestPerson.carol.publicKey)
        let shown = try #require(NoteItem(Note(event: event, author: person), own: bob.publicKey))
        guard case .report(let card) = shown.content else {
            Issue.record("it is shown as a report")
            return
        }
        #expect(card.event == nil && card.code?.hasPrefix("naddr1") == true)
        #expect(reportCard(card).text.contains("/search?q=naddr1") && reportCard(card).text.contains("Spam"))
    }

    @Test("a report that is looked at itself says what it is about")
    func itself() throws {
        let (bob, carol) = (TestPerson.bob, TestPerson.carol)
        let note = bob.event("x")
        let event = carol.event(
            "look", kind: 1984, tags: [["e", note.id.hex, "malware"], ["p", note.pubkey.hex]])
        let shown = try #require(NoteItem(Note(event: event, author: Person(key: carol.publicKey)), own: bob.publicKey))
        guard case .report(let card) = shown.content else {
            Issue.record("it is shown as a report")
            return
        }
        #expect(card.event == note.id && card.person == bob.publicKey)
        #expect(reportCard(card).text.contains("/note/\(note.id.hex)") && reportCard(card).text.contains("Malware"))
    }
}
