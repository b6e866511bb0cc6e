internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs

/// Whom the account follows (NIP-02).
public struct Follows: Sendable {
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

    /// Follows people in one change, in their order.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    package func follow(_ people: [PublicKey]) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(FollowList.kind)
            var list = newest.flatMap(FollowList.init) ?? FollowList()
            for key in people { list.follow(key, relay: hint(of: key)) }
            if let newest, list.difference.isEmpty { return try await replaceable.adopt(newest) }
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }

    private func hint(of key: PublicKey) -> RelayURL? { gossip.router.lists[key]?.write.first { !$0.isPrivate } }

    /// Follows or unfollows: reads the newest list, changes it, writes it back whole.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func set(_ key: PublicKey, _ following: Bool) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(FollowList.kind)
            var list = newest.flatMap(FollowList.init) ?? FollowList()
            if following {
                list.follow(key, relay: hint(of: key))
            } else {
                list.unfollow(key)
            }
            if let newest, list.difference.isEmpty { return try await replaceable.adopt(newest) }
            try replaceable.refuseLargeLoss(list.difference.loss, of: FollowList.kind)
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }
}

extension ListDifference {
    /// How many entries fewer there are.
    var loss: Int { dropped.count - added.count }
}
