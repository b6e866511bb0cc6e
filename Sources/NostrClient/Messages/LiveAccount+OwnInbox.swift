internal import Logging
public import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// One's own inbox list (kind 10050): without one, nobody knows where to write.
extension LiveAccount {
    /// NIP-17 asks for a small list.
    private static let inboxSize = 3

    public func setInbox(_ relays: [RelayURL]) async throws -> Event {
        try await changingLists.take {
            let newest = try await newest(.directMessageRelays, called: "list of inbox relays")
            return try await publishInbox(relays, replacing: newest)
        }
    }

    /// Publishes an inbox list when there is none, or none that can be used; tries until it knows.
    func tendInbox() async {
        guard configuration.tendsInbox else { return }
        var wait = Duration.seconds(2)
        while !Task.isCancelled {
            while sealed == nil, !Task.isCancelled {
                await unlocking.wait(atMost: configuration.housekeeping, time)
            }
            if await inboxIsInOrder() { return }
            await time.pause(wait)
            wait = min(wait * 2, .seconds(3600))
        }
    }

    /// Whether one's inbox list is known to be usable now.
    private func inboxIsInOrder() async -> Bool {
        if gossip.inbox.contains(where: isUsableInbox) { return true }
        do {
            return try await changingLists.take {
                let newest = try await newest(.directMessageRelays, called: "list of inbox relays")
                let listed = newest.flatMap(PublicList.init)?.relays ?? []
                if let newest, listed.contains(where: isUsableInbox) {
                    learn(from: newest)
                    return true
                }
                let chosen = await inboxCandidates()
                guard !chosen.isEmpty else { return false }
                _ = try await publishInbox(chosen, replacing: newest)
                return true
            }
        } catch {
            log.info("the inbox list could not be looked after", metadata: ["why": "\(error)"])
            return false
        }
    }

    /// Relays one reads from anyway; those that answer now come first.
    private func inboxCandidates() async -> [RelayURL] {
        let statistics = await context.network.statistics()
        let usable = router.ownRead.filter(isUsableInbox)
        let answering = usable.filter { statistics[$0]?.state == .connected }
        return Array((answering + usable.filter { !answering.contains($0) }).prefix(Self.inboxSize))
    }

    private func isUsableInbox(_ relay: RelayURL) -> Bool {
        !router.blocked.contains(relay) && !relay.isOnion
            && (!relay.isPrivate || configuration.routing.allowsPrivateRelays)
    }

    /// Replaces the relays of the list and leaves everything else on it as it is.
    private func publishInbox(_ relays: [RelayURL], replacing newest: Event?) async throws -> Event {
        var list = newest.flatMap(PublicList.init) ?? PublicList(kind: .directMessageRelays)
        for relay in list.relays where !relays.contains(relay) { list.remove(.relay(relay)) }
        for relay in relays { list.append(.relay(relay)) }
        if let newest, list.difference.isEmpty {
            learn(from: newest)
            return newest
        }
        return try await send(list.draft(now: time.now()))
    }
}
