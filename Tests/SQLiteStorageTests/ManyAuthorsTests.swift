import GRDB
import NostrCore
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite("what many people wrote among strangers")
struct ManyAuthorsTests {
    private static let moment = Timestamp(seconds: 1_700_000_000)
    private let memory = MemoryEventStore(now: { Self.moment })

    @Test("is found whole, newest first, wherever it lies and however much of it is asked for")
    func sameAnswers() async throws {
        let folder = try TemporaryFolder()
        let file = try SQLiteEventStore(path: folder.file("events.sqlite"), now: { Self.moment })
        var random = SeededRandom(seed: 7)
        let people = (0..<60).map { _ in SecretKeyBox(using: &random) }
        let strangers = (0..<40).map { _ in SecretKeyBox(using: &random) }
        var events: [Event] = []
        for index in 0..<3000 {
            // The first sixty write now and then, and the last ten of them only at the very beginning.
            let isOurs = index < 300 ? index % 2 == 0 : index % 20 == 0
            let writers = isOurs ? (index < 300 ? people[...] : people.prefix(50)) : strangers[...]
            let writer = writers[writers.startIndex + Int(random.next() % UInt64(writers.count))]
            let kind = ([1, 1, 1, 6, 7, 16] as [Kind])[Int(random.next() % 6)]
            let draft = EventDraft(
                kind: kind, content: "\(index)",
                createdAt: Timestamp(seconds: 1_600_000_000 + Int64(index) / 3))
            events.append(Event(signing: draft, with: writer.key, using: &random))
        }
        _ = await memory.save(events, from: nil)
        _ = try await file.save(events, from: nil)
        let authors = Set(people.map(\.publicKey))
        let silent = Set(people.suffix(10).map(\.publicKey))
        for asked in [authors, silent.union(people.prefix(3).map(\.publicKey))] {
            for limit in [1, 13, 40, 100, 500, nil] {
                for until in [nil, 1_600_000_700, 1_600_000_050, 1_599_999_999] as [Int64?] {
                    let filter = Filter(
                        authors: asked, kinds: [1, 6, 16],
                        since: until == nil ? nil : Timestamp(seconds: 1_600_000_020),
                        until: until.map { Timestamp(seconds: $0) }, limit: limit)
                    let expected = await memory.query([filter])
                    #expect(try await file.query([filter]) == expected, "limit \(limit ?? 0), until \(until ?? 0)")
                    let count = await memory.count([filter])
                    #expect(try await file.count([filter]) == count)
                }
            }
        }
    }

    @Test("is found whole where it names several of some notes, however many of each are wanted")
    func answersToSeveral() async throws {
        let folder = try TemporaryFolder()
        let file = try SQLiteEventStore(path: folder.file("events.sqlite"), now: { Self.moment })
        var random = SeededRandom(seed: 11)
        let writer = SecretKeyBox(using: &random)
        let notes = (0..<20).map { String(repeating: "0", count: 62) + "\($0 + 10)" }
        var events: [Event] = []
        for index in 0..<600 {
            // Most name a note of the first few, many name several, and the newest all name the same two.
            let first = index > 560 ? 0 : Int(random.next() % (index % 3 == 0 ? 20 : 4))
            let second = index > 560 ? 1 : Int(random.next() % 20)
            let tags: [NostrCore.Tag] = [["e", notes[first]], ["e", notes[second]]]
            let draft = EventDraft(
                kind: index % 5 == 0 ? 7 : 1, tags: tags, content: "\(index)",
                createdAt: Timestamp(seconds: 1_600_000_000 + Int64(index) / 2))
            events.append(Event(signing: draft, with: writer.key, using: &random))
        }
        _ = await memory.save(events, from: nil)
        _ = try await file.save(events, from: nil)
        for named in [Set(notes), Set(notes.prefix(2)), Set(notes.suffix(9))] {
            for limit in [1, 2, 3, 15, 20, 21, 60, 400, nil] {
                let filter = Filter(kinds: [1], tags: ["e": named], limit: limit)
                let expected = await memory.query([filter])
                #expect(try await file.query([filter]) == expected, "of \(named.count), limit \(limit ?? 0)")
            }
        }
        let ids = Set(events.prefix(5).map(\.id)).union(notes.compactMap { try? EventID(hex: $0) })
        let counts = try await file.referenceCounts(to: ids, kinds: [1, 7])
        let expected = await memory.referenceCounts(to: ids, kinds: [1, 7])
        #expect(counts == expected)
    }

    @Test("is found from the first note of each on")
    func newcomers() async throws {
        let folder = try TemporaryFolder()
        let file = try SQLiteEventStore(path: folder.file("events.sqlite"), now: { Self.moment })
        var random = SeededRandom(seed: 9)
        let people = (0..<400).map { _ in SecretKeyBox(using: &random) }
        let filter = Filter(authors: Set(people.map(\.publicKey)), kinds: [1], limit: 500)
        var notes: [Event] = []
        for (number, person) in people.enumerated() {
            let draft = EventDraft(
                kind: 1, content: "first", createdAt: Timestamp(seconds: 1_600_000_000 + Int64(number)))
            notes.append(Event(signing: draft, with: person.key, using: &random))
        }
        // So many that the numbers of all are remembered together, most of them without one at first.
        var written = Array(notes.prefix(50).reversed())
        _ = try await file.save(written, from: nil)
        for event in notes[50..<110] {
            _ = try await file.save([event], from: nil)
            written.insert(event, at: 0)
            let found = try await file.query([filter])
            #expect(found == written)
        }
        _ = try await file.save(Array(notes[110...]), from: nil)
        let all = try await file.query([filter])
        #expect(all == Array(notes.reversed()))
    }

    @Test("is not decoded where strangers wrote it: what cannot be read among their notes disturbs nobody")
    func strangersAreNotRead() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("events.sqlite")
        let file = try SQLiteEventStore(path: path, now: { Self.moment })
        var random = SeededRandom(seed: 8)
        let people = (0..<2000).map { _ in SecretKeyBox(using: &random) }
        let stranger = SecretKeyBox(using: &random)
        func note(_ writer: SecretKeyBox, at second: Int64) -> Event {
            Event(
                signing: EventDraft(kind: 1, content: "\(second)", createdAt: Timestamp(seconds: second)),
                with: writer.key, using: &random)
        }
        let ours = people.enumerated().map { note($1, at: 1_600_000_000 + Int64($0)) }
        _ = try await file.save(ours + [note(stranger, at: 1_650_000_000)], from: nil)
        try file.close()
        let raw = try DatabaseQueue(path: path)
        try await raw.write { try $0.execute(sql: "UPDATE event SET tags = x'ff' WHERE created_at = 1650000000") }
        try raw.close()
        let again = try SQLiteEventStore(path: path, now: { Self.moment })
        let filter = Filter(authors: Set(people.map(\.publicKey)), kinds: [1, 6, 16], limit: 30)
        #expect(try await again.query([filter]) == Array(ours.reversed().prefix(30)))
    }
}

/// A key that may be kept in a list.
private final class SecretKeyBox {
    let key: SecretKey
    var publicKey: PublicKey { key.publicKey }

    init(using random: inout SeededRandom) {
        key = SecretKey.generate(using: &random)
    }
}
