import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs

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

    /// Asks a relay what it says of itself (NIP-11); `nil` where it says nothing in time, and for one that is blocked.
    func information(of relay: RelayURL, within deadline: Duration) async -> RelayInformation? {
        let document = try? await transport.information(of: relay, deadline: deadline, maxBytes: 64 << 10)
        return document.flatMap { RelayInformation(json: $0) }
    }
}
