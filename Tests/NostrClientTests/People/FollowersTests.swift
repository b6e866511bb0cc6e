import AccountTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Who follows somebody, by the lists of follows that are here.
struct FollowersTests {
    private let alice = TestPerson.alice, bob = TestPerson.bob, carol = TestPerson.carol
    private let dave = TestPerson.dave, eve = TestPerson.eve

    private func list(_ who: TestPerson, _ named: TestPerson..., at moment: Int64) -> Event {
        who.event(kind: 3, tags: named.map { ["p", $0.publicKey.hex] }, at: seconds(moment))
    }

    @Test("those whose list in force names them, followed people first; nobody is asked, and muted people are left out")
    func followers() async throws {
        let bench = AccountBench()
        let mutes = alice.event(kind: 10_000, tags: [["p", eve.publicKey.hex]], at: seconds(-9))
        _ = await bench.store.save(
            [
                mutes, list(alice, bob, at: -9), list(bob, carol, carol, at: -8), list(dave, carol, at: -7),
                list(eve, carol, at: -6), list(carol, carol, at: -5), dave.event(#"{"name":"dave"}"#, kind: 0),
            ], from: nil)
        let found = try await bench.account.people.followers(of: carol.publicKey)
        #expect(found.people.map(\.key) == [bob.publicKey, dave.publicKey] && !found.hasMore)
        #expect(found.people.map(\.isFollowed) == [true, false])
        #expect(found.people.last?.fields["name"] == "dave")
        #expect(bench.network.questions.isEmpty)
        // A later list that names somebody else takes the place of the earlier one.
        _ = await bench.store.save([list(dave, alice, at: -1)], from: nil)
        #expect(try await bench.account.people.followers(of: carol.publicKey).people.map(\.key) == [bob.publicKey])
        #expect(try await bench.account.people.followers(of: eve.publicKey) == Followers())
    }

    @Test("no more lists are looked at than may be, and that there are more is said")
    func bounded() async throws {
        let bench = AccountBench()
        var random = SeededRandom(seed: 4)
        var lists: [Event] = []
        for number in 0..<People.mostFollowLists + 5 {
            let key = try SecretKey(hex: String(repeating: "0", count: 60) + String(1000 + number))
            let draft = EventDraft(
                kind: 3, tags: [["p", carol.publicKey.hex]], content: "", createdAt: Timestamp(seconds: seconds(-9)))
            lists.append(Event(signing: draft, with: key, using: &random))
        }
        _ = await bench.store.save(lists, from: nil)
        let found = try await bench.account.people.followers(of: carol.publicKey)
        #expect(found.people.count == People.mostFollowLists && found.hasMore)
    }
}
