internal import Synchronization

/// How many events with wrong ids or signatures a client may still send before its events are refused unchecked.
///
/// Checking a signature is the dearest thing a stranger can ask for without an account. Each connection has an
/// allowance, and each network of the internet a larger one, as connecting anew gives no new one.
final class ForgeryLimit: Sendable {
    private struct State {
        var connections: TokenCounts<UInt64>
        var networks: TokenCounts<Asker.Address>
    }

    private let state: Mutex<State>
    private let uptime: @Sendable () -> Duration
    /// How many connections' allowances a network has.
    private static let connectionsOfNetwork = 8

    init(_ allowance: Allowance, uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
        let ofNetwork = Allowance(
            burst: allowance.burst * Self.connectionsOfNetwork, refill: allowance.refill / Self.connectionsOfNetwork)
        state = Mutex(State(connections: TokenCounts(allowance), networks: TokenCounts(ofNetwork)))
    }

    /// How many of a client's events may be checked now, were all of them forged.
    func room(for asker: Asker) -> Int {
        let now = uptime()
        return state.withLock { state in
            let own = state.connections.tokens(of: asker.connection, at: now)
            return asker.address.isShared ? own : min(own, state.networks.tokens(of: asker.address, at: now))
        }
    }

    /// So many of a client's events were forged.
    func found(_ forged: Int, of asker: Asker) {
        let now = uptime()
        state.withLock { state in
            state.connections.take(forged, from: asker.connection, at: now)
            if !asker.address.isShared { state.networks.take(forged, from: asker.address, at: now) }
        }
    }
}
