import AsyncPrimitives
import NostrTesting
import Testing

@Suite("Time")
struct TimeTests {
    let clock = ManualClock()
    var time: Time<Int> { Time(clock: clock, now: { [clock] in Int(clock.now.offset.components.seconds) + 1000 }) }

    @Test("gives the date it was given, and counts its own clock's span")
    func dates() {
        clock.advance(by: .seconds(7))
        let time = time
        #expect(time.now() == 1007)
        #expect(time.uptime() == .zero)
        clock.advance(by: .seconds(3))
        #expect(time.now() == 1010)
        #expect(time.uptime() == .seconds(3))
    }

    @Test("a pause ends when the clock has moved that far", .timeLimit(.minutes(10)))
    func pauses() async {
        let time = time
        async let paused: Void = time.pause(for: .seconds(5))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        await paused
        await time.pause(until: .seconds(4))
        #expect(time.uptime() == .seconds(5))
    }

    @Test("a cancelled pause returns, a cancelled sleep throws", .timeLimit(.minutes(10)))
    func cancelled() async {
        let time = time
        await withTaskGroup { group in
            group.addTask { await time.pause(for: .seconds(5)) }
            group.addTask {
                await #expect(throws: CancellationError.self) { try await time.sleep(for: .seconds(5)) }
            }
            await clock.waitForSleepers(2)
            group.cancelAll()
        }
    }
}
