import Testing

@testable import RelayServer

@Suite("A bounded queue", .timeLimit(.minutes(10)))
struct BoundedQueueTests {
    @Test("gives elements in order and then ends")
    func order() async {
        let queue = BoundedQueue<Int>(capacity: 10)
        for number in 0..<5 { await queue.push(number) }
        queue.finish()
        #expect(await queue.take(atMost: 3) == [0, 1, 2])
        #expect(await queue.take(atMost: 3) == [3, 4])
        #expect(await queue.take(atMost: 3) == nil)
        #expect(await !queue.push(5))
    }

    @Test("refuses what does not fit, except one element alone or by force")
    func capacity() {
        let queue = BoundedQueue<Int>(capacity: 10)
        #expect(queue.tryPush(1, weight: 50))
        #expect(!queue.tryPush(2, weight: 1))
        #expect(queue.tryPush(3, weight: 1, force: true))
    }

    @Test("lets a pusher wait for room")
    func waits() async {
        let queue = BoundedQueue<Int>(capacity: 2)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<1000 { await queue.push(number) }
                queue.finish()
            }
            var taken: [Int] = []
            while let some = await queue.take(atMost: 7) {
                #expect(some.count <= 2)
                taken += some
            }
            #expect(taken == Array(0..<1000))
        }
    }

    @Test("lets go of everybody when it ends")
    func finishes() async {
        let full = BoundedQueue<Int>(capacity: 1)
        let empty = BoundedQueue<Int>(capacity: 1)
        await full.push(0)
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await full.push(1) }
            group.addTask { await empty.take(atMost: 1) != nil }
            full.finish()
            empty.finish()
            for await worked in group { #expect(!worked) }
        }
    }
}
