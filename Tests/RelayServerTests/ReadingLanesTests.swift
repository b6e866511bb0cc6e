import NostrCore
import Testing

@testable import RelayServer

@Suite("Lanes of questions")
struct ReadingLanesTests {
    private let lanes = ReadingLanes(places: 2, slice: .milliseconds(10), uptime: { .zero })
    private let ids: [EventID]

    init() throws {
        ids = try (10..<75).map { try EventID(hex: String(repeating: "\($0)", count: 32)) }
    }

    @Test("a question that names some events has turns of its own, everything else shares the others")
    func lookups() throws {
        let few = Filter(ids: Set(ids.prefix(32)))
        let wide = lanes.turns(for: [Filter(kinds: [1])])
        let lookups = lanes.turns(for: [few])
        #expect(lookups !== wide)
        #expect(lanes.turns(for: [few, few]) === lookups)
        #expect(lanes.turns(for: [few, few, Filter(ids: Set(ids.prefix(1)))]) === wide)
        #expect(lanes.turns(for: [Filter(ids: Set(ids))]) === wide)
        #expect(lanes.turns(for: [few, Filter(kinds: [1])]) === wide)
        var search = few
        search.search = "linnet"
        #expect(lanes.turns(for: [search]) === wide)
    }
}
