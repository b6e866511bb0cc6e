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
