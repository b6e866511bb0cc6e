import AsyncPrimitives
import NostrCore
import NostrTesting
import Synchronization

/// A date and a clock that a test moves together.
final class HandClock: Sendable {
    private let clock = ManualClock()
    private let names = Mutex(0)
    private let date = Mutex(Timestamp(seconds: 1_700_000_000))

    var now: Timestamp { date.withLock { $0 } }
    var time: Time<Timestamp> { Time(clock: clock) { self.now } }

    /// Moves both, once somebody sleeps.
    func pass(_ span: Duration) async {
        await clock.waitForSleepers()
        date.withLock { $0 = $0 + span }
        clock.advance(by: span)
    }

    func name() -> String {
        names.withLock { names in
            names += 1
            return "held-\(names)"
        }
    }
}
