package import NostrCore
package import NostrNIPs

/// What authors have asked to delete, so that an event stays away when it comes after its deletion.
///
/// A deletion keeps its force after the request itself has expired. Source: NIP-09.
package struct Deletions: Sendable {
    private var events: [PublicKey: Set<EventID>] = [:]
    private var addresses: [EventAddress: Timestamp] = [:]

    /// Nothing deleted.
    package init() {}

    /// Remembers a request.
    package mutating func record(_ request: DeletionRequest) {
        if !request.events.isEmpty {
            events[request.author, default: []].formUnion(request.events)
        }
        for address in request.addresses {
            addresses[address] = max(addresses[address] ?? request.createdAt, request.createdAt)
        }
    }

    /// Whether the author of an event has deleted it: by id, or by address up to the moment of a request.
    ///
    /// A deletion request is never deleted.
    package func cover(_ event: Event) -> Bool {
        guard event.kind != DeletionRequest.kind else { return false }
        if event.deleters.contains(where: { events[$0]?.contains(event.id) == true }) { return true }
        guard let address = event.address, let until = addresses[address] else { return false }
        return event.createdAt <= until
    }
}

extension Event {
    /// Who may delete an event by its id: its author, and for a gift wrap, whose author is a key used once, whoever it
    /// is for.
    ///
    /// Source: NIP-09; NIP-59, "Other Considerations".
    package var deleters: [PublicKey] {
        guard kind == 1_059 || kind == 21_059 else { return [pubkey] }
        return [pubkey] + tags.named("p").prefix(1).compactMap { $0.publicKey(at: 1) }
    }
}
