import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-09 deletion requests")
struct DeletionTests {
    private let note = TestPerson.alice.event("note")
    private let article = TestPerson.alice.event("text", kind: 30_023, tags: [["d", "x:y"]])

    @Test("names events by id, address and kind, and covers them")
    func roundTrip() throws {
        let draft = DeletionRequest.draft(deleting: [note, article], reason: "why", createdAt: moment)
        var random = SeededRandom(seed: 1)
        let event = Event(signing: draft, with: TestPerson.alice.secretKey, using: &random)
        let request = try #require(DeletionRequest(event))
        #expect(request.events == [note.id, article.id])
        #expect(request.addresses.map(\.identifier) == ["x:y"])
        #expect(request.kinds == [1, 30_023])
        #expect(request.reason == "why")
        #expect(request.covers(note))
        let older = TestPerson.alice.event("older", kind: 30_023, tags: [["d", "x:y"]], at: 1_600_000_000)
        let newer = TestPerson.alice.event("newer", kind: 30_023, tags: [["d", "x:y"]], at: 1_800_000_000)
        #expect(request.covers(older))
        #expect(!request.covers(newer))
        #expect(!request.covers(TestPerson.alice.event("other")))
    }

    @Test("never covers another person's events, nor a deletion request")
    func limits() throws {
        let request = TestPerson.eve.event(
            kind: 5, tags: [["e", note.id.hex], ["a", "30023:\(note.pubkey.hex):x:y"]], at: moment.seconds)
        let read = try #require(DeletionRequest(request))
        #expect(!read.covers(note))
        #expect(!read.covers(article))
        #expect(read.addresses.isEmpty)
        let own = TestPerson.eve.event(kind: 5, tags: [["e", request.id.hex]])
        #expect(try #require(DeletionRequest(own)).covers(request) == false)
    }
}
