import Testing

@testable import RelayServer

@Suite("The allowances of clients")
struct TokenCountsTests {
    @Test("are used up and fill again")
    func refill() {
        var counts = TokenCounts<Int>(Allowance(burst: 2, refill: .seconds(1)))
        let spent = [0, 0, 0, 999, 1000, 1001, 9000, 9000, 9000].map { counts.spend(1, at: .milliseconds($0)) }
        #expect(spent == [true, true, false, false, true, false, true, true, false])
        counts.take(5, from: 2, at: .zero)
        #expect(counts.tokens(of: 2, at: .zero) == 0)
        #expect(counts.tokens(of: 2, at: .seconds(1)) == 1)
        #expect(counts.tokens(of: 3, at: .zero) == 2)
    }

    @Test("are remembered for a bounded number, those used last")
    func bound() {
        var counts = TokenCounts<Int>(Allowance(burst: 2, refill: .seconds(3600)), capacity: 100)
        for key in 0..<10_000 {
            _ = counts.spend(key, at: .seconds(key))
            #expect(counts.count <= 100)
        }
        #expect(counts.tokens(of: 9_999, at: .seconds(9_999)) == 1)
        #expect(counts.tokens(of: 0, at: .seconds(9_999)) == 2)
    }
}
