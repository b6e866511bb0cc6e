import NostrCore
import NostrTesting
import Synchronization
import Testing

@testable import NostrRelay

@Suite("Queues, places and memory of the pool", .timeLimit(.minutes(10)))
struct QueuesTests {
    @Test("senders wait while a queue is full, and nothing is lost or reordered")
    func backPressure() async {
        let queue = UpdateQueue<Int>(capacity: 4)
        let sent = Count()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<100 {
                    await queue.send(number)
                    sent.value.withLock { $0 = number }
                }
                queue.finish()
            }
            for number in 0..<100 {
                #expect(await queue.next() == number)
                #expect(sent.value.withLock { $0 } <= number + 5)
            }
            #expect(await queue.next() == nil)
        }
    }

    @Test("weights count, endings get through a full queue, and batches are bounded")
    func weights() async {
        let queue = UpdateQueue<String>(capacity: 10)
        await queue.send("light")
        queue.sendNow("ending")
        #expect(!queue.isFull)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await queue.send("heavy", weight: 50) }
            while !queue.isFull { await Task.yield() }
            queue.sendNow("more")
            #expect(await queue.nextBatch(3) == ["light", "ending", "heavy"])
            #expect(await queue.nextBatch(3) == ["more"])
        }
    }

    @Test("a finished queue frees its senders, a cancelled reader gets the end")
    func ends() async {
        let queue = UpdateQueue<Int>(capacity: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await queue.send(1) }
            group.addTask { await queue.send(2) }
            while !queue.isFull { await Task.yield() }
            queue.finish()
        }
        await queue.send(3)
        let open = UpdateQueue<Int>(capacity: 1)
        let answer = await withTaskGroup(of: Int?.self) { group in
            group.addTask { await open.next() }
            group.cancelAll()
            return await group.next() ?? 7
        }
        #expect(answer == nil)
        // A sender whose task is cancelled does not wait, and its element stays.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await open.send(5) }
            group.cancelAll()
        }
        #expect(await open.next() == 5)
    }

    @Test("standing subscriptions fill their own places only; who waits comes in turn")
    func places() async {
        let crowded = Count()
        let places = ConnectionPlaces(standing: 2, spare: 1) { crowded.value.withLock { $0 += 1 } }
        #expect(await places.take(.standing))
        #expect(await places.take(.standing))
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await places.take(.standing) }
            while crowded.value.withLock({ $0 }) == 0 { await Task.yield() }
            // The third standing one waits; a one-shot query finds the spare place.
            #expect(await places.take(.oneShot))
            places.giveBack(.standing)
            #expect(await group.next() == true)
            group.addTask { await places.take(.oneShot) }
            while crowded.value.withLock({ $0 }) < 2 { await Task.yield() }
            group.cancelAll()
            #expect(await group.next() == false)
        }
        places.giveBack(.oneShot)
        #expect(await places.take(.oneShot))
    }

    @Test("memory of events is bounded in number and in bytes, oldest first")
    func memory() {
        let events = (0..<10).map { TestPerson.alice.event(String(repeating: "x", count: 1000), at: Int64($0)) }
        let byCount = RecentEvents(capacity: 3, maxBytes: 1 << 20)
        byCount.insert(events)
        byCount.insert(events.suffix(1))
        #expect(events.filter { byCount.event($0.id) != nil } == Array(events.suffix(3)))
        let byBytes = RecentEvents(capacity: 100, maxBytes: 5000)
        byBytes.insert(events)
        let kept = events.filter { byBytes.event($0.id) != nil }
        #expect(kept == Array(events.suffix(kept.count)) && (2...4).contains(kept.count))
        let tiny = RecentEvents(capacity: 100, maxBytes: 1)
        tiny.insert(events)
        #expect(events.allSatisfy { tiny.event($0.id) == nil })
    }
}

private final class Count: Sendable {
    let value = Mutex(0)
}
