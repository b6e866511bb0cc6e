internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Where drafts go.
extension Drafts {
    /// The most relays that are searched beside the account's own.
    static let mostSearched = 12

    /// Where drafts go, and where they are looked for.
    public func relays() async throws -> DraftRelays {
        try await unlocked.publishing.load()
        await lists.readInForce()
        let choice = try await choice()
        let kept = unlocked.gossip.privateRelays
        var relays = DraftRelays(
            kept: kept, offered: kept.isEmpty ? await offered() : [], isDeclined: choice.staysHere,
            searched: choice.searched ?? context.configuration.draftRelays)
        let typed = choice.searched ?? []
        relays.unreached = unreached.filter { typed.contains($0.key) }
        return relays
    }

    /// Puts relays on the list for private content (kind 10013), in its private part; drafts that are here go there.
    ///
    /// - Throws: ``AccountError``; what was put on the list before stays there.
    public func keep(on relays: [RelayURL]) async throws {
        for relay in relays {
            _ = try await lists.change(.privateRelays, identifier: "", .add(.relay(relay), isPrivate: true))
        }
        try await change { $0.staysHere = false }
        await lists.didChange()
        await lists.readInForce()
        try await publishKept()
    }

    /// Leaves drafts on this machine, and asks no more.
    public func keepHere() async throws { try await change { $0.staysHere = true } }

    /// Says which relays are searched for drafts beside the account's own; none is an answer too.
    ///
    /// Whoever says so typed them: they may be in a private network. Those that did not answer before are asked again.
    public func search(_ relays: [RelayURL]) async throws {
        let chosen = Array(relays.uniqued().prefix(Self.mostSearched))
        unlocked.gossip.use(typed: Set(chosen), for: .drafts)
        try await change { $0.searched = chosen }
        forgetUnreached()
        relaysChanged.ring()
    }

    /// Relays the account writes on that know who reads: on others everybody sees when a person writes.
    private func offered() async -> [RelayURL] {
        let statistics = await context.network.statistics()
        return unlocked.gossip.router.ownWrite.filter { statistics[$0]?.authenticates == true }
    }

    func choice() async throws -> DraftRelayChoice {
        let record = try await context.records.value(DraftRelayChoice.key, in: DraftRelayChoice.table)
        return record.flatMap(DraftRelayChoice.init(record:)) ?? DraftRelayChoice()
    }

    private func change(_ body: (inout DraftRelayChoice) -> Void) async throws {
        var choice = try await choice()
        body(&choice)
        try await context.records.put(choice.record, for: DraftRelayChoice.key, in: DraftRelayChoice.table)
        context.changes.send(.lists)
    }
}
