import NostrCore
import NostrNIPs
import NostrTesting
import Synchronization
import Testing

@Suite("NIP-13 mining")
struct MiningTests {
    private let author = TestPerson.alice.publicKey

    private func draft(_ content: String = "work", tags: [Tag] = []) -> EventDraft {
        EventDraft(kind: 1, tags: tags, content: content, createdAt: moment)
    }

    private func id(_ draft: EventDraft) -> EventID {
        Rumor(draft, author: author).id
    }

    @Test(
        "does the work that is asked for, and says so",
        arguments: [1, 2, 4, 7, 8, 9, 10, 12],
        ["", "work", String(repeating: "long \"text\"\n", count: 30), "🦜日本語"])
    func targets(bits: Int, content: String) async throws {
        let mined = try await ProofOfWork.mine(draft(content, tags: [["t", "x"]]), author: author, bits: bits)
        #expect(id(mined).difficulty >= bits)
        #expect(mined.tags.count == 2 && mined.tags.first == ["t", "x"])
        #expect(mined.tags.last?.elements.first == "nonce")
        #expect(mined.tags.last?[2] == String(bits))
        #expect(mined.content == content && mined.createdAt == moment)
        #expect(mined.tags.last?.value.flatMap { UInt64($0) } != nil)
    }

    @Test("every length of text and tag is hashed as its id is", arguments: 0..<70)
    func alignments(length: Int) async throws {
        let text = String(repeating: "a", count: length)
        let mined = try await ProofOfWork.mine(draft(text, tags: [["x", text]]), author: author, bits: 5)
        #expect(id(mined).difficulty >= 5)
    }

    @Test("the same question has the same answer, however many work on it")
    func determinism() async throws {
        let alone = try await ProofOfWork.mine(draft(), author: author, bits: 13, start: 77, workers: 1)
        for workers in [2, 3, 8] {
            #expect(try await ProofOfWork.mine(draft(), author: author, bits: 13, start: 77, workers: workers) == alone)
        }
        #expect(try await ProofOfWork.mine(draft(), author: author, bits: 13, start: .max) != alone)
    }

    @Test("replaces an older nonce, and leaves alone what needs no work")
    func replaces() async throws {
        let old = draft(tags: [["nonce", "5", "20"], ["t", "x"]])
        let mined = try await ProofOfWork.mine(old, author: author, bits: 4)
        #expect(mined.tags.named("nonce").count == 1)
        #expect(try await ProofOfWork.mine(old, author: author, bits: 0) == old)
        #expect(try await ProofOfWork.mine(old, author: author, bits: -3) == old)
    }

    @Test("refuses what nobody can reach")
    func refuses() async {
        await #expect(throws: MiningError.tooManyBits(most: 46)) {
            try await ProofOfWork.mine(draft(), author: author, bits: 47)
        }
    }

    @Test("a cancelled task stops within one slice of work on each core, also in a long text")
    func cancellation() async throws {
        for content in ["", String(repeating: "x", count: 60_000)] {
            let (author, draft) = (author, draft(content))
            let heard = Mutex(0)
            let mining = Mutex<Task<EventDraft, any Error>?>(nil)
            let (start, starting) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in start { break }
                return try await ProofOfWork.mine(
                    draft, author: author, bits: 46, workers: 2,
                    progress: { _ in
                        heard.withLock { $0 += 1 }
                        mining.withLock { $0?.cancel() }
                    })
            }
            mining.withLock { $0 = task }
            starting.yield()
            await #expect(throws: MiningError.cancelled) { try await task.value }
            // Each of the two cancels at its first report, and neither goes on to a second.
            #expect(heard.withLock { $0 } <= 2)
        }
    }

    @Test("a task that is cancelled before it starts does nothing")
    func cancelledBefore() async {
        let (author, draft) = (author, draft())
        let mining = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await ProofOfWork.mine(draft, author: author, bits: 40)
        }
        await #expect(throws: MiningError.cancelled) { try await mining.value }
    }

    @Test("the moment moves along with the clock")
    func clock() async throws {
        let seconds = Mutex<Int64>(1_700_000_000)
        let mined = try await ProofOfWork.mine(
            draft(), author: author, bits: 14,
            clock: {
                seconds.withLock { now in
                    now += 1
                    return Timestamp(seconds: now)
                }
            })
        #expect(mined.createdAt > moment - .seconds(100))
        #expect(id(mined).difficulty >= 14)
        let fixed = Timestamp(seconds: 5)
        #expect(try await ProofOfWork.mine(draft(), author: author, bits: 3, clock: { fixed }).createdAt == fixed)
    }

    @Test("says what is to be expected, which does not shrink with time")
    func expectation() {
        let progress = MiningProgress(hashes: 2_000_000, expected: ProofOfWork.expectedHashes(bits: 20))
        #expect(progress.expected == 1_048_576)
        #expect(progress.rate(after: .seconds(2)) == 1_000_000)
        #expect(progress.remaining(after: .seconds(2)) == .seconds(1.048_576))
        #expect(progress.rate(after: .zero) == 0)
        #expect(progress.remaining(after: .zero) == nil)
        #expect(MiningProgress(hashes: 1, expected: .infinity).remaining(after: .seconds(1)) == nil)
    }
}
