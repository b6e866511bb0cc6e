import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// What an event is to the account.
struct NotificationRulesTests {
    private static let alice = TestPerson.alice
    private static let bob = TestPerson.bob
    private static let mine = alice.event("my note", at: 100)
    private static let poll = alice.event(
        "tea?", kind: 1068, tags: [["option", "a", "yes"], ["option", "b", "no"]], at: 90)
    private static let theirs = bob.event("another note", at: 110)
    private static let p: NostrCore.Tag = ["p", alice.publicKey.hex]
    private static let stream: NostrCore.Tag = ["a", "30311:\(bob.publicKey.hex):dawn", "", "root"]
    private static let article = alice.event("on tea", kind: 30_023, tags: [["d", "tea"]], at: 80)
    private static let line = alice.event("hello", kind: 1311, tags: [stream], at: 95)

    /// One case: an event, and what it is.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let event: Event
        let sort: AccountNotification.Sort?
        var target: EventID?
        var testDescription: String { name }

        init(_ name: String, _ event: Event, _ sort: AccountNotification.Sort?, _ target: EventID? = nil) {
            (self.name, self.event, self.sort, self.target) = (name, event, sort, target)
        }
    }

    static let rows: [Row] = words + acts + others + chats

    private static let words: [Row] = [
        Row("an answer", bob.event("yes", tags: [["e", mine.id.hex, "", "root"], p], at: 200), .reply, mine.id),
        Row(
            "an answer without a p tag", bob.event("yes", tags: [["e", mine.id.hex, "", "root"]], at: 200), .reply,
            mine.id),
        Row("an old positional answer", bob.event("yes", tags: [["e", mine.id.hex], p], at: 200), .reply, mine.id),
        Row(
            "an answer to somebody else that names the account",
            bob.event("yes", tags: [["e", mine.id.hex, "", "root"], ["e", theirs.id.hex, "", "reply"], p], at: 200),
            .mention),
        Row("a quote", bob.event("look", tags: [["q", mine.id.hex]], at: 200), .quote, mine.id),
        Row("a quote in the text alone", bob.event("look nostr:\(mine.id.note)", at: 200), .quote, mine.id),
        Row("a mention", bob.event("hello", tags: [p], at: 200), .mention),
        Row("a note that has nothing to do with it", bob.event("hello", at: 200), nil),
    ]

    private static let acts: [Row] = [
        Row("a like", bob.event("+", kind: 7, tags: [["e", mine.id.hex], p], at: 200), .reaction, mine.id),
        Row(
            "a like of a note that is not here, said to be the account's",
            bob.event("+", kind: 7, tags: [["e", String(repeating: "ab", count: 32)], p], at: 200), .reaction,
            try? EventID(hex: String(repeating: "ab", count: 32))),
        Row(
            "a like of another's note that names the account",
            bob.event("+", kind: 7, tags: [["e", theirs.id.hex], p], at: 200), nil),
        Row("a like of nothing", bob.event("+", kind: 7, tags: [p], at: 200), nil),
        Row("a repost", bob.event("", kind: 6, tags: [["e", mine.id.hex], p], at: 200), .repost, mine.id),
        Row(
            "a repost of an article by its address alone",
            bob.event("", kind: 16, tags: [["a", "30023:\(alice.publicKey.hex):tea"], ["k", "30023"]], at: 200),
            .repost, article.id),
        Row(
            "a repost of an article by its address, which is not here",
            bob.event("", kind: 16, tags: [["a", "30023:\(alice.publicKey.hex):milk"], p], at: 200), .repost),
        Row(
            "a repost of another's article that names the account",
            bob.event("", kind: 16, tags: [["a", "30023:\(bob.publicKey.hex):tea"], p], at: 200), nil),
        Row("a repost of nothing", bob.event("", kind: 16, tags: [["a", "30023:x"], p], at: 200), nil),
        Row("a repost of another's note", bob.event("", kind: 6, tags: [["e", theirs.id.hex], p], at: 200), nil),
    ]

    private static let others: [Row] = [
        Row(
            "a comment",
            bob.event(
                "nice", kind: 1111,
                tags: [["E", mine.id.hex], ["K", "20"], ["e", mine.id.hex], ["k", "20"], p], at: 200), .reply, mine.id),
        Row(
            "a comment on an article",
            bob.event(
                "nice", kind: 1111,
                tags: [
                    ["A", "30023:\(alice.publicKey.hex):tea"], ["K", "30023"],
                    ["a", "30023:\(alice.publicKey.hex):tea"], ["k", "30023"], p,
                ], at: 200), .reply),
        Row(
            "a vote", bob.event("", kind: 1018, tags: [["e", poll.id.hex], ["response", "a"]], at: 200), .vote, poll.id),
        Row(
            "a vote for no answer",
            bob.event("", kind: 1018, tags: [["e", poll.id.hex], ["response", "z"]], at: 200), nil),
        Row("a vote in another's poll", bob.event("", kind: 1018, tags: [["e", theirs.id.hex]], at: 200), nil),
        Row("an own answer", alice.event("and", tags: [["e", mine.id.hex, "", "root"], p], at: 200), nil),
        Row("a receipt that does not count", bob.event("", kind: 9735, tags: [["e", mine.id.hex], p], at: 200), nil),
        Row("broken tags", bob.event("", kind: 7, tags: [["e", "zz"], ["p"], ["e"]], at: 200), nil),
        Row("a vote in nothing", bob.event("", kind: 1018, tags: [["e"], ["response"]], at: 200), nil),
        Row("something else", bob.event("", kind: 30_000, tags: [p], at: 200), nil),
    ]

    private static let chats: [Row] = [
        Row(
            "an answer in a chat",
            bob.event("yes", kind: 1311, tags: [stream, ["e", line.id.hex, "", "reply"]], at: 200), .chat, line.id),
        Row("a line that names the account", bob.event("you?", kind: 1311, tags: [stream, p], at: 200), .chat),
        Row(
            "an answer in a chat to somebody else",
            bob.event("yes", kind: 1311, tags: [stream, ["e", theirs.id.hex, "", "reply"]], at: 200), nil),
        Row("a line of no chat", bob.event("you?", kind: 1311, tags: [p], at: 200), nil),
        Row("a list of follows, which is told another way", bob.event(kind: 3, tags: [p], at: 200), nil),
    ]

    private func rules(muting mutes: Mutes = Mutes(), payments: [EventID: Zap] = [:]) -> NotificationRules {
        let known = [Self.mine, Self.poll, Self.theirs, Self.line]
        return NotificationRules(
            account: Self.alice.publicKey, targets: Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0) }),
            payments: payments, mutes: mutes,
            versions: Self.article.address.map { [$0: Self.article.id] } ?? [:])
    }

    @Test("is told apart by its kind and by what it names", arguments: rows)
    func told(row: Row) {
        let found = rules().notification(row.event)
        #expect(found?.sort == row.sort)
        #expect(found?.target == row.target)
        #expect(row.sort == nil || found?.person == Self.bob.publicKey)
    }

    @Test("is not seen where its author, a word of it or its conversation is muted")
    func muted() {
        let answer = Self.bob.event("buy now", tags: [["e", Self.mine.id.hex, "", "root"], Self.p], at: 200)
        let mutes: [ListItem] = [
            .person(ProfilePointer(key: Self.bob.publicKey), petname: nil), .word("buy"),
            .event(EventPointer(id: Self.mine.id)),
        ]
        for item in mutes {
            let rules = rules(muting: Mutes([item], owner: Self.alice.publicKey))
            #expect(rules.notification(answer) == nil)
        }
    }

    @Test("a payment is by who paid, or by nobody; one's own and muted people's are not shown")
    func payments() {
        let receipt = Self.bob.event("", kind: 9735, tags: [["e", Self.mine.id.hex], Self.p], at: 200)
        func found(_ sender: TestPerson, isAnonymous: Bool = false, _ mutes: Mutes = Mutes()) -> AccountNotification? {
            let zap = Zap(
                sender: sender.publicKey, isAnonymous: isAnonymous, millisatoshis: 21_000, comment: "for tea",
                paidAt: Timestamp(seconds: 200))
            return rules(muting: mutes, payments: [receipt.id: zap]).notification(receipt)
        }
        #expect(found(.carol)?.person == TestPerson.carol.publicKey)
        #expect(found(.carol)?.target == Self.mine.id)
        #expect(found(.carol, isAnonymous: true).map { $0.person == nil } == true)
        #expect(found(.alice) == nil)
        #expect(found(.carol, Mutes([.person(ProfilePointer(key: TestPerson.carol.publicKey), petname: nil)])) == nil)
        #expect(found(.carol, Mutes([.word("tea")])) == nil)
    }
}
