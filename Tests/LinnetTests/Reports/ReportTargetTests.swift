import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

@Suite("what reports are about")
struct ReportTargetTests {
    @Test("people and notes are told apart by their codes; a secret key is neither")
    func read() throws {
        let key = TestPerson.bob.publicKey
        let note = TestPerson.bob.event("x")
        let person = try ReportTarget("nostr:\(key.npub)")
        #expect(person == .person(key))
        let named = try ReportTarget(note.id.hex)
        #expect(named == .note(EventPointer(id: note.id)))
        let code = try NostrEntity.nevent(EventPointer(id: note.id)).encoded()
        let coded = try ReportTarget(code)
        #expect(coded == .note(EventPointer(id: note.id)))
        for text in ["", "spam", "nsec1xyz", "npub1xyz"] {
            #expect(throws: (any Error).self) { try ReportTarget(text) }
        }
    }
}
