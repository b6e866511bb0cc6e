import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-56 reports")
struct ReportTests {
    @Test("a draft names the note with the reason, and its author", arguments: Report.Reason.allCases)
    func draft(reason: Report.Reason) throws {
        let note = TestPerson.bob.event("buy now")
        let draft = Report.draft(about: note, reason: reason, text: "again", createdAt: moment)
        #expect(draft.kind == 1984 && draft.content == "again")
        #expect(draft.tags == [["e", note.id.hex, reason.rawValue], ["p", TestPerson.bob.publicKey.hex]])
        let report = try #require(Report(TestPerson.alice.event("again", kind: 1984, tags: draft.tags)))
        #expect(report.event == note.id && report.person == TestPerson.bob.publicKey)
        #expect(report.reason == reason && report.text == "again")
    }

    @Test("what has an address is reported by it, too, so that it holds for later versions")
    func addressDraft() throws {
        let article = TestPerson.bob.event("buy now", kind: 30_023, tags: [["d", "x"]])
        let draft = Report.draft(about: article, reason: .spam, createdAt: moment)
        let report = try #require(Report(TestPerson.alice.event("", kind: 1984, tags: draft.tags)))
        #expect(report.event == article.id && report.address == article.address && report.reason == .spam)
    }

    @Test("a report names an address alone, with or without its author, and never one of somebody else's")
    func address() throws {
        let (bob, carol) = (TestPerson.bob.publicKey, TestPerson.carol.publicKey)
        func read(_ tags: [Tag]) -> Report? { Report(TestPerson.alice.event(kind: 1984, tags: tags)) }
        let place = EventAddress(kind: 30_023, author: bob, identifier: "a:b")
        let alone = try #require(read([["a", place.description, "SPAM"]]))
        #expect(alone.person == bob && alone.address == place && alone.event == nil && alone.reason == .spam)
        let hinted = read([["a", place.description, "wss://r.example"], ["p", bob.hex, "nudity"]])
        #expect(hinted?.reason == .nudity && hinted?.address == place)
        let foreign = read([["a", place.description, "spam"], ["p", carol.hex]])
        #expect(foreign?.person == carol && foreign?.address == nil)
        #expect(read([["a", "30023:nobody:x", "spam"]]) == nil && read([["a"]]) == nil)
        #expect(read([["a", "x"], ["p", bob.hex, "spam"]])?.address == nil)
    }

    @Test("a report about a person alone has its reason in the p tag; an unknown reason is none")
    func person() throws {
        let key = TestPerson.bob.publicKey
        func read(_ tags: [Tag]) -> Report? { Report(TestPerson.alice.event(kind: 1984, tags: tags)) }
        #expect(read([["p", key.hex, "Spam"]])?.reason == .spam)
        #expect(read([["p", key.hex]])?.reason == nil)
        #expect(read([["p", key.hex, "boring"]])?.event == nil)
        #expect(read([["e", repeatedHex("a"), "spam"]]) == nil)
    }
}
