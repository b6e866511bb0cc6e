import Crypto
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// An order over sealed records, against a plain sorted list.
struct SealedIndexTests {
    private let store: any RecordStore = MemoryRecordStore()
    private var records: SealedRecords {
        SealedRecords(store, SealingKey(root: SymmetricKey(data: [UInt8](repeating: 3, count: 32))))
    }

    @Test("after any changes, and after a restart at any moment, it says what a sorted list says")
    func likeAList() async throws {
        var random = SeededRandom(seed: 11)
        var list: [[UInt8]: [UInt8]] = [:]
        var index = SealedIndex(records, table: "index", group: "room", sorted: [])
        for step in 0..<3000 {
            // Most is new and stands at the end, as messages do.
            let number = Int.random(in: 0..<4, using: &random) > 0 ? step : Int.random(in: 0..<3000, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                #expect(try await index.remove(key(number)) == (list.removeValue(forKey: key(number)) != nil))
            } else {
                let value = [UInt8(step % 251)]
                try await index.put(SealedIndex.Entry(key: key(number), value: value))
                list[key(number)] = value
            }
            guard step % 97 == 0 else { continue }
            try await store.apply(try index.changes())
            index.didSave()
            index = try #require(try await SealedIndex(records, table: "index", group: "room"))
            try await check(index, list)
        }
        for number in 0..<3000 { try await index.remove(key(number)) }
        try await check(index, [:])
    }

    @Test("changes that did not reach the disk have not happened")
    func lost() async throws {
        let entries = (0..<1000).map { SealedIndex.Entry(key: key($0), value: [1]) }
        var index = SealedIndex(records, table: "index", group: "room", sorted: entries)
        try await store.apply(try index.changes())
        index.didSave()
        var copy = index
        for number in 1000..<1300 { try await copy.put(SealedIndex.Entry(key: key(number), value: [2])) }
        for number in 0..<500 { try await copy.remove(key(number)) }
        _ = try copy.changes()
        let again = try #require(try await SealedIndex(records, table: "index", group: "room"))
        let list = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
        try await check(again, list)
        try await check(index, list)
    }

    @Test("another group has an index of its own, and damage is said, not hidden")
    func groups() async throws {
        let index = SealedIndex(
            records, table: "index", group: "one", sorted: (0..<300).map { .init(key: key($0), value: []) })
        try await store.apply(try index.changes())
        #expect(try await SealedIndex(records, table: "index", group: "two") == nil)
        let kept = try await store.records(in: "index")
        #expect(kept.count == 4)
        // A block in another's place does not open.
        for record in kept {
            try await store.put(kept[0].value, for: record.key, in: "index")
        }
        await #expect(throws: SealedIndex.Damaged.self) {
            var index = try await SealedIndex(records, table: "index", group: "one")
            _ = try await index?.entries(before: nil, limit: 1)
            _ = try await index?.entries(before: key(1), limit: 1)
        }
    }

    private func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

    private func check(_ index: SealedIndex, _ list: [[UInt8]: [UInt8]]) async throws {
        let sorted = list.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var all: [SealedIndex.Entry] = []
        try await index.forEach { all.append($0) }
        #expect(all == sorted.map { SealedIndex.Entry(key: $0.key, value: $0.value) })
        var walked: [SealedIndex.Entry] = []
        var index = index
        while true {
            let more = try await index.entries(before: walked.last?.key, limit: 70)
            walked += more
            if more.count < 70 { break }
        }
        #expect(walked == all.reversed())
        if sorted.count > 1, let middle = sorted.dropFirst(sorted.count / 2).first {
            #expect(try await index.value(at: middle.key) == middle.value)
            let before = try await index.entries(before: middle.key, limit: 1).first?.key
            #expect(before == sorted[sorted.count / 2 - 1].key)
        }
    }
}
