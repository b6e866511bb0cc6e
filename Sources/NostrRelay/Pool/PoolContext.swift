import Logging
import NostrCore

/// What all relays of a pool share.
struct PoolContext: Sendable {
    let transport: any RelayTransport
    let settings: PoolSettings
    let clock: any Clock<Duration>
    let uptime: @Sendable () -> Duration
    let wall: @Sendable () -> Timestamp
    let random: @Sendable () -> Double
    let memory: RecentEvents
    let places: ConnectionPlaces
    let authenticator: (any RelayAuthenticator)?
    let logger: Logger

    var now: Moment { Moment(uptime: uptime(), wall: wall()) }
}

/// Counts the time since it is called.
func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
