import AsyncPrimitives
import Synchronization
import Testing

@Suite("Bounded queue", .timeLimit(.minutes(10)))
struct BoundedQueueTests {
    final class Counter: Sendable {
        let count = Mutex(0)
    }

    @Test("keeps order, gives batches, ends after what is left, and takes nothing more")
    func order() async {
        let queue = BoundedQueue<Int>(capacity: 10)
        for number in 0..<5 { await queue.send(number) }
        #expect(await queue.receive() == 0)
        #expect(await queue.receive(atMost: 3) == [1, 2, 3])
        queue.finish()
        #expect(await queue.receive(atMost: 3) == [4])
        #expect(await queue.receive() == nil)
        #expect(await !queue.send(5))
        #expect(!queue.sendNow(6))
        #expect(!queue.trySend(7))
    }

    @Test("the few that must not be lost go in however full it is; others only where they fit, a single one always")
    func weights() async {
        let queue = BoundedQueue<Int>(capacity: 10)
        #expect(queue.trySend(1, weight: 50))
        #expect(queue.isFull)
        #expect(!queue.trySend(2))
        #expect(!queue.sendNow(3))
        #expect(await queue.receive(atMost: 9) == [1, 3])
        #expect(queue.sendNow(4, weight: 9))
        #expect(!queue.trySend(5, weight: 2))
        #expect(queue.trySend(6, weight: 1))
    }

    @Test("a sender waits while it is full, and never more wait in it than its capacity and one per sender")
    func backPressure() async {
        let queue = BoundedQueue<Int>(capacity: 4)
        let sent = Counter()
        await withTaskGroup { group in
            group.addTask {
                for number in 0..<1000 {
                    await queue.send(number)
                    sent.count.withLock { $0 += 1 }
                }
                queue.finish()
            }
            var received: [Int] = []
            while let batch = await queue.receive(atMost: 3) {
                received += batch
                #expect(sent.count.withLock { $0 } <= received.count + 5)
                await Task.yield()
            }
            #expect(received == Array(0..<1000))
        }
    }

    @Test("many senders and receivers pass everything on exactly once", arguments: [1, 3, 64])
    func manySides(capacity: Int) async {
        let queue = BoundedQueue<Int>(capacity: capacity)
        let total = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var sum = 0
                    while let number = await queue.receive() { sum += number }
                    return sum
                }
            }
            await withTaskGroup { senders in
                for part in 0..<4 {
                    senders.addTask { for number in 0..<250 { await queue.send(part * 250 + number) } }
                }
            }
            queue.finish()
            return await group.reduce(0, +)
        }
        #expect(total == 999 * 500)
    }

    @Test("a cancelled sender and a cancelled receiver wait no more; what was sent stays")
    func cancellation() async {
        let full = BoundedQueue<Int>(capacity: 1)
        let empty = BoundedQueue<Int>(capacity: 1)
        // Begun here, up to where they wait.
        let sender = Task.immediate { await full.send(1) }
        let receiver = Task.immediate { await empty.receive() }
        #expect(full.isFull)
        sender.cancel()
        receiver.cancel()
        #expect(await sender.value)
        #expect(await receiver.value == nil)
        #expect(await full.receive() == 1)
    }

    @Test("what must be done is received by a cancelled task, too, until the queue ends")
    func untilFinished() async {
        let queue = BoundedQueue<Int>(capacity: 9)
        queue.sendNow(1)
        let worker = Task {
            var received: [Int] = []
            while let some = await queue.receiveUntilFinished(atMost: 1) { received += some }
            return received
        }
        worker.cancel()
        queue.sendNow(2)
        queue.finish()
        #expect(await worker.value == [1, 2])
    }

    @Test("an element given to a receiver that is cancelled goes to the next", arguments: 0..<50)
    func handedOn(_: Int) async {
        let queue = BoundedQueue<Int>(capacity: 9)
        // Both wait, in this order.
        let gone = Task.immediate { await queue.receive() }
        let stays = Task.immediate { await queue.receive() }
        queue.sendNow(1)
        gone.cancel()
        if await gone.value != nil { queue.sendNow(2) }
        #expect(await stays.value != nil)
    }
}
