import AsyncPrimitives
import Logging
import NostrCore

/// What all relays of a pool share.
struct PoolContext: Sendable {
    let transport: UnblockedTransport
    let blocked: BlockedRelaysInForce
    let settings: PoolSettings
    let time: Time<Timestamp>
    let random: @Sendable () -> Double
    let memory: RecentEvents
    let permits: ConnectionPermits
    let authenticator: (any RelayAuthenticator)?
    let logger: Logger

    var now: Moment { Moment(uptime: time.uptime(), wall: time.now()) }
}
