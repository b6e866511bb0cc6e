public import NostrCore
public import NostrRelay

/// Reaches relays that a person named wherever they are, and those that strangers named in the open network only.
public struct NamedRelaysTransport: RelayTransport {
    private let sockets: WebSocketTransport
    private let strangers: WebSocketTransport
    private var isNamed: @Sendable (RelayURL) async -> Bool

    /// Takes the sockets, and what tells whom to reach wherever it is.
    ///
    /// - Parameters:
    ///   - sockets: opens connections.
    ///   - isNamed: whether a person named a relay, or allowed it; asked only about those in private networks.
    public init(_ sockets: WebSocketTransport, isNamed: @escaping @Sendable (RelayURL) async -> Bool) {
        self.init(sockets, resolver: nil, isNamed: isNamed)
    }

    /// As ``init(_:isNamed:)``, where a resolver is asked before the system's: a simulated network's knows its hosts.
    package init(
        _ sockets: WebSocketTransport, resolver: (any HostResolver)?,
        isNamed: @escaping @Sendable (RelayURL) async -> Bool
    ) {
        self.sockets = sockets.reaching(Reach.anywhere.resolving(by: resolver))
        strangers = sockets.reaching(Reach.openNetwork.resolving(by: resolver))
        self.isNamed = isNamed
    }

    /// The same, where these relays are named too.
    public func naming(_ isNamedToo: @escaping @Sendable (RelayURL) async -> Bool) -> NamedRelaysTransport {
        var transport = self
        transport.isNamed = { [isNamed] relay in
            if await isNamed(relay) { return true }
            return await isNamedToo(relay)
        }
        return transport
    }

    public func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection {
        try await attempt(relay, within: deadline) { transport, deadline in
            try await transport.connect(to: relay, deadline: deadline)
        }
    }

    public func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8] {
        try await attempt(relay, within: deadline) { transport, deadline in
            try await transport.information(of: relay, deadline: deadline, maxBytes: maxBytes)
        }
    }

    /// As a stranger's relay first; what is refused then needs a name.
    private func attempt<Value>(
        _ relay: RelayURL, within deadline: Duration,
        _ body: (WebSocketTransport, Duration) async throws -> Value
    ) async throws -> Value {
        let start = ContinuousClock.now
        do { return try await body(strangers, deadline) } catch TransportFailure.privateAddress {
            guard await isNamed(relay) else { throw TransportFailure.privateAddress }
        }
        return try await body(sockets, max(deadline - (.now - start), .milliseconds(1)))
    }
}
