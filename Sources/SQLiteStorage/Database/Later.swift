internal import Dispatch

/// Runs work after a while; the clock of a test or of the system.
typealias Later = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

/// Waits by the system's clock.
let laterBySystem: Later = { delay, work in
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
}
