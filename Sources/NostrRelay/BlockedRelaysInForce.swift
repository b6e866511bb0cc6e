public import NostrCore
public import NostrNIPs
internal import Synchronization

/// Which relays an account never contacts, for everything of the account that opens connections.
///
/// One of these is given to all pools of an account: whatever a pool is about to connect to or to ask for its document
/// is looked up here at that very moment, and connections that are open to a relay close when it is put in here.
/// Source: NIP-51 (kind 10006).
public final class BlockedRelaysInForce: Sendable {
    private struct State {
        var blocked: BlockedRelays
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    /// Blocks these until ``replace(with:)``, before any list is read.
    public init(_ blocked: BlockedRelays = []) {
        state = Mutex(State(blocked: blocked))
    }

    /// What is blocked now.
    public var current: BlockedRelays { state.withLock { $0.blocked } }

    /// Whether an address leads to a relay that is blocked now.
    public func contains(_ relay: RelayURL) -> Bool {
        state.withLock { $0.blocked.contains(relay) }
    }

    /// Blocks these from now on, and no others.
    public func replace(with blocked: BlockedRelays) {
        let listeners = state.withLock { state in
            guard blocked != state.blocked else { return [@Sendable () -> Void]() }
            state.blocked = blocked
            return state.listeners
        }
        for changed in listeners { changed() }
    }

    /// Calls back after each change; for as long as this lives, so for a pool that lives as long as its account.
    func onChange(_ changed: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(changed) }
    }
}

/// The one way of a pool to the network: it leads to no relay that is blocked.
struct UnblockedTransport: RelayTransport {
    let transport: any RelayTransport
    let blocked: BlockedRelaysInForce

    func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection {
        if blocked.contains(relay) { throw TransportFailure.blocked }
        return try await transport.connect(to: relay, deadline: deadline)
    }

    func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8] {
        if blocked.contains(relay) { throw TransportFailure.blocked }
        return try await transport.information(of: relay, deadline: deadline, maxBytes: maxBytes)
    }
}
