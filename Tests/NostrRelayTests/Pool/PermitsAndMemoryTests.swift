import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("Permits and memory of the pool", .timeLimit(.minutes(10)))
struct PermitsAndMemoryTests {
    @Test("standing subscriptions use up their own permits only; who waits comes in turn")
    func permits() async {
        // One for each that begins to wait.
        let (crowds, crowded) = AsyncStream.makeStream(of: Void.self)
        let permits = ConnectionPermits(standing: 2, spare: 1) { crowded.yield() }
        #expect(await permits.acquire(.standing))
        #expect(await permits.acquire(.standing))
        await withTaskGroup(of: Bool.self) { group in
            var waits = crowds.makeAsyncIterator()
            group.addTask { await permits.acquire(.standing) }
            _ = await waits.next()
            // The third standing one waits; a one-shot query finds the spare permit.
            #expect(await permits.acquire(.oneShot))
            permits.release(.standing)
            #expect(await group.next() == true)
            group.addTask { await permits.acquire(.oneShot) }
            _ = await waits.next()
            group.cancelAll()
            #expect(await group.next() == false)
        }
        permits.release(.oneShot)
        #expect(await permits.acquire(.oneShot))
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
