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

    @Test(
        "an address alone is reposted where kind 16 names no event, and its kind is what is said",
        arguments: [
            (16, [["a", "30023:KEY:x", "wss://r.example"]], true),
            (16, [["a", "30023:KEY:x"], ["k", "30023"]], true),
            (16, [["a", "30023:KEY:x"], ["k", "1"]], false),
            (16, [["a", "30311:KEY:s"], ["a", "30023:KEY:x"], ["k", "30023"]], true),
            (6, [["a", "30023:KEY:x"]], false),
            (16, [["a", "30023:KEY:x"], ["e", String(repeating: "a", count: 64)]], false),
            (16, [["a", "30023:nobody:x"]], false), (16, [["a", "1:KEY:"]], false), (16, [["a"]], false),
            (16, [], false),
        ] as [(UInt16, [[String]], Bool)])
    func addressAlone(kind: UInt16, tags: [[String]], isOne: Bool) throws {
        let author = TestPerson.alice.publicKey
        let written = tags.map { Tag($0.map { $0.replacing("KEY", with: author.hex) }) }
        let repost = AddressRepost(TestPerson.bob.event("", kind: Kind(kind), tags: written))
        #expect((repost != nil) == isOne)
        if let repost {
            #expect(repost.target.address == EventAddress(kind: 30_023, author: author, identifier: "x"))
        }
        // What is put inside names an event, too.
        let inside = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]]).unverified
        let full = TestPerson.bob.event(
            String(decoding: inside.json, as: UTF8.self), kind: Kind(kind), tags: written)
        #expect(AddressRepost(full) == nil)
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
