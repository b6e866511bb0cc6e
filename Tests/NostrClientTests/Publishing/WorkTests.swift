import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

/// Work (NIP-13) before publishing.
struct WorkTests {
    let alice = TestPerson.alice

    @Test("an account that says nothing does no work")
    func nothing() async throws {
        let bench = AccountBench()
        #expect(try await bench.account.mining.policy() == WorkPolicy(wraps: 12))
        let note = try await bench.account.publishing.publish(Composition(text: "quick"))
        #expect(note.tags.isEmpty)
        #expect(await bench.account.mining.inProgress() == nil)
    }

    @Test("notes, replies and reactions get the work they are meant to; lists and reposts none")
    func kinds() async throws {
        let bench = AccountBench()
        try await bench.account.mining.setPolicy(WorkPolicy(notes: 9, reactions: 5))
        let note = try await bench.account.publishing.publish(Composition(text: "hard"))
        #expect(note.id.difficulty >= 9 && ProofOfWork(note).committedTarget == 9)
        let answer = try await bench.account.publishing.publish(Composition(text: "too", replyTo: note.id))
        #expect(ProofOfWork(answer).meets(9, commitmentRequired: true))
        #expect(ThreadReferences(answer.tags).parent?.id == note.id)
        let reaction = try await bench.account.publishing.react(to: note.id, with: "+")
        #expect(ProofOfWork(reaction).meets(5, commitmentRequired: true))
        #expect(try await bench.account.publishing.repost(note.id).tags.named("nonce").isEmpty)
    }

    @Test("what was chosen is there after a restart, and stands above the configuration")
    func persistence() async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records) { $0.work = WorkPolicy(notes: 3, wraps: 12) }
        #expect(try await bench.account.mining.policy() == WorkPolicy(notes: 3, wraps: 12))
        try await bench.account.mining.setPolicy(WorkPolicy(notes: 1, reactions: 2, wraps: 4))
        let again = AccountBench(records: records)
        #expect(try await again.account.mining.policy() == WorkPolicy(notes: 1, reactions: 2, wraps: 4))
    }

    @Test(
        "what cannot be read on disk counts as nothing said",
        arguments: ["", "1", "2 1 2 3", "1 a b c", "1 1 2 3 4", "\u{0}"])
    func damage(record: String) async throws {
        let records = MemoryRecordStore()
        try await records.put(Array(record.utf8), for: "policy", in: "work")
        #expect(try await AccountBench(records: records).account.mining.policy() == WorkPolicy(wraps: 12))
    }

    @Test("nobody asks for less than nothing or more than can be done")
    func clamping() {
        #expect(
            WorkPolicy(notes: -1, reactions: 1000, wraps: 12)
                == WorkPolicy(notes: 0, reactions: ProofOfWork.mostBits, wraps: 12))
    }

    @Test("work can be skipped: what waits for it is published without, and screens hear of it")
    func skipping() async throws {
        let bench = AccountBench()
        try await bench.account.mining.setPolicy(WorkPolicy(notes: ProofOfWork.mostBits))
        let changes = await bench.account.changes()
        async let publishing = bench.account.publishing.publish(Composition(text: "late"))
        for await change in changes where change == .work { break }
        let work = try #require(await bench.account.mining.inProgress())
        #expect(work.bits == ProofOfWork.mostBits)
        await bench.account.mining.skip()
        let note = try await publishing
        #expect(note.content == "late" && note.tags.isEmpty)
        #expect(await bench.account.mining.inProgress() == nil)
    }

    @Test("progress is told while it lasts")
    func progress() async throws {
        let bench = AccountBench()
        try await bench.account.mining.setPolicy(WorkPolicy(reactions: ProofOfWork.mostBits))
        let note = try await bench.account.publishing.publish(Composition(text: "x"))
        async let reacting = bench.account.publishing.react(to: note.id, with: "+")
        try await bench.eventually("no progress was told") {
            (await bench.account.mining.inProgress()?.hashes ?? 0) > 0
        }
        await bench.account.mining.skip()
        #expect(try await reacting.tags.named("nonce").isEmpty)
    }

    @Test("whoever is cancelled publishes nothing")
    func cancelling() async throws {
        let bench = AccountBench()
        try await bench.account.mining.setPolicy(WorkPolicy(notes: ProofOfWork.mostBits))
        let changes = await bench.account.changes()
        let publishing = Task { try await bench.account.publishing.publish(Composition(text: "never")) }
        for await change in changes where change == .work { break }
        publishing.cancel()
        await #expect(throws: CancellationError.self) { try await publishing.value }
        #expect(await bench.store.query([Filter(authors: [alice.publicKey])]).isEmpty)
    }
}
