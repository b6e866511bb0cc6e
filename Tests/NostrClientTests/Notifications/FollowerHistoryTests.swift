import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Who is news among those whose lists name the account.
struct FollowerHistoryTests {
    private static let alice = TestPerson.alice.publicKey
    private static let p: NostrCore.Tag = ["p", alice.hex]
    private let began = Timestamp(seconds: 1000)

    private static func others(_ count: Int) -> [NostrCore.Tag] {
        (0..<count).map { _ in ["p", TestPerson.eve.publicKey.hex] }
    }

    private func begun() -> FollowerHistory {
        var history = FollowerHistory(records: [])
        _ = history.begin(at: began)
        return history
    }

    private func sighting(_ person: TestPerson, _ tags: [NostrCore.Tag], at moment: Int64) throws -> FollowSighting {
        try #require(FollowSighting(person.event(kind: 3, tags: tags, at: moment), naming: Self.alice))
    }

    @Test(
        "a list is news when it is new and names the account among the last",
        arguments: [
            ([p], 1001, true), ([p], 1000, false), ([p], 5, false), (others(500) + [p], 1001, true),
            ([p] + others(19), 1001, true), ([p] + others(20), 1001, false),
            // Named twice, the last one counts.
            ([p] + others(30) + [p], 1001, true),
        ] as [([NostrCore.Tag], Int64, Bool)])
    func news(tags: [NostrCore.Tag], moment: Int64, isNews: Bool) throws {
        var history = begun()
        let taken = history.receive(try sighting(.bob, tags, at: moment), now: Timestamp(seconds: 2000))
        #expect((taken.new != nil) == isNews && taken.changes.count == 1)
        #expect(history.told.map(\.person) == (isNews ? [TestPerson.bob.publicKey] : []))
        let again = history.receive(try sighting(.bob, [Self.p], at: 1500), now: Timestamp(seconds: 2000))
        #expect(again.new == nil && again.changes.isEmpty)
    }

    @Test("what is dated ahead happened when it came; nothing is news before the account is at work")
    func moments() throws {
        var history = begun()
        let taken = history.receive(try sighting(.bob, [Self.p], at: 9_000_000), now: Timestamp(seconds: 2000))
        #expect(taken.new?.moment == Timestamp(seconds: 2000))
        var unbegun = FollowerHistory(records: [])
        let nothing = unbegun.receive(try sighting(.bob, [Self.p], at: 1500), now: Timestamp(seconds: 2000))
        #expect(nothing.new == nil && nothing.changes.isEmpty)
    }

    @Test("is read as it was written, the newest first")
    func records() throws {
        var history = FollowerHistory(records: [])
        var changes = history.begin(at: began)
        for (person, moment) in [(TestPerson.bob, 1100), (.carol, 1300), (.dave, 1200), (.eve, 900)]
            as [(TestPerson, Int64)]
        {
            changes +=
                history.receive(try sighting(person, [Self.p], at: moment), now: Timestamp(seconds: 2000)).changes
        }
        changes += history.markHeard(until: Timestamp(seconds: 1900))
        let kept = changes.compactMap { change -> Record? in
            guard case .put(FollowerHistory.table, let key, let value) = change else { return nil }
            return Record(key: key, value: value)
        }
        // Later changes replace earlier ones.
        let last = Dictionary(kept.map { ($0.key, $0) }) { $1 }
        var read = FollowerHistory(records: Array(last.values))
        #expect(read.told == history.told && read.began == began && read.heard == Timestamp(seconds: 1900))
        #expect(read.told.map(\.person) == [TestPerson.carol, .dave, .bob].map(\.publicKey))
        let known = read.receive(try sighting(.eve, [Self.p], at: 1950), now: Timestamp(seconds: 2000))
        #expect(known.new == nil && known.changes.isEmpty)
        #expect(read.begin(at: Timestamp(seconds: 5)).isEmpty && read.markHeard(until: Timestamp(seconds: 5)).isEmpty)
    }

    @Test("never falls over what stands there", arguments: ["", "{}", "[]", #"{"at":"x"}"#, "\u{0}"])
    func noise(text: String) {
        let value = Array(text.utf8)
        let keys = ["began", "heard", "x", TestPerson.bob.publicKey.hex]
        let history = FollowerHistory(records: keys.map { Record(key: $0, value: value) })
        #expect(history.began == nil && history.told.isEmpty)
    }

    @Test("an own list, another kind and a list without the account are none of it")
    func strangers() {
        for event in [
            TestPerson.alice.event(kind: 3, tags: [Self.p]), TestPerson.bob.event(kind: 30_000, tags: [Self.p]),
            TestPerson.bob.event(kind: 3, tags: [["p"], ["p", "zz"], ["e", Self.alice.hex]]),
        ] {
            #expect(FollowSighting(event, naming: Self.alice) == nil)
        }
    }
}
