import MLS
import Marmot
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("What members say in a circle") struct CircleMessageTests {
    private static let target = TestPerson.alice.event("Where are you?").id
    private static let id = target.hex
    private static let picture = CircleImage(jpeg: jpeg(60))
    private static let base64 = picture?.base64 ?? ""
    private static let whenSent = Timestamp(seconds: 1_700_000_000)

    /// Name, kind, content as another program writes it, what it means, and the moment it names.
    private static let samples: [(String, Kind, String, CircleMessage.Body, Timestamp)] = [
        // Whistle on Android writes the fields in this order.
        (
            "chat", 9, #"{"type":"chat","text":"Hello!","ts":1700000000,"v":1}"#,
            .chat("Hello!", replyTo: nil), whenSent
        ),
        // Whistle on iOS writes them in any order, with escaped slashes.
        (
            "chat of iOS", 9, #"{"ts":1700000000,"text":"see https:\/\/a.example\/b 🦜","v":1,"type":"chat"}"#,
            .chat("see https://a.example/b 🦜", replyTo: nil), whenSent
        ),
        ("plain chat", 9, "Hello!", .chat("Hello!", replyTo: nil), noon),
        ("plain chat of brackets", 9, "[[[[", .chat("[[[[", replyTo: nil), noon),
        ("plain chat that begins as JSON", 9, "{ hello", .chat("{ hello", replyTo: nil), noon),
        ("JSON without a type", 9, #"{"a":1}"#, .chat(#"{"a":1}"#, replyTo: nil), noon),
        ("JSON whose type is a number", 9, #"{"type":1}"#, .chat(#"{"type":1}"#, replyTo: nil), noon),
        ("nickname", 9, #"{"type":"nickname","name":"Dad","ts":1700000000,"v":1}"#, .nickname("Dad"), whenSent),
        ("no nickname", 9, #"{"type":"nickname","name":"","ts":1700000000,"v":1}"#, .nickname(nil), whenSent),
        (
            "avatar", 9, #"{"type":"avatar","img":"\#(base64)","ts":1700000000,"v":1}"#, .avatar(picture), whenSent
        ),
        ("avatar removed", 9, #"{"type":"avatar","img":"","ts":1700000000,"v":1}"#, .avatar(nil), whenSent),
        (
            "leave request", 2, "", .leaveRequest, noon
        ),
        ("a later field", 9, #"{"type":"nickname","name":"Bo","ts":1,"v":1,"x":[{}]}"#, .nickname("Bo"), at(1)),
        ("no ts, no v", 9, #"{"type":"nickname","name":"Bo"}"#, .nickname("Bo"), noon),
        ("ts that is no moment", 9, #"{"type":"nickname","name":"Bo","ts":1e999,"v":1}"#, .nickname("Bo"), noon),
        ("ts of the year 10000", 9, #"{"type":"nickname","name":"Bo","ts":253402300800}"#, .nickname("Bo"), noon),
        ("ts with a fraction", 9, #"{"type":"nickname","name":"Bo","ts":1.5}"#, .nickname("Bo"), noon),
        ("v written as 1.0", 9, #"{"type":"nickname","name":"Bo","v":1.0}"#, .nickname("Bo"), noon),
        ("v of later", 9, #"{"type":"chat","text":"x","ts":1,"v":2}"#, .unknown(.laterVersion), at(1)),
        ("v of nought", 9, #"{"type":"chat","text":"x","ts":1,"v":0}"#, .unknown(.malformed), at(1)),
        ("v of text", 9, #"{"type":"chat","text":"x","ts":1,"v":"1"}"#, .unknown(.malformed), at(1)),
        ("v of later, type unknown", 9, #"{"type":"poll","ts":1,"v":2}"#, .unknown(.type), at(1)),
        ("chat without text", 9, #"{"type":"chat","ts":1,"v":1}"#, .unknown(.malformed), at(1)),
        ("chat of a number", 9, #"{"type":"chat","text":7,"ts":1,"v":1}"#, .unknown(.malformed), at(1)),
        ("nothing said", 9, " \n", .unknown(.malformed), noon),
        ("picture that is none", 9, #"{"type":"avatar","img":"AAAA","ts":1}"#, .unknown(.malformed), at(1)),
        ("picture that is no Base64", 9, #"{"type":"avatar","img":"/9j/*","ts":1}"#, .unknown(.malformed), at(1)),
        ("type unknown", 9, #"{"type":"poll","ts":1}"#, .unknown(.type), at(1)),
        ("place in the chat", 9, #"{"type":"location","lat":1,"lon":1,"acc":1,"ts":1}"#, .unknown(.type), at(1)),
        ("name beside the places", 1, #"{"type":"nickname","name":"Bo","ts":1}"#, .unknown(.type), at(1)),
        ("note", 1, "Hello!", .unknown(.kind(1)), noon),
        ("kind unknown", 1111, "Hello!", .unknown(.kind(1111)), noon),
        ("another program's data", 78, #"{"type":"sharing","state":"on"}"#, .unknown(.kind(78)), noon),
    ]

    private static func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

    @Test("reads what other programs write, and passes over what it does not know", arguments: samples.map(\.0))
    func reads(name: String) throws {
        let (_, kind, content, body, sentAt) = try #require(Self.samples.first { $0.0 == name })
        let message = TestPerson.bob.says(content, kind: kind)
        #expect(message.body == body)
        #expect(message.sentAt == sentAt)
        #expect(message.author == TestPerson.bob.publicKey && message.id == message.rumor.id)
    }

    @Test("depth and length are bounded before anything is decoded", arguments: [9, 1, 78] as [Kind])
    func bounds(kind: Kind) {
        func says(_ content: String) -> CircleMessage.Body {
            TestPerson.bob.says(content, kind: kind, tags: [CircleMessage.quietTag]).body
        }
        func nested(_ depth: Int) -> String {
            #"{"type":"poll","a":"# + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(says(nested(32)) == .unknown(.type))
        #expect(says(nested(33)) == .unknown(.malformed))
        #expect(says(#"{"type":"# + String(repeating: "[", count: 100_000)) == .unknown(.malformed))
        #expect(says(String(repeating: #"{"a":"#, count: 50_000)) == .unknown(.malformed))
        let long = #"{"type":"poll","a":""# + String(repeating: "x", count: CirclePayload.longest) + #""}"#
        #expect(says(long) == .unknown(.malformed))
    }

    @Test("a reply names what it answers as NIP-C7 does, or as White Noise once did")
    func replies() throws {
        let other = TestPerson.alice.event("And you?").id
        let note = Self.target.note
        let nevent = try NostrEntity.nevent(EventPointer(id: Self.target)).encoded()
        for (tags, content, line) in [
            ([["q", Self.id, "", Self.id]], "yes", "yes"),
            ([["q", Self.id]], "nostr:\(nevent)\nyes", "yes"),
            ([["q", Self.id]], "nostr:\(note) yes", "yes"),
            ([["e", other.hex], ["e", Self.id]], "yes", "yes"),
            ([["e", other.hex], ["q", "nonsense"], ["q", Self.id], ["q", other.hex]], "yes", "yes"),
            ([["q", Self.id]], "nostr:nevent1nonsense yes", "nostr:nevent1nonsense yes"),
            ([["q", Self.id]], "yes nostr:\(note)", "yes nostr:\(note)"),
            ([["q", Self.id]], "nostr:\(note)", "nostr:\(note)"),
            ([["q", Self.id]], #"{"type":"chat","text":"yes","ts":1,"v":1}"#, "yes"),
        ] as [([NostrCore.Tag], String, String)] {
            #expect(TestPerson.bob.says(content, tags: tags).body == .chat(line, replyTo: Self.target), "\(content)")
        }
        let elsewhere = TestPerson.bob.says("nostr:\(note) yes", tags: [["q", other.hex]])
        #expect(elsewhere.body == .chat("nostr:\(note) yes", replyTo: other))
        #expect(TestPerson.bob.says("no", tags: [["e", "x"], ["q"]]).body == .chat("no", replyTo: nil))
    }

    @Test("a file needs no words beside it")
    func files() {
        #expect(TestPerson.bob.says("", tags: [["imeta", "url x"]]).body == .chat("", replyTo: nil))
    }

    @Test("reactions and deletions are those of White Noise")
    func reactions() {
        let tags: [NostrCore.Tag] = [["e", Self.id], ["p", TestPerson.alice.publicKey.hex, ""], ["k", "9"]]
        #expect(TestPerson.bob.says("+", kind: 7, tags: tags).body == .reaction(.like, to: Self.target))
        #expect(TestPerson.bob.says("🦜", kind: 7, tags: tags).body == .reaction(.emoji("🦜"), to: Self.target))
        #expect(TestPerson.bob.says("+", kind: 7).body == .unknown(.malformed))
        let long = String(repeating: "🦜", count: 20)
        #expect(TestPerson.bob.says(long, kind: 7, tags: tags).body == .unknown(.malformed))
        #expect(TestPerson.bob.says("", kind: 5, tags: tags).body == .deletion([Self.target]))
        #expect(TestPerson.bob.says("", kind: 5, tags: [["e", "x"]]).body == .unknown(.malformed))
    }

    @Test("only its author takes a message back")
    func retracts() throws {
        let said = TestPerson.bob.says("Hello!")
        let deletion = CircleMessage.deletion(of: [CircleMessageReference(said)], now: noon)
        #expect(TestPerson.bob.says(deletion).retracts(said))
        #expect(!TestPerson.alice.says(deletion).retracts(said))
        #expect(!TestPerson.bob.says(deletion).retracts(TestPerson.bob.says("Bye!")))
        #expect(!said.retracts(said))
    }

    @Test("the circle's picture is taken from an admin only")
    func circlePicture() {
        let content = #"{"type":"group_avatar","img":"\#(Self.base64)","ts":1,"v":1}"#
        #expect(TestPerson.bob.says(content, isAdmin: true).body == .circleAvatar(Self.picture))
        #expect(TestPerson.bob.says(content).body == .unknown(.notAdmin))
        let removed = #"{"type":"group_avatar","img":"","ts":1,"v":1}"#
        #expect(TestPerson.bob.says(removed, isAdmin: true).body == .circleAvatar(nil))
        #expect(TestPerson.bob.says(removed).body == .unknown(.notAdmin))
    }

    @Test("who is an admin stands in the roster of the group, and who speaks in MLS")
    func inAGroup() throws {
        var (alice, bob) = try GroupOfTwo.open()
        var random = SeededRandom(seed: 4)
        let draft = CircleMessage.circleAvatar(Self.picture, readers: [], now: noon)
        for (sender, body) in [(true, .circleAvatar(Self.picture)), (false, .unknown(.notAdmin))]
            as [(Bool, CircleMessage.Body)]
        {
            let event =
                try sender
                ? alice.send(draft, now: noon, using: &random).event : bob.send(draft, now: noon, using: &random).event
            guard case .message(let message) = try sender ? bob.read(event, now: noon) : alice.read(event, now: noon)
            else {
                Issue.record("no message")
                continue
            }
            let read = CircleMessage(message, roster: alice.roster)
            #expect(read.body == body)
            #expect(read.author == (sender ? TestPerson.alice : .bob).publicKey)
        }
    }

    @Test("pictures are JPEGs of at most 16 KiB of Base64")
    func pictures() throws {
        #expect(CircleImage(jpeg: jpeg(12_288)) != nil)
        #expect(CircleImage(jpeg: jpeg(12_289)) == nil)
        #expect(CircleImage(jpeg: [0x89, 0x50, 0x4E, 0x47]) == nil && CircleImage(jpeg: []) == nil)
        let image = try #require(CircleImage(jpeg: jpeg(12_288)))
        #expect(image.base64.utf8.count == 16 * 1024 && CircleImage(base64: image.base64) == image)
        var lines = ""
        for (place, character) in image.base64.enumerated() {
            if place > 0, place.isMultiple(of: 76) { lines += "\n" }
            lines.append(character)
        }
        #expect(CircleImage(base64: lines) == image)
        #expect(CircleImage(base64: image.base64 + "AAAA") == nil)
    }

    @Test("names fit one line and run one way")
    func names() {
        for (written, shown) in [
            ("Dad", "Dad"), ("  Dad \n the\u{2028}Great\t", "Dad the Great"), ("", nil), (" \u{0} ", nil),
            ("Mum\u{202E}daD", "MumdaD"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("a\u{0}b", "ab"),
            (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
            (String(repeating: "🦜", count: 70), String(repeating: "🦜", count: 64)),
            ("a" + String(repeating: "\u{301}", count: 5_000), nil),
        ] as [(String, String?)] {
            #expect(shownName(written) == shown, "\(written.prefix(20))")
        }
        #expect(shownName(nil) == nil)
        #expect(shownName("x" + String(repeating: "👩‍👩‍👧", count: 64))?.utf8.count ?? 0 <= 256)
    }
}
