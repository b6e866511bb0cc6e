import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import Circles

/// The index by which a page of a circle is found.
@Suite(.timeLimit(.minutes(10)))
struct LineIndexTests {
    private let records = CountedRecords()
    private let circle = CircleID([7])

    @Test("places in the index stand as lines do")
    func order() throws {
        var random = SeededRandom(seed: 5)
        var lines: [CircleChat.Line] = []
        for number in 0..<300 {
            let moment = Timestamp(seconds: [0, 5, 1_700_000_000, 1_700_000_001].randomElement(using: &random) ?? 0)
            var record = try line("line \(number)", at: moment, by: number.isMultiple(of: 2) ? .alice : .bob)
            record.epoch = [0, 1, 255, 256].randomElement(using: &random) ?? 0
            record.generation = [nil, 0, 1, 256, .max].randomElement(using: &random) ?? nil
            if number.isMultiple(of: 7) { (record.rumor, record.change) = (nil, CircleLineRecord.Change(name: "x")) }
            lines.append(try #require(CircleChat.Line(record)))
        }
        let ordered = lines.sorted { $0.record.precedes($1.record) }
        #expect(lines.shuffled(using: &random).sorted { $0.order < $1.order }.map(\.id) == ordered.map(\.id))
        let keys = ordered.compactMap(\.indexKey)
        #expect(keys.count == lines.count)
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
        for line in lines { #expect(line.indexKey.flatMap { MessageCursor(lineKey: $0) } == line.place) }
    }

    @Test("lines of before there was an index are found page by page as they stood, with all that belongs to them")
    func pages() async throws {
        let all = try scene()
        let expected = CircleChat(all.compactMap { CircleChat.Line($0) })
        let store = try await store(with: all)
        for limit in [1, 3, 50] {
            var found: [CircleChat.Line] = []
            var cursor: MessageCursor?
            repeat {
                let stretch = try await store.stretch(of: try #require(circle), before: cursor, limit: limit)
                found = stretch.lines + found
                for line in stretch.lines {
                    guard case .chat(_, let parent?)? = line.message?.body else { continue }
                    #expect(stretch.chat[parent]?.isRetracted == expected[parent]?.isRetracted)
                }
                cursor = stretch.older
            } while cursor != nil
            #expect(found.map(\.id) == expected.lines.map(\.id))
            #expect(found.map(\.isRetracted) == expected.lines.map(\.isRetracted))
            #expect(found.map(\.reactions) == expected.lines.map(\.reactions))
        }
        #expect(expected.lines.contains { $0.isRetracted } && expected.lines.contains { !$0.reactions.isEmpty })
        // A place that is no line's ends with the second before it.
        let middle = expected.lines[expected.lines.count / 2].place
        let between = MessageCursor(createdAt: middle.createdAt, id: EventID(Bytes32()))
        let stretch = try await store.stretch(of: try #require(circle), before: between, limit: 500)
        #expect(
            stretch.lines.map(\.id)
                == expected.lines.filter { $0.place.createdAt < middle.createdAt }.map(\.id))
    }

    @Test("a damaged index is made anew, whatever of it is damaged")
    func damage() async throws {
        let all = try scene()
        let expected = CircleChat(all.compactMap { CircleChat.Line($0) })
        let id = try #require(circle)
        _ = try await store(with: all).stretch(of: id, before: nil, limit: 1)
        for part in 0..<3 {
            let index = try await records.records(in: CircleTable.lineIndex, prefix: "")
            #expect(!index.isEmpty)
            switch part {
            case 0: try await records.apply([.removeAll(table: CircleTable.lineIndex, prefix: "")])
            case 1:
                try await records.apply(
                    index.map { .put(table: CircleTable.lineIndex, key: $0.key, value: [1, 2, 3]) })
            default:
                let block = try #require(index.max { $0.value.count < $1.value.count })
                try await records.apply([.put(table: CircleTable.lineIndex, key: block.key, value: [1, 2, 3])])
            }
            let found = try await store(with: []).stretch(of: id, before: nil, limit: 500)
            #expect(found.lines.map(\.id) == expected.lines.map(\.id))
            #expect(found.lines.map(\.reactions) == expected.lines.map(\.reactions))
        }
    }

    @Test("a page of ten thousand lines opens the lines of the page, and an index of two blocks")
    func bounded() async throws {
        let id = try #require(circle)
        let start = Timestamp(seconds: 1_700_000_000)
        let many = try (0..<10_000).map { try line("line \($0)", at: start + .seconds($0), by: .bob) }
        _ = try await store(with: many).stretch(of: id, before: nil, limit: 1)
        let again = try await store(with: [])
        await records.reset()
        let page = try await again.stretch(of: id, before: nil, limit: 50)
        #expect(page.lines.count == 50 && page.older != nil)
        // 50 lines, the directory, and one block or two.
        #expect(await records.opened <= 53)
        await records.reset()
        _ = try await again.stretch(of: id, before: nil, limit: 50)
        #expect(await records.opened == 0)
        let older = try await again.stretch(of: id, before: page.older, limit: 50)
        #expect(older.lines.count == 50)
        #expect(await records.opened <= 52)
    }

    // MARK: - What rests

    private func line(_ text: String, at moment: Timestamp, by person: TestPerson) throws -> CircleLineRecord {
        record(try CircleMessage.chat(text, now: moment), by: person)
    }

    private func record(_ draft: EventDraft, by person: TestPerson) -> CircleLineRecord {
        let rumor = Rumor(draft, author: person.publicKey)
        return CircleLineRecord(
            id: rumor.id.hex, author: rumor.pubkey.hex, createdAt: rumor.createdAt.seconds,
            arrivedAt: rumor.createdAt.seconds, epoch: 1, rumor: rumor.json)
    }

    /// Lines, answers to them, reactions, and some of each taken back.
    private func scene() throws -> [CircleLineRecord] {
        var all: [CircleLineRecord] = []
        for number in 0..<60 {
            let moment = Timestamp(seconds: 1_700_000_000 + Int64(number / 3))
            let author: TestPerson = number.isMultiple(of: 2) ? .alice : .bob
            var parent: CircleMessageReference?
            if number.isMultiple(of: 4), let last = all.last.flatMap({ CircleChat.Line($0)?.message }) {
                parent = CircleMessageReference(last)
            }
            let said = record(try CircleMessage.chat("line \(number)", replyTo: parent, now: moment), by: author)
            all.append(said)
            let target = CircleMessageReference(try #require(CircleChat.Line(said)?.message))
            if number.isMultiple(of: 3) {
                let like = record(
                    try CircleMessage.reaction("+", to: target, readers: [], now: moment), by: .carol)
                all.append(like)
                if number.isMultiple(of: 9) {
                    let reference = CircleMessageReference(try #require(CircleChat.Line(like)?.message))
                    all.append(record(CircleMessage.deletion(of: [reference], now: moment), by: .carol))
                }
            }
            if number.isMultiple(of: 5) {
                all.append(record(CircleMessage.deletion(of: [target], now: moment), by: author))
                // Only its author can.
                all.append(record(CircleMessage.deletion(of: [target], now: moment), by: .carol))
            } else if number.isMultiple(of: 7) {
                all.append(record(CircleMessage.deletion(of: [target], now: moment), by: .carol))
            }
        }
        return all
    }

    /// A store over these records, as another start of the program finds it, with lines of an earlier version.
    private func store(with lines: [CircleLineRecord]) async throws -> CircleStore {
        let person = MailBench().person(.alice, records: records)
        try await person.unlock()
        let sealed = try #require(person.account.unlocked).context.sealed
        let group = try #require(circle).hex
        try await sealed.apply(
            try lines.map { try sealed.put(try $0.recordBytes(), at: .init(CircleTable.lines, group: group, $0.id)) })
        let store = CircleStore(person.account.services.context)
        _ = try await store.load(sealed)
        return store
    }
}

/// Counts the records that are there and handed out.
private actor CountedRecords: RecordStore {
    private let inner = MemoryRecordStore()
    private(set) var opened = 0

    func reset() { opened = 0 }

    func value(_ key: String, in table: String) async throws -> [UInt8]? {
        let found = await inner.value(key, in: table)
        if found != nil { opened += 1 }
        return found
    }

    func records(in table: String, prefix: String) async throws -> [Record] {
        let found = await inner.records(in: table, prefix: prefix)
        opened += found.count
        return found
    }

    func apply(_ changes: [RecordChange]) async throws { await inner.apply(changes) }
}
