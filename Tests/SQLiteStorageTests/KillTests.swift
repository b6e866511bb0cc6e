import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite struct KillTests {
    @Test(
        "a writer killed at any moment loses nothing it acknowledged and leaves a sound file",
        arguments: [1, 2, 3, 4] as [UInt64])
    func survives(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events.sqlite")
        var random = SeededRandom(seed: seed)
        var acknowledged: Set<EventID> = []
        for round in 0..<14 as Range<UInt64> {
            let lines = round == 0 ? 0 : Int.random(in: 0...120, using: &random)
            let output = try await WriterProcess.lines(
                of: [file, "\(seed * 100 + round)"], killedAfter: lines)
            acknowledged.formUnion(output.compactMap { try? EventID(hex: $0) })  // The first line is no id.
            let store = try SQLiteEventStore(path: file, now: { Timestamp(seconds: 1_700_000_000) })
            let found = Set(try await store.query([Filter(ids: acknowledged)]).map(\.id))
            #expect(found == acknowledged, "seed \(seed), killed in round \(round) after \(lines) lines")
            #expect(try await store.integrityProblems() == [])
            // Of one transaction all or nothing: every kept event is in every index.
            let kept = try await store.count([Filter()])
            #expect(try await store.count([Filter(tags: ["t": ["kill"]])]) == kept)
            #expect(try await store.count([Filter(search: "note")]) == kept)
            try store.close()
        }
        #expect(acknowledged.count > 100)
    }
}
