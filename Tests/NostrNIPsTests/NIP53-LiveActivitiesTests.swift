import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-53 live streams")
struct LiveActivitiesTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private static let now: Int64 = 1_700_000_000

    private func activity(_ tags: [Tag], at seconds: Int64 = now) throws -> LiveActivity {
        try #require(LiveActivity(alice.event(kind: 30_311, tags: [["d", "a:b"]] + tags, at: seconds)))
    }

    @Test("everything a stream says is read; what is malformed is not there")
    func read() throws {
        let stream = try activity([
            ["title", "Morning"], ["summary", ""], ["image", "https://x.example/y.png"], ["t", "Live"], ["t", "live"],
            ["streaming", "https://x.example/live.m3u8"], ["starts", "1699990000"], ["ends", "soon"],
            ["status", "LIVE"], ["current_participants", "12"], ["total_participants", "-1"],
            ["relays", "wss://one.example", "http://no", "wss://one.example/"], ["pinned", repeatedHex("a")],
            ["pinned", "x"], ["p", "nobody", "", "Host"], ["p", bob.publicKey.hex, "wss://b.example", "host"],
            ["p", bob.publicKey.hex, "", "Speaker"], ["p"], ["goal", repeatedHex("b")],
        ])
        #expect(stream.address.description == "30311:\(alice.publicKey.hex):a:b")
        #expect(stream.title == "Morning" && stream.summary == nil && stream.hashtags == ["live"])
        #expect(stream.starts == Timestamp(seconds: 1_699_990_000) && stream.ends == nil)
        #expect(stream.claimedStatus == .live && stream.currentParticipants == 12 && stream.totalParticipants == nil)
        #expect(stream.relays.map(\.text) == ["wss://one.example"])
        #expect(stream.pinned == [repeatedID("a")] && stream.goal == repeatedID("b"))
        #expect(stream.participants.map(\.role) == ["host"])
        #expect(stream.host == bob.publicKey && !stream.isHostConfirmed)
        #expect(LiveActivity(alice.event(kind: 1)) == nil)
    }

    @Test(
        "is live only as long as it is updated",
        arguments: [
            ([["status", "live"]], 3600, LiveActivity.Status.live), ([["status", "live"]], 3601, .ended),
            ([["status", "planned"]], 90_000, .planned), ([["status", "ended"]], 0, .ended),
            ([["status", "dancing"]], 0, .ended), ([], 0, .ended),
            ([["starts", "1699999000"]], 10, .live), ([["starts", "1700009000"]], 10, .planned),
            ([["starts", "1699999000"], ["ends", "1699999999"]], 10, .ended),
        ] as [([[String]], Int64, LiveActivity.Status)])
    func status(tags: [[String]], age: Int64, expected: LiveActivity.Status) throws {
        let stream = try activity(tags.map { Tag($0) }, at: Self.now - age)
        #expect(stream.status(now: Timestamp(seconds: Self.now)) == expected)
    }

    @Test("somebody takes part by a proof of their own for this very stream, and is invited without")
    func proofs() throws {
        var random = SeededRandom(seed: 5)
        let address = EventAddress(kind: 30_311, author: alice.publicKey, identifier: "a:b")
        let other = EventAddress(kind: 30_311, author: alice.publicKey, identifier: "a")
        let proof = LiveActivity.proof(of: address, by: bob.secretKey, using: &random).hex
        let elsewhere = LiveActivity.proof(of: other, by: bob.secretKey, using: &random).hex
        let stolen = LiveActivity.proof(of: address, by: TestPerson.carol.secretKey, using: &random).hex
        for (text, agreed) in [(proof, true), (elsewhere, false), (stolen, false), ("", false), ("00", false)] {
            let stream = try activity([["p", bob.publicKey.hex, "", "Host", text]])
            #expect(stream.participants.map(stream.hasAgreed) == [agreed])
            #expect(stream.isHostConfirmed == agreed)
        }
        let own = try activity([["p", alice.publicKey.hex, "", "Host"]])
        #expect(own.isHostConfirmed && own.host == alice.publicKey)
        let none = try activity([])
        #expect(none.isHostConfirmed && none.host == alice.publicKey)
    }

    @Test("a line of a chat is written as it is read")
    func lines() throws {
        let address = EventAddress(kind: 30_311, author: alice.publicKey, identifier: "a:b")
        let pointer = AddressPointer(address: address, relays: [try RelayURL("wss://r.example")])
        let moment = Timestamp(seconds: Self.now)
        let first = bob.event("hello", kind: 1311, tags: [["a", address.description]])
        let draft = LiveChatMessage.draft(in: pointer, replyTo: first, text: "to you #birds", createdAt: moment)
        #expect(draft.kind == 1311)
        #expect(
            draft.tags == [
                ["a", address.description, "wss://r.example", "root"],
                ["e", first.id.hex, "wss://r.example", "reply"], ["p", bob.publicKey.hex], ["t", "birds"],
            ])
        let read = try #require(LiveChatMessage(alice.event(draft.content, kind: draft.kind, tags: draft.tags)))
        #expect(read.activity == pointer && read.replyTo == first.id && read.text == "to you #birds")
    }

    @Test("a line names whom and what it mentions, with the pictures of its emoji")
    func mentions() throws {
        let address = EventAddress(kind: 30_311, author: alice.publicKey, identifier: "a:b")
        let cited = bob.event("earlier")
        let code = try NostrEntity.nevent(EventPointer(cited)).encoded()
        let carol = TestPerson.carol.publicKey
        let emoji = try #require(CustomEmoji(shortcode: "parrot", url: "https://e.example/parrot.png"))
        let draft = LiveChatMessage.draft(
            in: AddressPointer(address: address), text: "ask nostr:\(carol.npub) about nostr:\(code) :parrot:",
            emoji: [emoji], createdAt: Timestamp(seconds: Self.now))
        #expect(draft.tags.first == ["a", address.description, "", "root"])
        #expect(draft.tags.contains { $0.name == "p" && $0.value == carol.hex })
        #expect(draft.tags.contains { $0.name == "q" && $0.value == cited.id.hex })
        #expect(draft.tags.contains(["emoji", "parrot", "https://e.example/parrot.png"]))
        #expect(!draft.tags.contains { $0.name == "e" })
    }

    @Test("the chat a line belongs to is the stream marked as root, else the first one named")
    func messy() throws {
        let (one, two) = ("30311:\(alice.publicKey.hex):one", "30311:\(alice.publicKey.hex):two")
        func read(_ tags: [Tag]) -> LiveChatMessage? { LiveChatMessage(bob.event("x", kind: 1311, tags: tags)) }
        #expect(read([["a", one], ["a", two]])?.activity.address.identifier == "one")
        #expect(read([["a", one], ["a", two, "", "root"]])?.activity.address.identifier == "two")
        #expect(read([["a", "30023:\(alice.publicKey.hex):x"]]) == nil)
        #expect(read([["a", "30311:nobody:x"]]) == nil && read([]) == nil)
        let (a, b) = (repeatedHex("a"), repeatedHex("b"))
        #expect(read([["a", one], ["e", a], ["e", b]])?.replyTo == repeatedID("b"))
        #expect(read([["a", one], ["e", a, "", "reply"], ["e", b, "", "mention"]])?.replyTo == repeatedID("a"))
        #expect(read([["a", one], ["e", "x"]])?.replyTo == nil)
    }

    @Test("never trap on noise")
    func noise() {
        let hex = alice.publicKey.hex
        let line =
            "d x\na 30311:\(hex):x w root\np \(hex) wss://r.example Host \(hex)\(hex)\nrelays wss://r.example\n"
            + "pinned \(hex)\nstarts 1\nends 2\nstatus live\ncurrent_participants 5\ne \(hex) _ reply"
        var turn = 0
        Noise.run(Array(line.utf8), rounds: 3_000) { bytes in
            let tags = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .map { Tag($0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) }
            let event = alice.event(kind: turn.isMultiple(of: 2) ? 30_311 : 1311, tags: tags)
            if let read = LiveActivity(event) {
                _ = (read.status(now: event.createdAt), read.host, read.isHostConfirmed)
                #expect(read.participants.count <= LiveActivity.mostParticipants)
            }
            _ = LiveChatMessage(event)
            turn += 1
        }
    }
}
