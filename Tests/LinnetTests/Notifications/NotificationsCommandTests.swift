import ArgumentParser
import NostrClient
import NostrCore
import NostrTesting
import Testing

@testable import linnet

@Suite("notifications on the command line")
struct NotificationsCommandTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    @Test(
        "take a moment or a span before now",
        arguments: [
            ("1699999999", 1_699_999_999), ("0", 0), ("24h", 1_700_000_000 - 86_400), ("7d", 1_700_000_000 - 604_800),
            ("90m", 1_700_000_000 - 5400), ("5s", 1_700_000_000 - 5),
        ] as [(String, Int64)])
    func moments(text: String, seconds: Int64) {
        #expect(NotificationMoment(text, now: Self.now)?.moment == Timestamp(seconds: seconds))
    }

    @Test("take nothing else", arguments: ["", "h", "-1h", "1w", "soon", "1.5h", "999999999999d", "٣h"])
    func noMoments(text: String) {
        #expect(NotificationMoment(text, now: Self.now) == nil)
    }

    @Test("are lines of JSON")
    func lines() {
        let event = TestPerson.bob.event("hello \"you\"", tags: [["p", TestPerson.alice.publicKey.hex]])
        let line = NotificationLine.text(of: AccountNotification(event, .mention, about: nil), isUnread: true)
        #expect(line.hasPrefix(#"{"type":"mention","id":"\#(event.id.hex)","created_at":1700000000,"#))
        #expect(line.contains(#""content":"hello \"you\"""#) && line.hasSuffix(#""unread":true}"#))
        let zap = Zap(
            sender: TestPerson.carol.publicKey, isAnonymous: true, millisatoshis: 21_000, paidAt: Self.now)
        let paid = NotificationLine.text(of: AccountNotification(event, .zap, about: nil, zap: zap), isUnread: false)
        #expect(paid.contains(#""msats":21000"#) && !paid.contains("pubkey"))
    }

    @Test("a follower is named without their list, a line of a chat with its stream")
    func followersAndChats() {
        let (bob, stream) = (TestPerson.bob, "30311:\(TestPerson.carol.publicKey.hex):dawn")
        let first = bob.event(kind: 3).id
        let follow = AccountNotification(follower: bob.publicKey, since: Self.now, by: first)
        let line = NotificationLine.text(of: follow, isUnread: false)
        #expect(
            line == #"{"type":"follow","id":"\#(first.hex)","created_at":1700000000,"pubkey":"\#(bob.publicKey.hex)"}"#)
        let said = bob.event("hello", kind: 1311, tags: [["a", stream, "", "root"]])
        let chat = NotificationLine.text(of: AccountNotification(said, .chat, about: nil), isUnread: false)
        #expect(chat.contains(#""content":"hello","stream":"\#(stream)""#))
    }

    @Test(
        "take only kinds there are",
        arguments: [("replies,zaps", true), ("followers,chats", true), ("replies,messages", false), ("x", false)])
    func kinds(text: String, isTaken: Bool) {
        let parsed = try? NotificationsCommand.List.parse(["--kinds", text])
        #expect((parsed != nil) == isTaken)
    }
}
