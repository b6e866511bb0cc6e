import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import SQLiteStorage

@Suite struct EventKeyTests {
    @Test("orders events as they are listed")
    func order() {
        let events = (0..<200).map { TestPerson.alice.event("\($0)", at: 1_700_000_000 + $0 % 5) }
        #expect(
            events.sorted { EventKey($0) > EventKey($1) }.map(\.id)
                == events.sorted { $0.isListed(before: $1) }.map(\.id))
    }

    @Test("goes through every place of its second and no other when places are taken")
    func neighbours() throws {
        let event = TestPerson.alice.event("x")
        let second = try #require(EventKey.range(since: event.createdAt, until: event.createdAt))
        var key = EventKey(rowID: second.lowerBound + 1)
        for expected in [second.lowerBound, second.upperBound, second.upperBound - 1] {
            key = key.neighbour
            #expect(key.rowID == expected)
        }
    }

    @Test(
        "takes any moment",
        arguments: [Int64.min, -1, 0, 1 << 43, .max].map { Timestamp(seconds: $0) })
    func anyMoment(moment: Timestamp) throws {
        let range = try #require(EventKey.range(since: moment, until: moment))
        #expect(range.lowerBound >= 0)
        #expect(EventKey.range(since: Timestamp(seconds: 2), until: Timestamp(seconds: 1)) == nil)
    }
}
