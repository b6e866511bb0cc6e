public import NostrCore

/// How many relays routing may use, and which it falls back on.
public struct RoutingPolicy: Hashable, Sendable {
    /// Relays a read plan connects to at most.
    public var connections: Int
    /// Read relays of one mentioned person that get an event at most.
    public var inboxRelaysPerPerson: Int
    /// Read relays of all mentioned people together at most.
    public var inboxRelays: Int
    /// Own write relays that get an event at most.
    public var ownWriteRelays: Int
    /// Relays that hold kinds 0, 3 and 10002 of most people; also the last resort for authors without a list.
    public var indexers: [RelayURL]
    /// Where to write and read for an account that has no relay list yet.
    public var fallback: [RelayURL]
    /// Whether loopback and private addresses in other people's lists and hints are believed: only for a simulated
    /// network, since such an address would make this machine knock on its own neighbours.
    public var allowsPrivateRelays: Bool

    /// Whether a relay is one to begin with: a person named it, or the program did.
    package func names(_ relay: RelayURL) -> Bool { indexers.contains(relay) || fallback.contains(relay) }

    /// Whether others can reach a relay: what nobody chose is published of such ones only.
    ///
    /// An address of this machine or a private network leads others to nothing or to somebody else, and tells them how
    /// the network here is built; an onion service needs Tor. Where no relay to begin with is any other, the others are
    /// neighbours, and what is published stays among them.
    package func othersReach(_ relay: RelayURL) -> Bool {
        isOpen(relay) || names(relay) && !(indexers + fallback).contains(where: isOpen)
    }

    private func isOpen(_ relay: RelayURL) -> Bool { allowsPrivateRelays || !relay.isPrivate && !relay.isOnion }

    /// A policy; what is not said is the program's default.
    public init(
        connections: Int = 20, inboxRelaysPerPerson: Int = 3, inboxRelays: Int = 20,
        ownWriteRelays: Int = 10, indexers: [RelayURL] = [], fallback: [RelayURL] = [],
        allowsPrivateRelays: Bool = false
    ) {
        self.connections = max(connections, 1)
        self.inboxRelaysPerPerson = max(inboxRelaysPerPerson, 1)
        self.inboxRelays = max(inboxRelays, 0)
        self.ownWriteRelays = max(ownWriteRelays, 1)
        self.indexers = indexers
        self.fallback = fallback
        self.allowsPrivateRelays = allowsPrivateRelays
    }
}
