import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-18 reposts and quotes")
struct RepostTests {
    @Test("carries the note whole and names it")
    func note() throws {
        let note = TestPerson.alice.event("hello \"world\"\n")
        let relay = try RelayURL("wss://r.example.com")
        let draft = Repost.draft(of: note, relay: relay, createdAt: moment)
        #expect(draft.kind == 6)
        let event = TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)
        let repost = try #require(Repost(event))
        #expect(repost.embedded == note.unverified)
        #expect(repost.target.author == note.pubkey)
        #expect(repost.target.relays == [relay])
        #expect(repost.target.kind == 1)
    }

    @Test("other kinds are kind 16 with kind and address")
    func generic() throws {
        let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])
        let draft = Repost.draft(of: article, relay: nil, createdAt: moment)
        let repost = try #require(Repost(TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)))
        #expect(draft.kind == 16)
        #expect(repost.address == article.address)
        #expect(repost.target.kind == 30_023)
    }

    @Test("an inside that is another event, protected or garbage is not taken")
    func foreignInside() throws {
        let note = TestPerson.alice.event("hello")
        let other = String(decoding: TestPerson.alice.event("other").unverified.json, as: UTF8.self)
        let secret = TestPerson.alice.event("secret", tags: [.protected])
        #expect(Repost.draft(of: secret, relay: nil, createdAt: moment).content.isEmpty)
        let embedded = String(decoding: secret.unverified.json, as: UTF8.self)
        for (content, target) in [(other, note), ("{broken", note), ("", note), (embedded, secret)] {
            let repost = try #require(Repost(TestPerson.bob.event(content, kind: 6, tags: [["e", target.id.hex]])))
            #expect(repost.embedded == nil)
            #expect(repost.target.id == target.id)
        }
        #expect(Repost(TestPerson.bob.event("", kind: 6)) == nil)
    }

    @Test("quotes name events and addresses")
    func quotes() throws {
        let address = EventAddress(kind: 30_023, author: TestPerson.alice.publicKey, identifier: "")
        let quotes: [Quote] = [
            .event(EventPointer(id: repeatedID("a"), author: TestPerson.bob.publicKey)),
            .address(AddressPointer(address: address, relays: [try RelayURL("ws://r.example.com")])),
        ]
        #expect((quotes.map(\.tag) + [["q", "x"], ["e", repeatedHex("b")]]).quotes == quotes)
    }
}
