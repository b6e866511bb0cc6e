public import NostrCore

/// A person and where to look for them.
///
/// Source: NIP-19 (`nprofile`), NIP-01 (`p` tags).
public struct ProfilePointer: Hashable, Sendable {
    /// The person.
    public var key: PublicKey
    /// Relays that are likely to know them.
    public var relays: [RelayURL]

    /// A pointer to a person; relays are hints, and may be wrong.
    public init(key: PublicKey, relays: [RelayURL] = []) {
        self.key = key
        self.relays = relays
    }

    /// Reads `[_, key, relay?]`.
    public init?(tag: Tag) {
        guard let key = tag.publicKey(at: 1) else { return nil }
        self.init(key: key, relays: tag.relay(at: 2).map { [$0] } ?? [])
    }
}

/// An event and where to look for it.
///
/// Source: NIP-19 (`nevent`), NIP-01 (`e` tags), NIP-18 (`q` tags).
public struct EventPointer: Hashable, Sendable {
    /// The event.
    public var id: EventID
    /// Relays that are likely to have it.
    public var relays: [RelayURL]
    /// Who wrote it, as somebody claims.
    public var author: PublicKey?
    /// What it is, as somebody claims.
    public var kind: Kind?

    /// A pointer to an event; all but the id are hints, and may be wrong.
    public init(id: EventID, relays: [RelayURL] = [], author: PublicKey? = nil, kind: Kind? = nil) {
        self.id = id
        self.relays = relays
        self.author = author
        self.kind = kind
    }

    /// Points at an event that is here.
    public init(_ event: Event, relays: [RelayURL] = []) {
        self.init(id: event.id, relays: relays, author: event.pubkey, kind: event.kind)
    }

    /// Reads `[_, id, relay?, key?]`, as `e` tags outside of kind 1 and `q` tags are written.
    public init?(tag: Tag) {
        guard let id = tag.eventID(at: 1) else { return nil }
        self.init(id: id, relays: tag.relay(at: 2).map { [$0] } ?? [], author: tag.publicKey(at: 3))
    }

    /// Writes `[name, id, relay, key]`, without trailing empty elements.
    public func tag(_ name: String) -> Tag {
        Tag(trimming: [name, id.hex, relays.first?.text ?? "", author?.hex ?? ""])
    }
}

/// An event address and where to look for it.
///
/// Source: NIP-19 (`naddr`), NIP-01 (`a` tags).
public struct AddressPointer: Hashable, Sendable {
    /// The address.
    public var address: EventAddress
    /// Relays that are likely to have it.
    public var relays: [RelayURL]

    /// A pointer to an address, at which the newest version counts; relays are hints, and may be wrong.
    public init(address: EventAddress, relays: [RelayURL] = []) {
        self.address = address
        self.relays = relays
    }

    /// Reads `[_, address, relay?]`.
    public init?(tag: Tag) {
        guard let address = tag.address(at: 1) else { return nil }
        self.init(address: address, relays: tag.relay(at: 2).map { [$0] } ?? [])
    }

    /// Writes `[name, address, relay]`, without trailing empty elements.
    public func tag(_ name: String) -> Tag {
        Tag(trimming: [name, address.description, relays.first?.text ?? ""])
    }
}
