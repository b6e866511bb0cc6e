import NIOCore
import Testing

@testable import WebSocketNIO

@Suite("The pings of a peer")
struct PingAllowanceTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    @Test("are answered as long as there are few")
    func few() {
        var allowance = PingAllowance()
        for number in 0..<1000 as Range<Int64> {
            let isAnswered = allowance.receive(at: start + .milliseconds(100 * number))
            #expect(isAnswered)
        }
        let areAnswered = (0..<31).allSatisfy { _ in allowance.receive(at: start + .milliseconds(99_900)) }
        #expect(areAnswered)
    }

    @Test("leave their sender unread when there are many, for ten seconds at most", arguments: [33, 50, 100_000])
    func many(count: Int) {
        var allowance = PingAllowance()
        let answered = (0..<count).count { _ in allowance.receive(at: start) }
        #expect(answered == 32)
        let pause = allowance.pause(at: start)
        #expect(pause == .milliseconds(min(100 * Int64(count - 32), 10_000)))
        #expect(allowance.pause(at: start + .seconds(10)) == nil)
        let isAnswered = allowance.receive(at: start + .seconds(11))
        #expect(isAnswered)
    }
}
