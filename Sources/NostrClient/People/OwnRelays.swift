internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs

/// The account's own relay list (NIP-65).
public struct OwnRelays: Sendable {
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

    /// Sets what relays are for; an empty usage takes a relay out.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func set(_ usages: [RelayURL: RelayList.Usage]) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(RelayList.kind)
            var list = newest.flatMap(RelayList.init) ?? RelayList()
            for (relay, usage) in usages.sorted(by: { $0.key < $1.key }) { list.set(relay, usage) }
            if let newest, list.difference.isEmpty { return try await replaceable.adopt(newest) }
            try replaceable.refuseLargeLoss(list.difference.loss, of: RelayList.kind)
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }
}
