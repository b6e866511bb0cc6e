import AccountTesting
import NostrClient
import NostrCore
import NostrStore
import NostrTesting
import Testing

/// What this machine stores of people who are muted.
struct StoredCopiesTests {
    let bench = AccountBench()

    @Test("what is stored of somebody who is muted can be dropped; of others, and of the account, nothing is")
    func removed() async throws {
        let (alice, bob, carol) = (TestPerson.alice, TestPerson.bob, TestPerson.carol)
        let mutes = alice.event(kind: 10_000, tags: [["p", carol.publicKey.hex]], at: seconds(-9))
        let (own, kept) = (alice.event("mine", at: seconds(-8)), bob.event("kept", at: seconds(-8)))
        _ = await bench.store.save(
            [
                mutes, own, kept, carol.event("one", at: seconds(-7)), carol.event("two", at: seconds(-6)),
                carol.event(#"{"name":"carol"}"#, kind: 0, at: seconds(-5)),
            ], from: nil)
        let before = try await bench.account.people.person(carol.publicKey, evenMuted: true)
        #expect(before.fields["name"] == "carol")
        let copies = try #require(bench.account.copies)
        let ofBob = try await copies.removeCopies(of: bob.publicKey)
        let ofAlice = try await copies.removeCopies(of: alice.publicKey)
        #expect(ofBob == 0 && ofAlice == 0)
        let ofCarol = try await copies.removeCopies(of: carol.publicKey)
        #expect(ofCarol == 3)
        let after = try await bench.account.people.person(carol.publicKey, evenMuted: true)
        #expect(after.fields["name"] == nil)
        let left = await bench.store.query([Filter(kinds: [1])])
        #expect(Set(left) == [own, kept])
    }

    @Test("whoever has an account on this machine keeps what they wrote")
    func neighbour() async throws {
        let (alice, carol) = (TestPerson.alice, TestPerson.carol)
        await bench.store.keepVersions(of: [carol.publicKey])
        let mutes = alice.event(kind: 10_000, tags: [["p", carol.publicKey.hex]], at: seconds(-9))
        let note = carol.event("one", at: seconds(-7))
        _ = await bench.store.save([mutes, note], from: nil)
        let copies = try #require(bench.account.copies)
        let dropped = try await copies.removeCopies(of: carol.publicKey)
        #expect(dropped == 0)
        let left = await bench.store.query([Filter(kinds: [1])])
        #expect(left == [note])
    }

    @Test("whom an account on this machine follows keeps what they wrote, whoever mutes them")
    func followed() async throws {
        let (alice, bob, carol, dave) = (TestPerson.alice, TestPerson.bob, TestPerson.carol, TestPerson.dave)
        await bench.store.keepVersions(of: [alice.publicKey, bob.publicKey])
        let muted = [carol, dave].map { ["p", $0.publicKey.hex] as NostrCore.Tag }
        let (kept, gone) = (carol.event("one", at: seconds(-7)), dave.event("two", at: seconds(-7)))
        _ = await bench.store.save(
            [
                alice.event(kind: 10_000, tags: muted, at: seconds(-9)),
                bob.event(kind: 3, tags: [["p", carol.publicKey.hex]], at: seconds(-9)),
                // A stranger's list is nobody's on this machine.
                TestPerson.eve.event(kind: 3, tags: [["p", dave.publicKey.hex]], at: seconds(-9)), kept, gone,
            ], from: nil)
        let copies = try #require(bench.account.copies)
        let ofCarol = try await copies.removeCopies(of: carol.publicKey)
        let ofDave = try await copies.removeCopies(of: dave.publicKey)
        #expect(ofCarol == 0 && ofDave == 1)
        let left = await bench.store.query([Filter(kinds: [1])])
        #expect(left == [kept])
    }
}
