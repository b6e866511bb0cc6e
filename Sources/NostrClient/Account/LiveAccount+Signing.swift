public import NostrCore
public import NostrNIPs
internal import NostrStore

// What a signer asks, which signs for other apps what this account publishes.
extension LiveAccount {
    /// One of the account's own events in force, as enough relays have it.
    public struct VersionInForce: Hashable, Sendable {
        /// The event; `nil` when all agree that there is none.
        public var event: Event?
    }

    /// The version in force of one of the account's own addresses, asked from its relays now.
    ///
    /// - Throws: ``AccountError`` when too few relays answer.
    public func versionInForce(_ address: EventAddress) async throws -> VersionInForce {
        guard address.author == publicKey else { throw AccountError.unknownEvent }
        return VersionInForce(event: try await newest(at: address, called: address.kind.listName))
    }

    /// The newest version that is here.
    public func knownVersion(_ address: EventAddress) async -> Event? {
        // A store that cannot be read knows of none.
        try? await storedVersion(at: address)
    }

    /// Those of some events that are here.
    public func knownEvents(_ ids: [EventID]) async -> [Event] {
        // As above.
        ids.isEmpty ? [] : (try? await store.query([Filter(ids: Set(ids))])) ?? []
    }

    /// Queues an event of the account that was signed elsewhere, for the relays where the account publishes.
    ///
    /// - Throws: ``AccountError`` for somebody else's event, or why it could not be kept.
    public func publish(signed event: Event) async throws {
        guard event.pubkey == publicKey else { throw AccountError.notOwn }
        try await load()
        try await enqueue(event)
    }
}
