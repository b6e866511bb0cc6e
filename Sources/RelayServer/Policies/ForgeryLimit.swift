internal import AsyncPrimitives
internal import Synchronization

/// How many events with wrong ids or signatures a client may still send before its events are refused unchecked.
///
/// Checking a signature is the dearest thing a stranger can ask for without an account. Each connection has an
/// allowance, and each network of the internet a larger one, as connecting anew gives no new one.
final class ForgeryLimit: Sendable {
    private struct State {
        var connections: TokenBuckets<UInt64>
        var networks: TokenBuckets<Asker.Address>
    }

    private let state: Mutex<State>
    private let uptime: @Sendable () -> Duration
    /// How many connections' allowances a network has.
    private static let connectionsOfNetwork = 8

    init(_ allowance: TokenRate, uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
        let ofNetwork = TokenRate(
            burst: allowance.burst * Self.connectionsOfNetwork, refill: allowance.refill / Self.connectionsOfNetwork)
        state = Mutex(State(connections: TokenBuckets(allowance), networks: TokenBuckets(ofNetwork)))
    }

    /// How many of a client's events may be checked now, were all of them forged.
    func room(for asker: Asker) -> Int {
        let now = uptime()
        return state.withLock { state in
            let own = state.connections.tokens(of: asker.connection, now: now)
            return asker.address.isShared ? own : min(own, state.networks.tokens(of: asker.address, now: now))
        }
    }

    /// So many of a client's events were forged.
    func found(_ forged: Int, of asker: Asker) {
        let now = uptime()
        state.withLock { state in
            state.connections.spend(upTo: forged, of: asker.connection, now: now)
            if !asker.address.isShared { state.networks.spend(upTo: forged, of: asker.address, now: now) }
        }
    }
}
