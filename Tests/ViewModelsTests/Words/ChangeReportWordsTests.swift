import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner
@testable import ViewModels

@Suite("What a signature would change, in words")
struct ChangeReportWordsTests {
    private static let people = (10..<40).map { Tag(["p", String(repeating: "\($0)", count: 32)]) }
    private static let relays = (0..<8).map { Tag(["r", "wss://r\($0).example"]) }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind: Kind
        var old: [NostrCore.Tag]? = []
        var new: [NostrCore.Tag] = []
        var oldContent = ""
        var newContent = ""
        var isFresh = true
        var headline: String
        var losesMuch = false
        var isBlind = false
    }

    static let cases: [Case] = [
        Case(
            testDescription: "follows", kind: 3, old: Array(people[0..<10]), new: Array(people[2..<13]),
            headline: "Follows 3 more people, stops following 2 people."),
        Case(
            testDescription: "five follows may go", kind: 3, old: Array(people[0..<10]), new: Array(people[5..<10]),
            headline: "Stops following 5 people."),
        Case(
            testDescription: "six are too many", kind: 3, old: Array(people[0..<10]), new: Array(people[6..<10]),
            headline: "Stops following 6 people.", losesMuch: true),
        Case(
            testDescription: "a short list emptied", kind: 3, old: Array(people[0..<2]),
            headline: "Stops following 2 people.", losesMuch: true),
        Case(
            testDescription: "the first list", kind: 3, old: nil, new: Array(people[0..<1]),
            headline: "Follows 1 more person. It is the first one."),
        Case(
            testDescription: "a list nobody knows", kind: 3, old: nil, new: Array(people[0..<1]), isFresh: false,
            headline: "Follows 1 more person. The current version could not be found, so what would go is not known.",
            isBlind: true),
        Case(
            testDescription: "mutes", kind: 10_000, old: Array(people[0..<3]),
            new: Array(people[0..<2]) + [["word", "x"]],
            headline: "Mutes 1 entry, unmutes 1 entry."),
        Case(
            testDescription: "relays", kind: 10_002, old: Array(relays[0..<7]), new: Array(relays[6..<8]),
            headline: "Adds 1 relay, drops 6 relays (relay list).", losesMuch: true),
        Case(
            testDescription: "a profile", kind: 0, oldContent: #"{"name":"A","about":"x","picture":"p"}"#,
            newContent: #"{"name":"B","about":"x","lud16":"a@b.c"}"#,
            headline:
                "Changes name of the profile, adds Lightning address of the profile, removes picture of the profile."),
        Case(
            testDescription: "a profile emptied", kind: 0, oldContent: #"{"name":"A"}"#, newContent: "{}",
            headline: "Removes name of the profile.", losesMuch: true),
        Case(
            testDescription: "a private part that cannot be read", kind: 10_000, old: [],
            oldContent: String(repeating: "A", count: 132), newContent: "",
            headline:
                "Publishes the mute list again without a change that shows. A private part that cannot be read now would be replaced.",
            losesMuch: true),
        Case(
            testDescription: "a private part carried over as it was", kind: 10_000, old: [], new: [["word", "x"]],
            oldContent: String(repeating: "A", count: 132), newContent: String(repeating: "A", count: 132),
            headline: "Mutes 1 entry."),
    ]

    @Test("is said in words and counts", arguments: cases)
    func words(one: Case) async {
        let current = one.old.map {
            TestPerson.alice.event(one.oldContent, kind: one.kind, tags: $0, at: 1_700_000_000)
        }
        let draft = EventDraft(
            kind: one.kind, tags: one.new, content: one.newContent, createdAt: Timestamp(seconds: 1_700_000_001))
        let report = await ChangeReport(of: draft, against: current, isFresh: one.isFresh) { _ in nil }
        #expect(report.headline == one.headline)
        #expect(report.losesMuch == one.losesMuch)
        #expect(report.isBlind == one.isBlind)
        #expect(!report.isUnknownKind)
    }

    @Test("private entries that go are counted when they can be read")
    func privateParts() async throws {
        let alice = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 1))
        let words = "[" + (0..<7).map { "[\"word\",\"w\($0)\"]" }.joined(separator: ",") + "]"
        let sealed = try await alice.encrypt(words, for: alice.publicKey, by: .nip44)
        let current = TestPerson.alice.event(sealed, kind: 10_000, at: 5)
        let rest = try await alice.encrypt("[[\"word\",\"w0\"]]", for: alice.publicKey, by: .nip44)
        let draft = EventDraft(kind: 10_000, content: rest, createdAt: Timestamp(seconds: 9))
        let report = await ChangeReport(of: draft, against: current, isFresh: true) { content in
            let text = try? await alice.decrypt(content, from: alice.publicKey, by: .nip44)
            return text.flatMap { PrivateItems(json: $0) }
        }
        #expect(report.headline == "Unmutes 6 entries." && report.losesMuch)
    }

    @Test("a version dated before the one in force, and kinds nobody knows, are named")
    func oddities() async {
        let current = TestPerson.alice.event(kind: 10_003, at: 10)
        let draft = EventDraft(kind: 10_003, createdAt: Timestamp(seconds: 9))
        #expect(
            await ChangeReport(of: draft, against: current, isFresh: true) { _ in nil }.headline.contains(
                "dated before"))
        let odd = EventDraft(kind: 10_055, createdAt: Timestamp(seconds: 9))
        #expect(await ChangeReport(of: odd, against: nil, isFresh: true) { _ in nil }.isUnknownKind)
    }

    @Test("a deletion says what it would delete")
    func deletions() {
        let alice = TestPerson.alice.publicKey
        let note = TestPerson.alice.event("x")
        let draft = EventDraft(
            kind: 5,
            tags: [["e", note.id.hex], ["a", "30023:\(alice.hex):x"], ["a", "3:\(TestPerson.bob.publicKey.hex):"]],
            createdAt: Timestamp(seconds: 1))
        let report = ChangeReport(deleting: draft, of: alice, found: [note, TestPerson.bob.event("y")])
        #expect(report.headline == "Asks relays to delete 1 event and every version of 1 list or article.")
        #expect(report.deleted == [note] && !report.losesMuch)
        let follows = EventDraft(kind: 5, tags: [["a", "3:\(alice.hex):"]], createdAt: Timestamp(seconds: 1))
        #expect(ChangeReport(deleting: follows, of: alice, found: []).losesMuch)
    }

    @Test("what would go is counted and named: fields of a profile, entries, what is asked to be deleted")
    func losses() async {
        let fields = ["name", "about", "picture", "banner", "website", "nip05", "lud16"]
        let full = "{" + fields.map { "\"\($0)\":\"x\"" }.joined(separator: ",") + "}"
        let current = TestPerson.alice.event(full, kind: 0, at: 5)
        let draft = EventDraft(kind: 0, content: "{}", createdAt: Timestamp(seconds: 9))
        let report = await ChangeReport(of: draft, against: current, isFresh: true) { _ in nil }
        #expect(report.losesMuch && report.loss.hasPrefix("7 fields of the profile ("))
        for name in ["Name", "Nostr address", "Lightning address"] { #expect(report.loss.contains(name)) }
        let list = TestPerson.alice.event(kind: 10_000, tags: (0..<6).map { ["word", "w\($0)"] }, at: 5)
        let empty = EventDraft(kind: 10_000, createdAt: Timestamp(seconds: 9))
        #expect(await ChangeReport(of: empty, against: list, isFresh: true) { _ in nil }.loss == "6 entries")
        let deletion = EventDraft(
            kind: 5, tags: (0..<6).map { _ in ["e", list.id.hex] }, createdAt: Timestamp(seconds: 9))
        #expect(
            ChangeReport(deleting: deletion, of: TestPerson.alice.publicKey, found: []).loss
                == "6 published things")
    }

    @Test("a login names its relay or page, and what carries an amount says how much")
    func subjects() {
        func headline(_ kind: Kind, _ tags: [NostrCore.Tag]) -> String {
            let draft = EventDraft(kind: kind, tags: tags, createdAt: Timestamp(seconds: 9))
            return ChangeReport(SigningSummary(of: draft), amount: draft.amount).headline(of: draft)
        }
        #expect(headline(22_242, [["relay", "wss://r.example"]]) == "Says who you are to the relay wss://r.example.")
        #expect(
            headline(27_235, [["u", "https://s.example/api"], ["method", "POST"]])
                == "Says who you are to https://s.example/api (POST).")
        #expect(headline(9734, [["amount", "21000"]]).hasSuffix(" Amount: 21 sats."))
        #expect(headline(9734, [["amount", "21001"]]).hasSuffix(" Amount: 21001 millisats."))
    }
}
