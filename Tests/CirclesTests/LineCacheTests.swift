import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

/// Lines that are kept in memory for pages.
struct LineCacheTests {
    private func circle(_ number: UInt8) throws -> CircleID { try #require(CircleID([number])) }

    private func record(_ text: String, isAstray: Bool = false) throws -> CircleLineRecord {
        let moment = Timestamp(seconds: 1_700_000_000)
        let draft = try CircleMessage.chat(text, now: moment)
        let rumor = Rumor(draft, author: TestPerson.alice.publicKey)
        return CircleLineRecord(
            id: rumor.id.hex, author: rumor.pubkey.hex, createdAt: moment.seconds, arrivedAt: moment.seconds, epoch: 1,
            rumor: rumor.json, isAstray: isAstray)
    }

    private func line(_ text: String) throws -> CircleChat.Line { try #require(CircleChat.Line(record(text))) }

    @Test("a new line is with those that were read, and one that changed is in its place")
    func newLines() throws {
        var cache = LineCache()
        let id = try circle(1)
        let (one, other) = (try line("one"), try line("other"))
        cache.add([one], of: id)
        cache.put([other.record], in: id)
        var found = cache.lines([one.id, other.id], of: id)
        #expect(found.count == 2)
        cache.put([try record("one", isAstray: true)], in: id)
        found = cache.lines([one.id, other.id], of: id)
        #expect(found.count == 2 && found[one.id]?.record.isAstray == true)
    }

    @Test("lines of a circle that nobody looks at are not kept")
    func unread() throws {
        var cache = LineCache()
        let line = try line("new")
        cache.put([line.record], in: try circle(1))
        let found = cache.lines([line.id], of: try circle(1))
        #expect(found.isEmpty)
    }

    @Test("circles that were not looked at for long are forgotten, and all when the account is locked")
    func bounds() throws {
        var cache = LineCache()
        let line = try line("hello")
        for number in 1...4 { cache.add([line], of: try circle(UInt8(number))) }
        _ = cache.lines([line.id], of: try circle(1))
        cache.add([line], of: try circle(5))
        let known = try (1...5).map { cache.lines([line.id], of: try circle(UInt8($0))).isEmpty }
        #expect(known == [false, true, false, false, false])
        cache.remove(try circle(1))
        var found = cache.lines([line.id], of: try circle(1))
        #expect(found.isEmpty)
        cache.clear()
        found = cache.lines([line.id], of: try circle(5))
        #expect(found.isEmpty)
    }

    @Test("of a long chat the lines that were read last are kept")
    func long() throws {
        var cache = LineCache()
        let id = try circle(1)
        let lines = try (0..<100).map { try line("line \($0)") }
        for start in 0...LineCache.mostLines / 50 {
            cache.add(try (0..<50).map { try line("line \(start) \($0)") }, of: id)
        }
        cache.add(lines, of: id)
        let found = cache.lines(Set(lines.map(\.id)), of: id)
        #expect(found.count == 100)
    }
}
