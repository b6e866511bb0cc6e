import AccountTesting
import Location
import LocationTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// The place of a machine that does not move.
@Suite(.timeLimit(.minutes(10)))
struct FixedPlaceTests {
    @Test("a place that was entered is kept sealed, is there after a restart, and can be forgotten")
    func kept() async throws {
        let bench = MailBench.withCircles()
        let records = MemoryRecordStore()
        let place = try #require(Coordinate(latitude: 47.3769, longitude: -8.5417))
        let alice = bench.person(.alice, records: records)
        await #expect(throws: CircleError.self) { _ = try await alice.circles.sharing.fixedPlace() }
        await #expect(throws: CircleError.self) { try await alice.circles.sharing.setFixedPlace(place) }
        try await alice.unlock()
        #expect(try await alice.circles.sharing.fixedPlace() == nil)
        try await alice.circles.sharing.setFixedPlace(place)
        #expect(try await alice.circles.sharing.fixedPlace() == place)
        let again = bench.person(.alice, records: records)
        try await again.unlock()
        #expect(try await again.circles.sharing.fixedPlace() == place)
        let rested = try await records.records(in: CircleTable.fixedPlace)
        #expect(rested.count == 1)
        for record in rested {
            #expect(!String(decoding: record.value, as: UTF8.self).contains("lat"))
        }
        try await again.circles.sharing.setFixedPlace(nil)
        #expect(try await again.circles.sharing.fixedPlace() == nil)
        #expect(try await records.records(in: CircleTable.fixedPlace).isEmpty)
    }
}
