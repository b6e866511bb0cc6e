import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let bob = TestPerson.bob.publicKey
private let carol = TestPerson.carol.publicKey

@Suite("NIP-51 lists")
struct PublicListTests {
    @Test("reads every kind of item, and keeps unknown tags and the private part")
    func reads() throws {
        let address = "30023:\(bob.hex):a:b"
        let tags: [Tag] = [
            ["d", "mine"], ["title", "Mine"], ["description", "words"], ["p", bob.hex, "", "Bobby"],
            ["t", "Nostr"], ["word", "GM"], ["e", String(repeating: "a", count: 64), "wss://r.example.com"],
            ["a", address], ["relay", "wss://R.example.com/"], ["server", "https://files.example.com"],
            ["emoji", "wave", "https://example.com/w.png"], ["group", "g1", "wss://groups.example.com", "Group"],
            ["unknown", "1", "2"], ["p", "nobody"], ["server", "javascript:alert(1)"],
        ]
        var list = try #require(PublicList(TestPerson.alice.event("sealed", kind: 30_000, tags: tags)))
        #expect(list.items.count == 9)
        #expect(list.identifier == "mine")
        #expect(list.title == "Mine")
        #expect(list.people == [bob])
        #expect(list.relays.map(\.text) == ["wss://r.example.com"])
        #expect(list.contains(.hashtag("nostr")))
        #expect(list.contains(.person(ProfilePointer(key: bob), petname: nil)))
        list.append(.hashtag("nostr"))
        list.append(.person(ProfilePointer(key: carol), petname: nil))
        list.remove(.word("gm"))
        #expect(list.difference.added == [["p", carol.hex]])
        #expect(list.difference.dropped == [["word", "GM"]])
        #expect(list.tags.contains(["unknown", "1", "2"]))
        #expect(list.draft(now: moment).content == "sealed")
    }

    @Test("items survive the way to a tag and back", arguments: try items())
    func roundTrip(item: ListItem) throws {
        #expect(ListItem(tag: item.tag) == item)
    }

    @Test("other kinds are no list")
    func otherKinds() {
        #expect(PublicList(TestPerson.alice.event(kind: 1)) == nil)
        #expect(PublicList(TestPerson.alice.event(kind: 3)) == nil)
        #expect(PublicList(TestPerson.alice.event(kind: 10_006))?.relays.isEmpty == true)
    }

    private static func items() throws -> [ListItem] {
        let relay = try RelayURL("wss://r.example.com")
        let address = EventAddress(kind: 30_023, author: bob, identifier: "x:y")
        return [
            .person(ProfilePointer(key: bob, relays: [relay]), petname: "B"),
            .event(EventPointer(id: EventID(bob.bytes), relays: [relay], author: carol)),
            .address(AddressPointer(address: address, relays: [relay])), .hashtag("a"), .word("b"), .relay(relay),
            .server("https://files.example.com/"), .group("g", relay: relay, name: "n"), .url("https://x.example.com"),
            .emoji(try #require(CustomEmoji(shortcode: "a_-1", url: "https://e.example.com/a.png", set: address))),
        ]
    }
}
