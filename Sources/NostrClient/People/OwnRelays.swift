internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs

/// The account's own relay list; implemented by ``OwnRelays``.
public protocol OwnRelayKeeping: Sendable {
    /// Where the account writes and reads, and whether it has said so.
    func current() async throws -> OwnRelayList
    /// Sets what relays are for; an empty usage takes a relay out.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    func set(_ usages: [RelayURL: RelayList.Usage]) async throws -> Event
    /// Publishes where the account writes and reads, if it has never said so: those of the relays it uses anyway that
    /// others can reach.
    ///
    /// - Returns: the list; `nil` where there was one.
    /// - Throws: ``AccountError`` when relays do not say whether there is one, and
    ///   ``AccountError/Code/noPublicRelay`` when others can reach none of the relays in use.
    func begin() async throws -> Event?
}

/// Where an account writes and reads, as known here.
public struct OwnRelayList: Hashable, Sendable {
    /// The relays, in the order of the list.
    public var entries: [RelayList.Entry]
    /// Whether the account published this list; else these are the relays it uses without one.
    public var isPublished: Bool
    /// Those of them that others cannot reach: a first list does not begin with them, unless the person names them.
    public var unreachable: Set<RelayURL> = []

    /// A list of this moment.
    public init(entries: [RelayList.Entry], isPublished: Bool) {
        self.entries = entries
        self.isPublished = isPublished
    }
}

/// The account's own relay list (NIP-65).
public struct OwnRelays: OwnRelayKeeping {
    /// How many relays a first list names: NIP-65 advises two to four a side.
    private static let first = 3

    private let context: AccountContext
    private let gossip: Gossip
    private let replaceable: ReplaceableEvents
    private let publishing: Publishing

    init(_ context: AccountContext, gossip: Gossip, replaceable: ReplaceableEvents, publishing: Publishing) {
        self.context = context
        self.gossip = gossip
        self.replaceable = replaceable
        self.publishing = publishing
    }

    public func current() async throws -> OwnRelayList {
        try await gossip.load()
        let stored = try await context.storedVersion(at: context.ownAddress(RelayList.kind))
        if let entries = stored.flatMap(RelayList.init)?.entries {
            return OwnRelayList(entries: entries, isPublished: true)
        }
        let routing = context.configuration.routing
        var list = OwnRelayList(entries: Self.list(of: gossip.router.ownWrite).entries, isPublished: false)
        list.unreachable = Set(list.entries.map(\.relay).filter { !routing.othersReach($0) })
        return list
    }

    /// Those of the relays the account uses without a list that others can reach, as a list to publish.
    private var reachable: RelayList {
        Self.list(of: gossip.router.ownWrite.filter(context.configuration.routing.othersReach))
    }

    private static func list(of relays: [RelayURL]) -> RelayList {
        var list = RelayList()
        for relay in relays.prefix(first) { list.set(relay, .both) }
        return list
    }

    public func begin() async throws -> Event? {
        try await replaceable.change {
            if let newest = try await replaceable.newest(RelayList.kind) {
                _ = try await replaceable.adopt(newest)
                return nil
            }
            let list = reachable
            guard !list.entries.isEmpty else { throw AccountError(.noPublicRelay, of: RelayList.kind) }
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }

    public func set(_ usages: [RelayURL: RelayList.Usage]) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(RelayList.kind)
            // A first list begins with the relays that are used anyway and others can reach: naming one more must not drop
            // those.
            var list = newest.flatMap(RelayList.init) ?? reachable
            for (relay, usage) in usages.sorted(by: { $0.key < $1.key }) { list.set(relay, usage) }
            guard newest != nil || !list.entries.isEmpty else { throw AccountError(.noPublicRelay, of: RelayList.kind) }
            if let newest, list.difference.isEmpty { return try await replaceable.adopt(newest) }
            try replaceable.refuseLargeLoss(list.difference.loss, of: RelayList.kind)
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }
}
