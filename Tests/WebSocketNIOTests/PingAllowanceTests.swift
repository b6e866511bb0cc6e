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

    @Test(
        "leave their sender unread when there are many, and are past bearing beyond ten seconds",
        arguments: [33, 50, 132, 133])
    func many(count: Int) {
        var allowance = PingAllowance()
        let answered = (0..<count).count { _ in allowance.receive(at: start) }
        #expect(answered == 32)
        let pause = allowance.pause(at: start)
        #expect(pause == .milliseconds(100 * Int64(count - 32)))
        #expect(allowance.isUsedUp(at: start) == (count > 132))
        #expect(allowance.pause(at: start + .seconds(11)) == nil)
        let isAnswered = allowance.receive(at: start + .seconds(12))
        #expect(isAnswered)
    }
}
