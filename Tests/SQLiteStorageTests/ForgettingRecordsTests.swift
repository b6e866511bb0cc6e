import Foundation
import GRDB
import NostrStore
import Synchronization
import Testing

@testable import SQLiteStorage

@Suite("What a record store holds no more") struct ForgettingRecordsTests {
    private let folder: TemporaryFolder
    private let clock = HeldWork()
    private var path: String { folder.file("records.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> SQLiteRecordStore { try SQLiteRecordStore(path: path, later: clock.later) }

    /// Lets five seconds pass, and the store do what it does then.
    private func pass(_ store: SQLiteRecordStore) async throws {
        clock.pass()
        // What changes nothing waits for its turn, and makes nothing due.
        try await store.apply([])
    }

    /// Values of all sizes, so that they are moved, split over pages and merged with others.
    private static func values(_ round: UInt8) -> [[UInt8]] {
        (0..<40).map { number in
            var random = UInt64(round) << 32 | UInt64(number) + 1
            return (0..<24 + number * number * 9).map { _ in
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: random >> 33)
            }
        }
    }

    private static func puts(_ round: UInt8) -> [RecordChange] {
        values(round).enumerated().map { .put(table: "circle-sessions", key: "k\($0)", value: $1) }
    }

    /// How many of a round's values can be found in part in any of the files, the log included.
    ///
    /// Eight bytes of chance are nowhere else, and files of megabytes are gone through once.
    private func found(_ round: UInt8) throws -> Int {
        var owners: [UInt64: Int] = [:]
        for (index, value) in Self.values(round).enumerated() {
            for part in [value.prefix(8), value.suffix(8), value.dropFirst(value.count / 2).prefix(8)] {
                owners[part.reduce(0) { $0 << 8 | UInt64($1) }] = index
            }
        }
        var found: Set<Int> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            var window: UInt64 = 0
            for byte in try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) {
                window = window << 8 | UInt64(byte)
                if let owner = owners[window] { found.insert(owner) }
            }
        }
        return found.count
    }

    @Test("what was replaced or removed is nowhere in the files five seconds later")
    func forgets() async throws {
        let store = try open()
        for round in 0..<4 as Range<UInt8> {
            try await store.apply(Self.puts(round))
            #expect(try found(round) == 40)
        }
        try await pass(store)
        #expect(try (found(0), found(1), found(2), found(3)) == (0, 0, 0, 40))
        try await store.apply([.removeAll(table: "circle-sessions", prefix: "k1")])
        try await store.remove("k7", in: "circle-sessions")
        try await pass(store)
        #expect(try found(3) == 28)
        #expect(try await store.records(in: "circle-sessions").count == 28)
        try store.close()
    }

    @Test("many commits share one emptying of the log, and none is due when nothing was written")
    func shares() async throws {
        let store = try open()
        #expect(clock.count == 0)
        for round in 0..<20 as Range<UInt8> { try await store.apply(Self.puts(round)) }
        #expect(clock.count == 1 && clock.delays == [.seconds(5)])
        try await pass(store)
        #expect(clock.count == 0)
        try await store.apply(Self.puts(20))
        #expect(clock.count == 1)
        try store.close()
    }

    @Test("its turn to be emptied comes however closely commits follow each other")
    func takesTurns() async throws {
        let store = try open()
        for round in 0..<200 as Range<UInt8> {
            try await store.put([round], for: "k", in: "t")
            try await pass(store)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).isEmpty)
        }
        try store.close()
    }

    @Test("a read that goes on for long makes it wait, and neither is stopped by it nor stops it for good")
    func waitsForReads() async throws {
        let store = try open()
        try await store.apply(Self.puts(0))
        let (reading, begun) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        async let count = {
            let seen = Mutex(0)
            try await store.forEach { _, _ in
                let number = seen.withLock { seen in
                    seen += 1
                    return seen
                }
                guard number == 1 else { return }
                begun.yield()
                gate.wait()
            }
            return seen.withLock { $0 }
        }()
        for await _ in reading { break }
        try await store.apply(Self.puts(1))
        try await pass(store)
        try await store.put([1], for: "waits for no read", in: "t")
        #expect(try found(0) > 0)
        #expect(clock.count == 1)
        gate.signal()
        #expect(try await count == 40)
        try await pass(store)
        #expect(try found(0) == 0)
        #expect(clock.count == 0)
        try store.close()
    }

    @Test("a file that is closed, or opened after its program was killed, holds nothing of the past")
    func closes() async throws {
        do {
            let store = try open()
            try await store.apply(Self.puts(0))
            try await store.apply(Self.puts(1))
            // A copy as a killed program leaves it.
            for name in ["records.sqlite", "records.sqlite-wal"] {
                try FileManager.default.copyItem(atPath: folder.file(name), toPath: folder.file("killed-" + name))
            }
            try store.close()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
        #expect(try found(0) > 0)
        for name in ["records.sqlite", "records.sqlite-wal"] {
            let killed = folder.file("killed-" + name)
            try Data(contentsOf: URL(fileURLWithPath: killed)).write(to: URL(fileURLWithPath: folder.file(name)))
            try FileManager.default.removeItem(atPath: killed)
        }
        #expect(try found(0) > 0)
        let store = try open()
        #expect(try (found(0), found(1)) == (0, 40))
        #expect(try await store.records(in: "circle-sessions").count == 40)
        try store.close()
        clock.pass()
    }
}
