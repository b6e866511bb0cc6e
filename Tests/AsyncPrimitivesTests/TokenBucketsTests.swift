import AsyncPrimitives
import Testing

@Suite("allowances")
struct TokenBucketsTests {
    @Test("a newcomer is served, however many others there are")
    func newcomers() {
        var buckets = TokenBuckets<Int>(TokenRate(burst: 1, refill: .seconds(60)), capacity: 100)
        let served = (0..<1000).count { buckets.spend($0, now: .zero) }
        #expect(served == 1000)
    }

    @Test("who goes on is not forgotten among newcomers, nor allowed more")
    func goesOn() {
        var buckets = TokenBuckets<Int>(TokenRate(burst: 3, refill: .seconds(60)), capacity: 100)
        let served = (1...1000).count { newcomer in
            _ = buckets.spend(newcomer, now: .zero)
            return buckets.spend(0, now: .zero)
        }
        #expect(served == 3)
        #expect(buckets.tokens(of: 0, now: .seconds(60)) == 1)
    }

    @Test("are used up and fill again")
    func refill() {
        var buckets = TokenBuckets<Int>(TokenRate(burst: 2, refill: .seconds(1)), capacity: 100)
        let spent = [0, 0, 0, 999, 1000, 1001, 9000, 9000, 9000].map { buckets.spend(1, now: .milliseconds($0)) }
        #expect(spent == [true, true, false, false, true, false, true, true, false])
        buckets.spend(upTo: 5, of: 2, now: .zero)
        #expect(buckets.tokens(of: 2, now: .zero) == 0)
        #expect(buckets.tokens(of: 2, now: .seconds(1)) == 1)
        #expect(buckets.tokens(of: 3, now: .zero) == 2)
    }

    @Test("what is remembered is bounded, and the newest half is there")
    func remembered() {
        var values = RecentValues<Int, Int>(capacity: 10)
        for key in 0..<1000 { values.set(key, for: key) }
        #expect((995..<1000).allSatisfy { values[$0] == $0 })
        #expect((0..<1000).count { values[$0] != nil } <= 10)
    }

    @Test("with one more than are remembered, the first is a newcomer again")
    func forgotten() {
        var buckets = TokenBuckets<Int>(TokenRate(burst: 1, refill: .seconds(1)), capacity: 2)
        let taken = [(1, 0), (1, 900), (2, 900), (3, 900), (3, 901)].map { key, milliseconds in
            buckets.spend(key, now: .milliseconds(milliseconds))
        }
        #expect(taken == [true, false, true, true, false])
        let isForgotten = buckets.spend(1, now: .milliseconds(900))
        #expect(isForgotten)
    }
}
