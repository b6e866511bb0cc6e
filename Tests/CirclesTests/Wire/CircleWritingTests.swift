import FoundationEssentials
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("What we say in a circle, and who shows it") struct CircleWritingTests {
    private static let target = CircleMessageReference(TestPerson.alice.says("Where are you?"))
    private static let picture = CircleImage(jpeg: jpeg(600))
    private static let allReaders: [Set<CircleProgram>] = [
        [], [.linnet], [.whistle], [.other], [.whistle, .other], [.linnet, .whistle], [.linnet, .whistle, .other],
    ]

    /// Everything but chat that is sent, and what it means.
    private static func everything(_ readers: Set<CircleProgram>) throws -> [(EventDraft, CircleMessage.Body)] {
        let place = try #require(LocationPayload(latitude: 1, longitude: 2, accuracy: 3, sentAt: noon))
        var all: [(EventDraft, CircleMessage.Body)] = [
            (CircleMessage.nickname("Dad", readers: readers, now: noon), .nickname("Dad")),
            (CircleMessage.nickname(nil, readers: readers, now: noon), .nickname(nil)),
            (CircleMessage.avatar(picture, readers: readers, now: noon), .avatar(picture)),
            (CircleMessage.avatar(nil, readers: readers, now: noon), .avatar(nil)),
            (CircleMessage.circleAvatar(picture, readers: readers, now: noon), .circleAvatar(picture)),
            (CircleMessage.location(place), .location(place)),
            (CircleMessage.leaveRequest(now: noon), .leaveRequest),
            (CircleMessage.deletion(of: [target], now: noon), .deletion([target.id])),
        ]
        let notices: [SharingNotice] =
            [.on, .paused(until: nil), .paused(until: noon), .silent(nil)]
            + SharingNotice.Reason.allCases.map { .silent($0) }
        all += notices.map { (CircleMessage.sharing($0, now: noon), .sharing($0)) }
        return all
    }

    @Test("comes back as it was sent", arguments: allReaders)
    func roundTrip(readers: Set<CircleProgram>) throws {
        for (draft, body) in try Self.everything(readers) {
            let message = TestPerson.bob.says(draft, isAdmin: true)
            #expect(message.body == body && message.sentAt == noon && draft.createdAt == noon)
        }
        for (content, meaning) in [("+", .like), ("-", .dislike), ("🦜", .emoji("🦜"))] as [(String, Reaction.Meaning)] {
            let draft = try CircleMessage.reaction(content, to: Self.target, readers: readers, now: noon)
            #expect(TestPerson.bob.says(draft).body == .reaction(meaning, to: Self.target.id))
        }
    }

    @Test("nothing but chat is a line of the chat in any program", arguments: allReaders)
    func notShown(readers: Set<CircleProgram>) throws {
        for (draft, body) in try Self.everything(readers) {
            #expect(!Self.whistleLists(draft), "\(body)")
            // Without White Noise in the circle it may be sent as Whistle reads it.
            if readers != [.whistle], readers != [.linnet, .whistle] {
                #expect(!Self.whiteNoiseLists(draft), "\(body)")
            }
        }
    }

    @Test("a name is sent as Whistle reads it only where nobody would see it as a line of the chat")
    func kinds() throws {
        for (readers, kind) in [([], 78), ([.whistle], 9), ([.whistle, .linnet], 9), ([.whistle, .other], 78)]
            as [(Set<CircleProgram>, Kind)]
        {
            #expect(CircleMessage.nickname("Dad", readers: readers, now: noon).kind == kind)
        }
        let alone = try CircleMessage.reaction("+", to: Self.target, readers: [.whistle], now: noon)
        #expect(alone.kind == 78 && !Self.whistleLists(alone))
        #expect(try CircleMessage.reaction("+", to: Self.target, readers: [.whistle, .other], now: noon).kind == 7)
    }

    @Test("a line of the chat is one in every program, as it was written")
    func chat() throws {
        for text in ["Hello!", "{ hello", #"{"a":1}"#, "[[[[", "nostr:note1x", "  two  lines\n\nof it ", "\u{202E}x"] {
            let draft = try CircleMessage.chat(text, now: noon)
            #expect(draft.content == text && draft.kind == 9)
            #expect(TestPerson.bob.says(draft).body == .chat(text, replyTo: nil))
            #expect(Self.whistleLists(draft) && Self.whiteNoiseLists(draft))
        }
    }

    @Test("a line that could pass for something else comes back as it was written")
    func quoted() throws {
        let deep = #"{"a":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}"
        for text in [#"{"type":"location","lat":1}"#, " \n{\"type\":\"nickname\"}", "{type:x}", deep] {
            let draft = try CircleMessage.chat(text, replyTo: Self.target, now: noon)
            #expect(TestPerson.bob.says(draft).body == .chat(text, replyTo: Self.target.id), "\(text)")
            #expect(Self.whistleLists(draft))
        }
    }

    @Test("a reply has the tag of NIP-C7")
    func reply() throws {
        let draft = try CircleMessage.chat("Home", replyTo: Self.target, now: noon)
        #expect(draft.tags.first == ["q", Self.target.id.hex, "", TestPerson.alice.publicKey.hex])
        #expect(TestPerson.bob.says(draft).body == .chat("Home", replyTo: Self.target.id))
    }

    @Test("refuses what is empty or too long")
    func refuses() throws {
        #expect(throws: CircleMessageError.empty) { try CircleMessage.chat(" \n", now: noon) }
        #expect(throws: CircleMessageError.tooLong(limit: 16_384)) {
            try CircleMessage.chat(String(repeating: "x", count: 16_385), now: noon)
        }
        #expect(try CircleMessage.chat("", tags: [["imeta", "x"]], now: noon).content.isEmpty)
        #expect(throws: CircleMessageError.empty) {
            try CircleMessage.reaction("", to: Self.target, readers: [], now: noon)
        }
        #expect(throws: CircleMessageError.tooLong(limit: 50)) {
            try CircleMessage.reaction(String(repeating: "x", count: 51), to: Self.target, readers: [], now: noon)
        }
    }

    @Test("tells which program somebody uses by what they send")
    func programs() throws {
        func program(_ draft: EventDraft) -> CircleProgram? {
            CircleProgram(writing: Rumor(draft, author: TestPerson.bob.publicKey))
        }
        for readers in Self.allReaders {
            for (draft, body) in try Self.everything(readers) { #expect(program(draft) == .linnet, "\(body)") }
        }
        #expect(try program(CircleMessage.chat("x", now: noon)) == .linnet)
        for (kind, content, expected) in [
            (9, "Hello!", .other), (9, #"{"type":"chat","text":"x","ts":1,"v":1}"#, .whistle),
            (1, #"{"type":"location","lat":1,"lon":1,"acc":1,"ts":1,"v":1}"#, .whistle), (2, "", .whistle),
            (7, "+", .other), (5, "", .other), (1111, "x", nil),
        ] as [(Kind, String, CircleProgram?)] {
            #expect(program(EventDraft(kind: kind, content: content, createdAt: noon)) == expected)
        }
    }

    /// Whistle 1.5–1.11: every message is a line whose content is no JSON object with another type than chat.
    private static func whistleLists(_ draft: EventDraft) -> Bool {
        struct Typed: Decodable { let type: String }
        guard let read = try? JSONDecoder().decode(Typed.self, from: Data(draft.content.utf8)) else { return true }
        return read.type == "chat"
    }

    /// White Noise: every message of kind 9 is a line, whatever stands in it; others it does not list.
    private static func whiteNoiseLists(_ draft: EventDraft) -> Bool { draft.kind == 9 }
}
