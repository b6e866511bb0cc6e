import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

/// What stands on home because the account wants it.
@Suite(.timeLimit(.minutes(10)))
struct HomeKindsTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    @Test("articles stand on home once they are wanted, over a restart too, and were fetched before")
    func articles() async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records)
        bench.layOutPeople()
        bench.network.put(
            [
                bob.event("from bob", at: seconds(-60)),
                bob.event("at length", kind: 30_023, tags: [["d", "long"]], at: seconds(-50)),
            ], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("the note arrives") {
                try await bench.home().map(\.event.content) == ["from bob"]
            }
            #expect(try await bench.account.timeline.kindsOnHome().isEmpty)
            // A note is none of what can be chosen.
            try await bench.account.timeline.setKindsOnHome([30_023, 1])
            #expect(try await bench.account.timeline.kindsOnHome() == [30_023])
            #expect(try await bench.home().map(\.event.content) == ["at length", "from bob"])
        }
        let again = bench.account(
            signer: LocalSigner(alice.secretKey, random: SeededRandom(seed: 9)), records: records)
        let kept = try await again.timeline.kindsOnHome()
        #expect(kept == [30_023])
        try await again.timeline.setKindsOnHome([])
        #expect(try await again.timeline.kindsOnHome().isEmpty)
    }

    @Test("comments stand on home once they are wanted; answers to notes never do")
    func comments() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let article = TestPerson.carol.event("at length", kind: 30_023, tags: [["d", "long"]], at: seconds(-90))
        let draft = Comment.draft(
            on: article, relay: nil, text: "well said", createdAt: Timestamp(seconds: seconds(-50)))
        let note = bob.event("from bob", at: seconds(-60))
        bench.network.put(
            [
                note, bob.event("well said", kind: 1111, tags: draft.tags, at: seconds(-50)),
                bob.event("and more", tags: [["e", note.id.hex, "", "root"]], at: seconds(-40)),
            ], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("the note arrives") {
                try await bench.home().map(\.event.content) == ["from bob"]
            }
            try await bench.account.timeline.setKindsOnHome([1111])
            #expect(try await bench.home().map(\.event.content) == ["well said", "from bob"])
            try await bench.account.timeline.setKindsOnHome([])
            #expect(try await bench.home().map(\.event.content) == ["from bob"])
        }
    }
}
