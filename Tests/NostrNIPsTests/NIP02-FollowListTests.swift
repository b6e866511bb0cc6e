import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let bob = TestPerson.bob.publicKey
private let carol = TestPerson.carol.publicKey

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

    @Test("a list of ten thousand, with a name each, is read from a relay's message")
    func tenThousand() throws {
        let tags = (0..<10_000).map { number -> Tag in
            let hex = String(number, radix: 16)
            return ["p", String(repeating: "0", count: 64 - hex.count) + hex, "", "name \(number)"]
        }
        let event = TestPerson.alice.event(kind: 3, tags: tags)
        let frame = RelayMessage.event(try #require(SubscriptionID("1")), event.unverified).json
        #expect(frame.count > 730_000)
        let message = try RelayMessage(json: frame)
        guard case .event(_, let read) = message else {
            Issue.record("no event")
            return
        }
        #expect(read.tags.count == 10_000)
    }
}
