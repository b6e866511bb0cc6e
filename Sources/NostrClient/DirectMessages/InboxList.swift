internal import AsyncPrimitives
internal import Logging
public import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// The account's own inbox list (kind 10050): without one, nobody knows where to write.
public struct InboxList: Sendable {
    /// NIP-17 asks for a small list.
    private static let size = 3

    private let context: AccountContext
    private let gossip: Gossip
    private let publishing: Publishing
    private let replaceable: ReplaceableEvents

    init(_ context: AccountContext, gossip: Gossip, publishing: Publishing, replaceable: ReplaceableEvents) {
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        self.replaceable = replaceable
    }

    /// Publishes where the account wants private messages.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func set(_ relays: [RelayURL]) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(.directMessageRelays)
            return try await publish(relays, replacing: newest)
        }
    }

    /// Publishes a list when there is none, or none that can be used; tries until it knows, and at once when the
    /// account's relays change: with others there may be one to name.
    func tend() async {
        guard context.configuration.tendsInbox else { return }
        let changed = Doorbell()
        gossip.ring(changed)
        defer { gossip.ringNoMore(changed) }
        var wait = Duration.seconds(2)
        // Whoever is new chooses first.
        while replaceable.isKeyNew, !Task.isCancelled { await context.time.pause(for: wait) }
        while !Task.isCancelled {
            if await isInOrder() { return }
            await changed.wait(atMost: wait, on: context.time.clock)
            wait = min(wait * 2, .seconds(3600))
        }
    }

    /// Whether the list is known to be usable now.
    private func isInOrder() async -> Bool {
        if gossip.inbox.contains(where: isUsable) { return true }
        do {
            return try await replaceable.change {
                if replaceable.isKeyNew { return false }
                let newest = try await replaceable.newest(.directMessageRelays)
                let listed = newest.flatMap(PublicList.init)?.relays ?? []
                if let newest, listed.contains(where: isUsable) {
                    gossip.learn(from: newest)
                    return true
                }
                let chosen = await candidates()
                guard !chosen.isEmpty else { return false }
                _ = try await publish(chosen, replacing: newest)
                return true
            }
        } catch {
            context.log.info("the inbox list could not be looked after", metadata: ["why": "\(error)"])
            return false
        }
    }

    /// Relays the account reads from anyway; those that answer now come first.
    ///
    /// One that others cannot reach is among them only where the account's own relay list names it already.
    private func candidates() async -> [RelayURL] {
        let statistics = await context.network.statistics()
        let (router, routing) = (gossip.router, context.configuration.routing)
        let listed = router.lists[context.publicKey]?.read ?? []
        let usable = router.ownRead.filter { isUsable($0) && (routing.othersReach($0) || listed.contains($0)) }
        let answering = usable.filter { statistics[$0]?.state == .connected }
        return Array((answering + usable.filter { !answering.contains($0) }).prefix(Self.size))
    }

    private func isUsable(_ relay: RelayURL) -> Bool {
        let routing = context.configuration.routing
        return !gossip.router.blocked.contains(relay) && !relay.isOnion
            && (!relay.isPrivate || routing.allowsPrivateRelays || routing.names(relay))
    }

    /// Replaces the relays of the list and leaves everything else on it as it is.
    private func publish(_ relays: [RelayURL], replacing newest: Event?) async throws -> Event {
        var list = newest.flatMap(PublicList.init) ?? PublicList(kind: .directMessageRelays)
        for relay in list.relays where !relays.contains(relay) { list.remove(.relay(relay)) }
        for relay in relays { list.append(.relay(relay)) }
        if let newest, list.difference.isEmpty {
            gossip.learn(from: newest)
            return newest
        }
        return try await publishing.send(list.draft(now: context.time.now()))
    }
}
