internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

// What has become services, for what has not yet. It goes when nothing is left that uses it.
extension LiveAccount {
    nonisolated var store: any EventStore { context.store }
    nonisolated var records: any RecordStore { context.records }
    nonisolated var versions: (any VersionStore)? { context.versions }
    nonisolated var context: AccountContext { services.context }
    nonisolated var gossip: Gossip { services.gossip }
    nonisolated var replaceable: ReplaceableEvents { services.replaceable }
    nonisolated var ownMutes: Mutes { services.mutes.current }
    nonisolated var configuration: AccountConfiguration { context.configuration }
    nonisolated var time: AccountTime { context.time }
    nonisolated var log: Logger { context.log }
    nonisolated var feed: ChangeFeed { context.changes }

    nonisolated var router: RelayRouter { gossip.router }
    nonisolated var followed: Set<PublicKey> { gossip.followed }
    nonisolated var homeAuthors: Set<PublicKey> { gossip.homeAuthors }
    nonisolated var privateRelays: [RelayURL] { gossip.privateRelays }

    /// The vault's records; `nil` while the account is locked, or the vault cannot be read.
    nonisolated var sealed: SealedRecords? { lifetime.current?.context.sealed }
    nonisolated var vault: VaultState { lifetime.vault }
    nonisolated var vaultGeneration: Int { lifetime.locks }
    nonisolated var changingLists: Turns { replaceable.gate }

    nonisolated func report(_ what: String, _ error: any Error) { context.report(what, error) }
    nonisolated func draw() -> Double { context.random.fraction() }
    nonisolated func drawBytes(_ count: Int) -> [UInt8] { context.random.bytes(count) }
    nonisolated func ownAddress(_ kind: Kind, _ identifier: String) -> EventAddress {
        context.ownAddress(kind, identifier)
    }
    nonisolated func storedVersion(at address: EventAddress) async throws -> Event? {
        try await context.storedVersion(at: address)
    }

    /// A seal to sign, its date moved into the past two days.
    nonisolated func sealDraft(_ payload: String, now: Timestamp, expiration: Timestamp?) -> EventDraft {
        var random = context.random.generator
        return Seal.draft(payload, now: now, expiration: expiration, using: &random)
    }

    /// A seal in its wrap, under a key that is drawn for it and forgotten.
    nonisolated func wrapped(
        _ seal: Event, for recipient: PublicKey, now: Timestamp, expiration: Timestamp?
    ) throws(PayloadError) -> Event {
        var random = context.random.generator
        return try GiftWrap.wrap(seal, for: recipient, now: now, expiration: expiration, using: &random)
    }

    @discardableResult
    nonisolated func learn(from event: Event) -> Bool { gossip.learn(from: event) }
    nonisolated func learnRelayLists(of keys: Set<PublicKey>) async throws {
        try await gossip.learnRelayLists(of: keys)
    }
    nonisolated func discover(_ keys: Set<PublicKey>) async { await gossip.discover(keys) }
    nonisolated func fetch(
        _ requests: [RelayURL: [Filter]], deadline: Duration, _ take: @escaping @Sendable (FetchUpdate) async -> Void
    ) async {
        await gossip.fetch(requests, deadline: deadline, take)
    }
    nonisolated func collect(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> [FetchUpdate] {
        await gossip.collect(requests, deadline: deadline)
    }
    nonisolated func ask(_ requests: [RelayURL: [Filter]], deadline: Duration) async {
        await gossip.ask(requests, deadline: deadline)
    }
    nonisolated func publish(_ offer: PublishQueue.Offer, deadline: Duration) async -> PublishOutcome {
        await gossip.offer(offer.event, to: offer.relay, deadline: deadline)
    }
    nonisolated func requests(_ filters: [Filter], of relays: [RelayURL]) -> [RelayURL: [Filter]] {
        gossip.requests(filters, of: relays)
    }

    nonisolated func send(
        _ draft: EventDraft, holders: Set<RelayURL> = [], only relays: [RelayURL]? = nil
    ) async throws -> Event {
        try await services.publishing.send(draft, holders: holders, only: relays)
    }
    nonisolated func enqueue(
        _ event: Event, holders: Set<RelayURL> = [], only relays: [RelayURL]? = nil
    ) async throws {
        try await services.publishing.enqueue(event, holders: holders, only: relays)
    }
    nonisolated func sendDeletion(of events: [Event], only relays: [RelayURL]? = nil) async throws -> Event {
        try await services.publishing.sendDeletion(of: events, only: relays)
    }
    nonisolated func adopt(_ event: Event) async throws -> Event { try await replaceable.adopt(event) }
    nonisolated func newest(_ kind: Kind, called name: String) async throws -> Event? {
        try await replaceable.newest(kind, called: name)
    }
    nonisolated func newest(at address: EventAddress, called name: String) async throws -> Event? {
        try await replaceable.newest(at: address, called: name)
    }
    nonisolated func refuseLargeLoss(_ lost: Int, of name: String) throws {
        try replaceable.refuseLargeLoss(lost, of: name)
    }
}
