import Foundation
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import linnet

@Suite struct EventFileTests {
    private static let good = (0..<40).map { TestPerson.alice.event("note \($0)", at: 1_700_000_000 + $0) }

    private static func line(_ event: Event) -> String { String(decoding: event.unverified.json, as: UTF8.self) }

    /// A reader of text that comes through a pipe, in small blocks.
    private func reader(_ text: String, blockSize: Int = 700, longestLine: Int = 4000) -> LineReader {
        let pipe = Pipe()
        Thread.detachNewThread {
            pipe.fileHandleForWriting.write(Data(text.utf8))
            // The reader sees the end once this side is closed; a failure to close shows as a test that hangs.
            try? pipe.fileHandleForWriting.close()
        }
        return LineReader(pipe.fileHandleForReading, blockSize: blockSize, longestLine: longestLine)
    }

    @Test("numbers lines across blocks, blank ones and a last one without an end", arguments: [1, 3, 7, 100])
    func numbersLines(blockSize: Int) async throws {
        let reader = reader("one\n\ntwo\r\n \nthree", blockSize: blockSize)
        var found: [String] = []
        while let block = try await reader.next() {
            found += block.lines.map { "\($0.number) \(String(decoding: $0.bytes, as: UTF8.self))" }
        }
        #expect(found == ["1 one", "3 two\r", "5 three"])
    }

    @Test("drops a line longer than any event, and goes on behind it", arguments: [5, 64, 1000])
    func dropsLongLines(blockSize: Int) async throws {
        let text = "a\n" + String(repeating: "x", count: 5000) + "\nb\n" + String(repeating: "y", count: 5000)
        let reader = reader(text, blockSize: blockSize)
        var found: [String] = []
        while let block = try await reader.next() {
            if block.isOverlong { found.append("\(block.firstLine) long") }
            found += block.lines.map { "\($0.number) \(String(decoding: $0.bytes.prefix(1), as: UTF8.self))" }
        }
        #expect(found == ["1 a", "2 long", "3 b", "4 long"])
    }

    @Test("verify reports bad lines in order and counts all")
    func verifies() async throws {
        var lines = Self.good.map(Self.line)
        lines[3] = lines[3].replacingOccurrences(of: "note 3", with: "note 4")
        lines[30] = "{}"
        var forged = Self.good[35].unverified
        forged.signature = Self.good[34].signature
        lines[35] = String(decoding: forged.json, as: UTF8.self)
        var complaints: [String] = []
        let tally = try await VerifyCommand.Tally(checking: reader(lines.joined(separator: "\n"))) {
            complaints.append($0)
        }
        #expect(tally.valid == 37)
        #expect(tally.invalid == 3)
        #expect(complaints.map { $0.prefix { $0 != ":" } } == ["4", "31", "36"])
        #expect(complaints.first == "4: the id is not the hash of the event\n")
        #expect(complaints.last == "36: the signature does not fit the author and the id\n")
        #expect(tally.json.hasPrefix(#"{"events":40,"valid":37,"invalid":3,"seconds":"#))
    }

    @Test("import keeps good events, tells duplicates, and says why others were not kept")
    func imports() async throws {
        let store = MemoryEventStore(now: { Timestamp(seconds: 1_700_000_100) })
        let old = TestPerson.bob.event("old", kind: 0, at: 1_700_000_000)
        let new = TestPerson.bob.event("new", kind: 0, at: 1_700_000_001)
        let gone = TestPerson.bob.event("gone", tags: [["expiration", "1700000001"]], at: 1_700_000_000)
        let text = (Self.good + [Self.good[0], new, old, gone]).map(Self.line).joined(separator: "\n") + "\nnonsense\n"
        var tally = ImportCommand.Tally()
        var complaints: [String] = []
        try await tally.add(from: reader(text), to: store) { complaints.append($0) }
        // Blocks are kept in any order, so of two versions either may come first.
        #expect(tally.stored + tally.duplicate == 43)
        #expect(tally.rejected == 2)
        #expect(complaints == ["44: expired\n", "45: not the JSON of an event (at byte 0)\n"])
        #expect(await store.count([Filter()]) == 41)
        #expect(tally.json.hasPrefix(#"{"read":45,"stored":"#))
    }
}
