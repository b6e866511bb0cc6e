import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite struct SameAnswersTests {
    @Test("answers whatever is asked as the memory store does", arguments: [1, 2, 3, 4] as [UInt64])
    func sameAnswers(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let moment = MovableMoment(Timestamp(seconds: 1_700_000_000))
        let memory = MemoryEventStore(now: { moment.now })
        let file = try SQLiteEventStore(path: folder.file("events.sqlite"), now: { moment.now })
        var source = RandomEvents(seed: seed, start: moment.now)
        for round in 0..<6 {
            let events = (0..<60).map { _ in source.event() }
            let expected = await memory.save(events, from: nil)
            #expect(try await file.save(events, from: nil) == expected, "seed \(seed), round \(round)")
            moment.move(to: moment.now + .seconds(50))
            if round == 3 {
                let dropped = await memory.dropExpired(now: moment.now)
                #expect(try await file.dropExpired(now: moment.now) == dropped)
            }
            for _ in 0..<40 { try await compare(memory, file, &source) }
        }
        #expect(try await file.integrityProblems() == [])
    }

    private func compare(
        _ memory: MemoryEventStore, _ file: SQLiteEventStore, _ source: inout RandomEvents
    ) async throws {
        let filters = [source.filter(), source.filter()]
        for asked in [[filters[0]], filters] {
            let expected = await memory.query(asked)
            #expect(try await file.query(asked) == expected, "\(asked)")
            let count = await memory.count(asked)
            #expect(try await file.count(asked) == count, "\(asked)")
        }
        let ids = Set(await memory.query([Filter(limit: 20)]).map(\.id))
        let counts = await memory.referenceCounts(to: ids, kinds: [1, 5, 7])
        #expect(try await file.referenceCounts(to: ids, kinds: [1, 5, 7]) == counts)
    }
}
