import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import ViewModels

@Suite("Addresses that a note names")
struct CitedAddressTests {
    private let alice = TestPerson.alice, bob = TestPerson.bob

    private func code(_ event: Event) throws -> String {
        let address = try #require(event.address)
        return try NostrEntity.naddr(AddressPointer(address: address)).uri()
    }

    @Test("an address that is here is a card; one that is not stays a link")
    func cards() throws {
        let article = bob.event("# Birds", kind: 30_023, tags: [["d", "birds"], ["title", "Birds"]])
        let other = bob.event("# Trees", kind: 30_023, tags: [["d", "trees"], ["title", "Trees"]])
        let event = alice.event("read \(try code(article)) and \(try code(other))")
        var note = Note(event: event, author: Person(key: alice.publicKey))
        note.quoted = [article.id: Note(event: article, author: Person(key: bob.publicKey))]
        let item = try #require(NoteItem(note, own: alice.publicKey))
        #expect(item.parts.contains(.note(article.id)))
        #expect(item.parts.contains { if case .article = $0 { true } else { false } })
        #expect(item.quotedInOrder.map(\.id) == [article.id])
        guard case .article(let card)? = item.quoted[article.id]?.content else {
            Issue.record("no card of an article")
            return
        }
        #expect(card.title == "Birds")
    }

    @Test("a live stream stands as it does when it is drawn, and is over an hour after its last word")
    func stream() throws {
        let event = bob.event(
            kind: 30_311, tags: [["d", "evening"], ["title", "An evening"], ["status", "live"]], at: 1_700_000_000)
        let item = try #require(
            NoteItem(Note(event: event, author: Person(key: bob.publicKey)), own: alice.publicKey))
        guard case .stream(let card) = item.content else {
            Issue.record("no card of a stream")
            return
        }
        #expect(card.item(now: Timestamp(seconds: 1_700_000_060))?.status == .live)
        #expect(card.item(now: Timestamp(seconds: 1_700_010_000))?.status == .ended)
        #expect(card.item(now: Timestamp(seconds: 1_700_000_060))?.title == "An evening")
    }
}
