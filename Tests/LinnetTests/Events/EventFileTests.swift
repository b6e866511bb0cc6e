import Foundation
import NostrCore
import NostrNIPs
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

    @Test("export hands on every event once, and earlier versions apart", arguments: [1, 3, 7, 100])
    func exports(pageSize: Int) async throws {
        let store = MemoryEventStore(now: { Timestamp(seconds: 1_700_000_100) })
        await store.keepVersions(of: [TestPerson.bob.publicKey])
        let sameSecond = (0..<20).map { TestPerson.alice.event("same \($0)", at: 1_700_000_020) }
        let profiles = (0..<3).map { TestPerson.bob.event("\($0)", kind: 0, at: 1_700_000_000 + $0) }
        _ = await store.save(Self.good + sameSecond + profiles, from: nil)
        var found: [Event] = []
        let events = StoredEvents(store, pageSize: pageSize)
        let count = try await events.forEachPage(Filter()) { found += $0 }
        #expect(count == 61)
        #expect(found == (Self.good + sameSecond + [profiles[2]]).sorted { $0.isListed(before: $1) })
        var versions: [Event] = []
        _ = try await events.forEachVersion(Filter()) { versions += $0 }
        #expect(versions == [profiles[1], profiles[0]])
        #expect(try await events.forEachVersion(Filter(since: Timestamp(seconds: 1_700_000_001))) { _ in } == 1)
        #expect(try await events.forEachVersion(Filter(kinds: [1])) { _ in } == 0)
        #expect(try await events.forEachVersion(Filter(authors: [TestPerson.alice.publicKey])) { _ in } == 0)
    }

    @Test("what was exported is imported into a fresh directory, earlier versions too")
    func roundTrip() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
        // The folder is one of the system's temporary ones; leaving it behind does no harm.
        defer { try? FileManager.default.removeItem(at: folder) }
        let bob = TestPerson.bob
        let profiles = (0..<3).map { bob.event("\($0)", kind: 0, at: 1_700_000_000 + $0) }
        let request = bob.event(kind: 5, tags: [["e", profiles[0].id.hex]], at: 1_700_000_009)
        let text = (Self.good + profiles + [request]).map { Self.line($0) + "\n" }.joined()
        let first = folder.appending(path: "first").path
        let second = folder.appending(path: "second").path
        let imported = try Program.run(["import", "--versions-of", bob.publicKey.npub, "--data", first], input: text)
        #expect(imported.status == 0, "\(imported.errors)")
        let exported = try Program.run(["export", "--data", first])
        #expect(exported.status == 0)
        #expect(Set(exported.output.split(separator: "\n")) == Set(text.split(separator: "\n")))
        let again = try Program.run(
            ["import", "--versions-of", bob.publicKey.hex, "--data", second], input: exported.output)
        #expect(again.status == 0, "\(again.errors)")
        let last = try Program.run(["export", "--data", second, "--author", bob.publicKey.npub, "--kind", "0"])
        #expect(Set(last.output.split(separator: "\n").map(String.init)) == Set(profiles.map(Self.line)))
        #expect(last.errors == "3 events written.\n")
    }
}
