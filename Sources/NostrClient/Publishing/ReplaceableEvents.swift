internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// The account's own replaceable events: profile, follows, lists, settings.
///
/// Each is replaced whole, so the newest version is read from enough relays first; written back from an old version, a
/// list would undo what another device did since. One change goes after the other (`change(_:)`).
public final class ReplaceableEvents: Sendable {
    private let context: AccountContext
    private let gossip: Gossip
    private let publishing: Publishing
    let gate = SerialGate()
    private let novelty = Mutex<@Sendable () -> Bool>({ false })

    init(_ context: AccountContext, gossip: Gossip, publishing: Publishing) {
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
    }

    /// Sets how it is found out whether the key is so new that nobody else can have written with it: what lies here is the
    /// newest then, and no relay is asked.
    func keyIsNew(_ isNew: @escaping @Sendable () -> Bool) {
        novelty.withLock { $0 = isNew }
    }

    /// Whether the key is so new that nobody else can have written with it.
    var isKeyNew: Bool { novelty.withLock { $0 }() }

    /// Makes one change after the other: reads, thinks and publishes without another change coming between.
    package func change<R>(_ body: () async throws -> R) async rethrows -> R {
        try await gate.run(body)
    }

    /// The version in force of one of the account's own addresses, asked from its relays now; `nil` when all agree that
    /// there is none.
    ///
    /// - Throws: ``AccountError`` when too few relays answer, or for somebody else's address.
    public func inForce(_ address: EventAddress) async throws -> Event? {
        guard address.author == context.publicKey else { throw AccountError.unknownEvent }
        return try await newest(at: address)
    }

    /// The newest version that is here.
    public func known(_ address: EventAddress) async -> Event? {
        // A store that cannot be read knows of none.
        try? await context.storedVersion(at: address)
    }

    /// Those of some events that are here.
    public func known(_ ids: [EventID]) async -> [Event] {
        // As above.
        ids.isEmpty ? [] : (try? await context.store.query([Filter(ids: Set(ids))])) ?? []
    }

    /// The newest version of the account's own replaceable event, from enough relays; `nil` when all agree that there is
    /// none.
    package func newest(_ kind: Kind) async throws -> Event? {
        try await newest(at: context.ownAddress(kind))
    }

    /// The newest version of the account's own replaceable or addressable event, from enough relays; `nil` when all agree
    /// that there is none.
    ///
    /// Every version that comes is kept, so that none is lost by what is published next.
    package func newest(at address: EventAddress) async throws -> Event? {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        try await gossip.load()
        let stored = try await context.storedVersion(at: address)
        if isKeyNew { return stored }
        let router = gossip.router
        var newest = NewestVersion(
            own: Array(router.ownWrite.prefix(6)), others: router.indexers, stored: stored, address: address)
        // Another device may have moved to other relays: where the account writes is asked along.
        let filters = [address.filter, context.ownAddress(RelayList.kind).filter].uniqued()
        try await ask(newest.asked, filters, &newest)
        let elsewhere = newest.learn(own: Array(gossip.router.ownWrite.prefix(6)))
        try await ask(elsewhere, [address.filter], &newest)
        newest.gone = gossip.silent.gone(among: newest.asked)
        guard newest.isCertain(knowsRelays: gossip.router.lists[context.publicKey] != nil) else {
            throw newest.failure(of: address.kind)
        }
        return newest.event
    }

    /// Keeps a version that already says what was wanted, and so needs no new one.
    package func adopt(_ event: Event) async throws -> Event {
        try await publishing.adopt(event)
        return event
    }

    /// Stops a change that would take out more entries at once than a person means to.
    package func refuseLargeLoss(_ lost: Int, of kind: Kind) throws {
        guard lost > context.configuration.mostDroppedEntries else { return }
        throw AccountError(.wouldDrop, of: kind, count: lost)
    }

    private func ask(_ relays: Set<RelayURL>, _ filters: [Filter], _ newest: inout NewestVersion) async throws {
        let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, filters) })
        let updates = await gossip.collect(requests, deadline: context.configuration.deadlines.discovery)
        try await gossip.noteSilence(of: relays, after: updates)
        for update in updates {
            newest.receive(update)
            guard case .events(let events, let relay) = update else { continue }
            _ = try await context.store.save(events, from: relay)
            for event in events where event.kind == RelayList.kind && event.pubkey == context.publicKey {
                try await gossip.learnRelayLists(of: [context.publicKey])
            }
        }
    }
}
