import AccountTesting
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

/// How long relays that cannot be reached are left alone.
struct RelayHealthTests {
    private let clock = ManualClock()
    private let dead = relay("dead")

    private var now: Timestamp { Timestamp(seconds: 1_700_000_000) + clock.now.offset }

    private func failed(_ times: Int) -> RelayStatistics {
        var figures = RelayStatistics()
        figures.failures = times
        return figures
    }

    @Test("a relay that never answered is tried again after seconds, then less and less often")
    func growing() {
        var health = RelayHealth()
        for (number, rest) in [5, 15, 60, 240, 600, 600].enumerated() {
            health.observe([dead: failed(number + 1)], now: now)
            #expect(health.isDown(dead, now: now) && health.untilNextTry(now: now) == .seconds(rest))
            // What the pool says meanwhile makes the rest no longer.
            health.observe([dead: failed(number + 2)], now: now + .seconds(1))
            clock.advance(by: .seconds(rest - 1))
            #expect(health.isDown(dead, now: now))
            clock.advance(by: .seconds(1))
            #expect(!health.isDown(dead, now: now) && health.untilNextTry(now: now) == nil)
        }
    }

    @Test("so is one of which every question fails; questions that fail together count as one")
    func questions() {
        var health = RelayHealth()
        health.observe([dead: RelayStatistics()], now: now)
        for rest in [5, 15, 60, 240, 600, 600] {
            health.questionEnded(.failed(.timedOut), at: dead, now: now)
            health.questionEnded(.failed(.timedOut), at: dead, now: now)
            #expect(health.isUnreadable(dead, now: now + .seconds(rest - 1)))
            #expect(!health.isUnreadable(dead, now: now + .seconds(rest)))
            clock.advance(by: .seconds(rest))
        }
    }

    @Test("one that came back begins anew")
    func back() {
        var health = RelayHealth()
        health.observe([dead: failed(1)], now: now)
        clock.advance(by: .seconds(5))
        health.observe([dead: failed(2)], now: now)
        health.questionEnded(.failed(.timedOut), at: dead, now: now)
        health.cameBack(dead)
        #expect(!health.isUnreadable(dead, now: now) && health.untilNextTry(now: now) == nil)
        health.observe([dead: failed(1)], now: now)
        #expect(health.untilNextTry(now: now) == .seconds(5))
    }

    @Test("a relay that refuses to be read, or is late twice, rests for ten minutes as before")
    func refusing() {
        var health = RelayHealth()
        health.questionEnded(.unauthenticated(.noAnswer), at: relay("strict"), now: now)
        #expect(health.isUnreadable(relay("strict"), now: now + .seconds(599)))
        health.questionEnded(.deadline, at: relay("slow"), now: now)
        #expect(!health.isUnreadable(relay("slow"), now: now))
        health.questionEnded(.deadline, at: relay("slow"), now: now)
        #expect(health.isUnreadable(relay("slow"), now: now + .seconds(599)))
    }
}
