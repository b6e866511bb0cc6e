import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("What members say (MIP-03)") struct GroupMessageTests {
    @Test("a message is by who sent it, and has its own id")
    func says() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        var random = SeededRandom(seed: 1)
        let draft = EventDraft(kind: 7, tags: [["e", "x"], ["t", "y"]], content: "🦜", createdAt: noon)
        let (event, sent) = try alice.send(draft, now: noon, using: &random)
        guard case .message(let message) = try bob.read(event, now: noon) else {
            Issue.record("no message")
            return
        }
        #expect(message.rumor == sent && message.rumor == Rumor(draft, author: TestPerson.alice.publicKey))
        #expect(message.place == alice.mls.ownIndex && message.epoch == 1)
        refuses(.refusedByMLS, "twice") { _ = try bob.read(event, now: noon) }
    }

    private static func json(_ pubkey: String, tags: String = "[]", id: String = "") -> String {
        "{\(id)\"pubkey\":\"\(pubkey)\",\"created_at\":1,\"kind\":9,\"tags\":\(tags),\"content\":\"\"}"
    }

    private static let refusals: [(String, MarmotError.Code, String)] = [
        ("nothing", .malformed, ""),
        ("no JSON", .malformed, "hello"),
        ("no event", .malformed, "{}"),
        ("an array", .malformed, "[]"),
        ("deep arrays", .malformed, String(repeating: "[", count: 5_000)),
        ("deep objects", .malformed, String(repeating: "{\"a\":", count: 5_000)),
        ("deep tags", .malformed, json(TestPerson.alice.publicKey.hex, tags: String(repeating: "[", count: 600))),
        ("a deep unknown field", .malformed, "{\"x\":" + String(repeating: "[", count: 513)),
        ("somebody else", .wrongAuthor, json(TestPerson.bob.publicKey.hex)),
        (
            "another's id", .malformed,
            json(TestPerson.alice.publicKey.hex, id: "\"id\":\"\(String(repeating: "0", count: 64))\",")
        ),
        ("a group", .badTag, json(TestPerson.alice.publicKey.hex, tags: "[[\"h\",\"x\"]]")),
        ("a group without name", .badTag, json(TestPerson.alice.publicKey.hex, tags: "[[\"h\"]]")),
        ("two", .malformed, json(TestPerson.alice.publicKey.hex) + "{}"),
        ("a million bytes", .tooLarge, String(repeating: " ", count: 1_000_000)),
    ]

    @Test("refuses what a member may not say, and goes on", arguments: refusals.map(\.0))
    func refusesMessage(name: String) throws {
        let (_, code, text) = try #require(Self.refusals.first { $0.0 == name })
        var circle = try Circle.open()
        var mls = circle.alice.mls
        let message = try mls.encrypt(Array(text.utf8))
        if text.utf8.count > GenerationB.longestMessage {
            // Such an event is not even made.
            refuses(code, name) { _ = try circle.alice.envelope(message) }
        } else {
            let event = try circle.alice.envelope(message)
            refuses(code, name) { _ = try circle.bob.read(event, now: noon) }
        }
        #expect(try circle.bob.readText(circle.carol.sendText("well")) == "well")
    }

    @Test("bytes that are no text are refused")
    func refusesBytes() throws {
        var circle = try Circle.open()
        var mls = circle.alice.mls
        let event = try circle.alice.envelope(mls.encrypt([0xff, 0xfe]))
        refuses(.malformed) { _ = try circle.bob.read(event, now: noon) }
    }

    @Test("a signature that should not be there is not kept; an id that is missing is computed")
    func tolerates() throws {
        var circle = try Circle.open()
        var mls = circle.alice.mls
        let json = Self.json(TestPerson.alice.publicKey.hex, id: "\"sig\":\"00\",")
        let event = try circle.alice.envelope(mls.encrypt(Array(json.utf8)))
        guard case .message(let message) = try circle.bob.read(event, now: noon) else {
            Issue.record("no message")
            return
        }
        #expect(!message.rumor.json.contains("sig"))
    }

    @Test("does not send what others refuse")
    func refusesToSend() throws {
        var alice = try Circle.open().alice
        var random = SeededRandom(seed: 1)
        let tagged = EventDraft(kind: 9, tags: [["h", "x"]], createdAt: noon)
        refuses(.badTag) { _ = try alice.send(tagged, now: noon, using: &random) }
        let long = EventDraft(kind: 9, content: String(repeating: "x", count: 400_000), createdAt: noon)
        refuses(.tooLarge) { _ = try alice.send(long, now: noon, using: &random) }
    }
}
