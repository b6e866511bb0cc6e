import AsyncPrimitives
import NostrCore
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import linnet

@Suite("the count of stored events for operators")
struct StoredEventCountTests {
    @Test("is taken once in ten minutes, however often it is asked for")
    func isKept() async throws {
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_700_000_000) }
        let clock = ManualClock()
        let store = MemoryEventStore(now: now)
        let stored = StoredEventCount(store, time: Time(clock: clock, now: now))
        _ = await store.save([TestPerson.bob.event("one")], from: nil)
        #expect(await stored.current() == 1)
        _ = await store.save([TestPerson.bob.event("two")], from: nil)
        for _ in 0..<5 { #expect(await stored.current() == 1) }
        clock.advance(by: StoredEventCount.patience)
        #expect(await stored.current() == 2)
    }
}
