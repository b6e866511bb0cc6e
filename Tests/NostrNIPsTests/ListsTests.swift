import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let bob = TestPerson.bob.publicKey
private let carol = TestPerson.carol.publicKey
private let moment = Timestamp(seconds: 1_700_000_000)

@Suite("NIP-02 follow list")
struct FollowListTests {
    private let messy: [Tag] = [
        ["p", bob.hex, "wss://relay.example.com/", "bobby"], ["t", "nostr"], ["p", "garbage"], [],
        ["p", TestPerson.dave.publicKey.hex, "not a relay"], ["p", bob.hex],
        ["p", TestPerson.dave.publicKey.hex.uppercased()],
    ]
    private let content = "{\"wss://old.example.com\":{\"read\":true}} "

    @Test("reads people once, with hints and petnames, and leaves out garbage")
    func reads() throws {
        let list = try #require(FollowList(TestPerson.alice.event(content, kind: 3, tags: messy)))
        #expect(list.keys == [bob, TestPerson.dave.publicKey])
        #expect(list.entries.first?.petname == "bobby")
        #expect(list.entries.first?.relay?.text == "wss://relay.example.com")
        #expect(list.entries.last?.relay == nil)
        #expect(FollowList(TestPerson.alice.event(kind: 1, tags: messy)) == nil)
    }

    @Test("following appends one tag and keeps every other byte")
    func follows() throws {
        let event = TestPerson.alice.event(content, kind: 3, tags: messy)
        var list = try #require(FollowList(event))
        list.follow(carol, relay: try RelayURL("wss://c.example.com"), petname: "Carol")
        list.follow(carol)
        list.follow(bob)
        #expect(list.tags == messy + [["p", carol.hex, "wss://c.example.com", "Carol"]])
        #expect(list.difference.added.count == 1)
        #expect(list.difference.dropped.isEmpty)
        let draft = list.draft(now: moment)
        #expect(draft.content == content)
        #expect(draft.kind == 3)
    }

    @Test("unfollowing takes out every entry of the person and says so")
    func unfollows() throws {
        var list = try #require(FollowList(TestPerson.alice.event(content, kind: 3, tags: messy)))
        list.unfollow(bob)
        #expect(!list.contains(bob))
        #expect(list.difference.dropped == [messy[0], messy[5]])
        #expect(list.tags.count == messy.count - 2)
        list.unfollow(carol)
        #expect(list.difference.dropped.count == 2)
    }

    @Test("a draft is always later than the event it replaces")
    func laterThanBase() throws {
        let list = try #require(FollowList(TestPerson.alice.event(kind: 3, at: 2_000_000_000)))
        #expect(list.draft(now: moment).createdAt.seconds == 2_000_000_001)
        #expect(FollowList().draft(now: moment).createdAt == moment)
    }
}

@Suite("Difference of lists")
struct ListDifferenceTests {
    @Test("counts repetition and ignores order")
    func difference() {
        let a: Tag = ["p", "a"]
        let b: Tag = ["p", "b"]
        #expect(ListDifference(from: [a, b], to: [b, a]).isEmpty)
        #expect(ListDifference(from: [a, a, b], to: [a, b]).dropped == [a])
        #expect(ListDifference(from: [a], to: [a, a, b]).added == [a, b])
        #expect(ListDifference(from: [a, b], to: []).dropped == [a, b])
    }
}

@Suite("NIP-65 relay list")
struct RelayListTests {
    private let messy: [Tag] = [
        ["r", "wss://a.example.com"], ["r", "WSS://B.example.com:443/", "write"], ["r", "http://no.example.com"],
        ["r", "wss://b.example.com", "read"], ["r", "wss://c.example.com", "read"], ["r"], ["alt", "relays"],
        ["r", "wss://d.example.com", "maybe"], ["r", "wss://e.example.com:7000", ""],
    ]

    @Test("normalises, merges duplicates and drops garbage on reading")
    func reads() throws {
        let list = try #require(RelayList(TestPerson.alice.event(kind: 10_002, tags: messy)))
        #expect(
            list.entries.map(\.relay.text) == [
                "wss://a.example.com", "wss://b.example.com", "wss://c.example.com", "wss://e.example.com:7000",
            ])
        #expect(list.entries.map(\.usage) == [.both, .both, .read, .both])
        #expect(list.writeRelays.map(\.host) == ["a.example.com", "b.example.com", "e.example.com"])
        #expect(list.readRelays.count == 4)
    }

    @Test("a change keeps what it does not touch, in place")
    func changes() throws {
        var list = try #require(RelayList(TestPerson.alice.event("x", kind: 10_002, tags: messy)))
        list.set(try RelayURL("wss://b.example.com"), .write)
        list.set(try RelayURL("wss://c.example.com"), [])
        list.set(try RelayURL("wss://new.example.com"), .read)
        list.set(try RelayURL("wss://a.example.com"), .both)
        #expect(
            list.tags == [
                messy[0], ["r", "wss://b.example.com", "write"], messy[2], messy[5], messy[6], messy[7], messy[8],
                ["r", "wss://new.example.com", "read"],
            ])
        #expect(list.difference.dropped.count == 3)
        #expect(list.draft(now: moment).content == "x")
        var random = SeededRandom(seed: 1)
        let again = Event(signing: list.draft(now: moment), with: TestPerson.alice.secretKey, using: &random)
        #expect(RelayList(again)?.entries == list.entries)
    }
}

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
