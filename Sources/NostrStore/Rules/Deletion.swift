package import NostrCore
package import NostrNIPs

/// What authors have asked to delete, so that an event stays away when it comes after its deletion.
///
/// A deletion keeps its force after the request itself has expired. Source: NIP-09.
package struct Deletions: Sendable {
    private var events: [PublicKey: Set<EventID>] = [:]
    private var addresses: [AddressKey: Timestamp] = [:]

    /// Nothing deleted.
    package init() {}

    /// Remembers a request.
    package mutating func record(_ request: DeletionRequest) {
        if !request.events.isEmpty {
            events[request.author, default: []].formUnion(request.events)
        }
        for address in request.addresses {
            let key = AddressKey(address)
            addresses[key] = max(addresses[key] ?? request.createdAt, request.createdAt)
        }
    }

    /// Whether the author of an event has deleted it: by id, or by address up to the moment of a request.
    ///
    /// A deletion request is never deleted.
    package func cover(_ event: Event) -> Bool {
        guard event.kind != DeletionRequest.kind else { return false }
        if events[event.pubkey]?.contains(event.id) == true { return true }
        guard let address = event.address, let until = addresses[AddressKey(address)] else { return false }
        return event.createdAt <= until
    }
}

/// An address whose identifier is compared byte by byte, as on the wire.
///
/// `String` would take canonically equivalent identifiers for the same one.
struct AddressKey: Hashable, Sendable {
    private let kind: Kind
    private let author: PublicKey
    private let identifier: [UInt8]

    init(_ address: EventAddress) {
        kind = address.kind
        author = address.author
        identifier = Array(address.identifier.utf8)
    }
}
