import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

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

    private func lines(_ records: [CircleLineRecord]) -> [CircleChat.Line] {
        records.compactMap { CircleChat.Line($0) }
    }

    /// Outside of an expectation, which cannot change what it looks at.
    private func known(_ shelf: inout LineCache, _ id: CircleID) -> [CircleChat.Line]? { shelf.lines(of: id) }

    @Test("a new line is with those that were read, and one that changed is in its place")
    func newLines() throws {
        var shelf = LineCache()
        let id = try circle(1)
        let (one, other) = (try record("one"), try record("other"))
        shelf.fill(id, with: lines([one]), readAt: shelf.revision)
        shelf.put([other], in: id)
        var found = known(&shelf, id) ?? []
        #expect(found.count == 2)
        shelf.put([try record("one", isAstray: true)], in: id)
        found = known(&shelf, id) ?? []
        #expect(found.count == 2 && found.first { $0.record.id == one.id }?.record.isAstray == true)
    }

    @Test("what was read before something changed is not taken")
    func staleReading() throws {
        var shelf = LineCache()
        let (id, before) = (try circle(1), shelf.revision)
        shelf.put([try record("new")], in: id)
        shelf.fill(id, with: [], readAt: before)
        let isKnown = known(&shelf, id) != nil
        #expect(!isKnown)
    }

    @Test("circles that were not looked at for long are forgotten, and all when the account is locked")
    func bounds() throws {
        var isKnown: Bool
        var shelf = LineCache()
        for number in 1...4 { shelf.fill(try circle(UInt8(number)), with: [], readAt: shelf.revision) }
        _ = shelf.lines(of: try circle(1))
        shelf.fill(try circle(5), with: [], readAt: shelf.revision)
        isKnown = try known(&shelf, circle(2)) != nil
        #expect(!isKnown)
        isKnown = try known(&shelf, circle(1)) != nil
        #expect(isKnown)
        shelf.remove(try circle(1))
        isKnown = try known(&shelf, circle(1)) != nil
        #expect(!isKnown)
        shelf.clear()
        isKnown = try known(&shelf, circle(5)) != nil
        #expect(!isKnown)
    }
}
