import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("Back-off, limits, splitting")
struct SmallPartsTests {
    @Test("waits double up to the longest and start small again after a reset")
    func backoff() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(10))
        let waits = (0..<6).map { _ in backoff.next(jitter: 1) }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10)])
        for _ in 0..<10_000 { _ = backoff.next(jitter: 0) }
        #expect(backoff.next(jitter: 0) == .seconds(5))
        backoff.reset()
        #expect(backoff.next(jitter: 0) == .milliseconds(500))
        #expect(backoff.next(atLeast: .seconds(3), jitter: 1) == .seconds(6))
    }

    @Test("a set of recent elements forgets the oldest")
    func recent() {
        var set = RecentSet<Int>(capacity: 3)
        var added: [Bool] = []
        for element in [1, 2, 3, 3, 4] { added.append(set.insert(element)) }
        #expect(added == [true, true, true, false, true])
        #expect((1...4).map { set.contains($0) } == [false, true, true, true])
    }

    @Test(
        "what a relay says of itself is followed within reason",
        arguments: [
            (#"{"limitation":{"max_subscriptions":3,"max_limit":50,"max_message_length":70000}}"#, 3, 50, 70_000),
            (#"{"limitation":{"max_subscriptions":0,"max_limit":0,"max_message_length":1}}"#, 1, nil, 4096),
            (#"{"limitation":{"max_subscriptions":99999,"max_message_length":999999999}}"#, 100, nil, 3 << 19),
            ("{}", 10, nil, 64 << 10),
        ] as [(String, Int, Int?, Int)])
    func limits(document: String, subscriptions: Int, limit: Int?, bytes: Int) throws {
        let limits = StatedLimits(try #require(RelayInformation(json: Array(document.utf8))))
        #expect(limits.subscriptions == subscriptions)
        #expect(limits.limit == limit)
        #expect(limits.messageBytes == bytes)
    }

    @Test(
        "whether a relay can ask who reads is known where it says what it can, and unknown where it says nothing",
        arguments: [
            (#"{"supported_nips":[1,42]}"#, true), (#"{"supported_nips":[1,11]}"#, false),
            (#"{"limitation":{"auth_required":true}}"#, true), ("{}", nil),
        ] as [(String, Bool?)])
    func authenticates(document: String, expected: Bool?) throws {
        let limits = StatedLimits(try #require(RelayInformation(json: Array(document.utf8))))
        #expect(limits.authenticates == expected)
        var bench = try SessionBench()
        _ = bench.session.learn(limits, now: bench.now)
        #expect(bench.session.statistics.authenticates == expected)
        // A challenge says it whatever the document does.
        _ = bench.receive(.auth(challenge: "c"))
        #expect(bench.session.statistics.authenticates == true)
        _ = bench.session.learn(limits, now: bench.now)
        #expect(bench.session.statistics.authenticates == true)
    }

    @Test("a filter with long lists is split into parts that match the same events")
    func splits() {
        let ids = (0..<1000).map { EventID(TestNumbers.bytes($0)) }
        let filter = Filter(ids: Set(ids), kinds: [1], tags: ["t": Set((0..<700).map { "tag \($0)" })], limit: 5)
        let parts = filter.split(values: 300, bytes: 20_000)
        #expect(parts.allSatisfy { $0.estimatedBytes <= 20_000 && $0.ids?.count ?? 0 <= 300 })
        #expect(parts.allSatisfy { $0.json.count <= 20_000 && $0.limit == 5 && $0.kinds == [1] })
        // Every combination of an id and a tag is in exactly one part.
        for id in [ids[0], ids[499], ids[999]] {
            for tag in ["tag 0", "tag 350", "tag 699"] {
                #expect(parts.count { $0.ids?.contains(id) == true && $0.tags["t"]?.contains(tag) == true } == 1)
            }
        }
        let single = Filter(tags: ["t": [String(repeating: "x", count: 50_000)]])
        #expect(single.split(values: 300, bytes: 20_000) == [single])
        #expect(Filter().split(values: 1, bytes: 1) == [Filter()])
    }

    @Test("filters are grouped by number and by bytes")
    func groups() {
        let filters = (0..<25).map { Filter(kinds: [1], limit: $0) }
        #expect(filters.grouped(count: 10, bytes: 100_000).map(\.count) == [10, 10, 5])
        #expect(filters.grouped(count: 10, bytes: 250).map(\.count).max() == 2)
        #expect(filters.grouped(count: 10, bytes: 0).flatMap { $0 } == filters)
    }
}

enum TestNumbers {
    /// 32 bytes that spell a number.
    static func bytes(_ number: Int) -> Bytes32 {
        var array = [UInt8](repeating: 0, count: 32)
        for index in 0..<8 { array[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        // Exactly 32 bytes, so it cannot throw.
        do { return try Bytes32(array.span) } catch { preconditionFailure("\(error)") }
    }
}
