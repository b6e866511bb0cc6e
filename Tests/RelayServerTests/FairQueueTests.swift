import NostrStore
import Testing

@testable import RelayServer

@Suite("A fair queue")
struct FairQueueTests {
    /// What happens, in order: a client asks so many things, or so many are served.
    enum Step {
        case asks(String, UInt64, Int)
        case serve(Int)
        case costs(String, UInt64, Int)
    }

    @Test(
        "serves whoever has had the least",
        arguments: [
            // A flood does not hold up who comes later.
            ([.asks("a", 1, 5), .serve(2), .asks("b", 2, 1), .serve(4)], "a1 a1 b2 a1 a1 a1"),
            // Of one address, connections take turns; of equals, who waits for least is first.
            ([.asks("a", 1, 3), .asks("a", 2, 2), .asks("a", 3, 1), .serve(6)], "a3 a2 a1 a2 a1 a1"),
            // Many connections of one address together get what one of another gets.
            (
                [.asks("a", 1, 2), .asks("a", 2, 2), .asks("a", 3, 2), .asks("b", 4, 3), .serve(9)],
                "b4 a1 b4 a2 b4 a3 a1 a2 a3"
            ),
            // Who cost ten times as much waits until the other has had that, too.
            (
                [.asks("a", 1, 3), .asks("b", 2, 9), .serve(1), .costs("a", 1, 50), .serve(8), .serve(3)],
                "a1 b2 b2 b2 b2 b2 b2 a1 b2 a1 b2 b2"
            ),
            // Nobody saves up: after a long pause there is one head start, no more.
            (
                [.asks("a", 1, 8), .serve(8), .asks("a", 1, 4), .asks("b", 2, 4), .serve(8)],
                "a1 a1 a1 a1 a1 a1 a1 a1 b2 b2 b2 a1 b2 a1 a1 a1"
            ),
        ] as [([Step], String)])
    func order(steps: [Step], expected: String) {
        var queue = FairQueue<String>(headStart: 10)
        var served: [String] = []
        for step in steps {
            switch step {
            case .asks(let address, let connection, let times):
                let asker = Asker(address, connection: connection)
                for _ in 0..<times { queue.add("\(address)\(connection)", of: asker, cost: 10) }
            case .serve(let times):
                for _ in 0..<times { if let next = queue.next() { served.append(next.element) } }
            case .costs(let address, let connection, let cost):
                queue.add(cost, to: Asker(address, connection: connection))
            }
        }
        #expect(served.joined(separator: " ") == expected)
    }

    @Test("forgets who has left, and whatever is not wanted any more")
    func leaving() {
        var queue = FairQueue<Int>(headStart: 10)
        let (a, b) = (Asker("a", connection: 1), Asker("b", connection: 2))
        for number in 0..<4 {
            queue.add(number, of: a, cost: 10)
            queue.add(10 + number, of: b, cost: 10)
        }
        #expect(queue.remove(a) == [0, 1, 2, 3])
        #expect(queue.remove(a) == [])
        #expect(queue.remove(where: { $0 % 2 == 0 }).sorted() == [10, 12])
        #expect(queue.count == 2)
        #expect(queue.next()?.element == 11)
        #expect(queue.next()?.element == 13)
        #expect(queue.next() == nil)
        #expect(queue.count == 0)
    }

    @Test("remembers a bounded number, those who have had the most")
    func bound() {
        var shares = Shares<Int>(headStart: 1, capacity: 100)
        shares.add(1_000_000, to: -1)
        for key in 0..<10_000 { shares.serve(key, cost: 5) }
        #expect(shares.count <= 100)
        #expect(shares.cost(of: -1) == 999_999)
    }

    @Test("knows a client by its network and its connection")
    func askers() {
        #expect(Asker("2a02:1:2:3::1", connection: 1).address == Asker("2a02:1:2:3::2", connection: 2).address)
        #expect(Asker("127.0.0.1", connection: 1).address != Asker("127.0.0.2", connection: 1).address)
        #expect(Asker("unknown", connection: 1).address == .named("unknown"))
    }

    @Test(
        "tells a reading when others have their turn and when it has cost too much",
        arguments: [(9, .goOn), (10, .pause), (24, .pause), (25, .stop)] as [(Int, ReadingLimit.Sign)])
    func signs(milliseconds: Int, sign: ReadingLimit.Sign) {
        var limits = RelayLimits()
        limits.readingTime = .milliseconds(25)
        let budget = QuestionBudget(limits)
        #expect(budget.sign(after: .milliseconds(milliseconds), slice: .milliseconds(10)) == sign)
    }
}
