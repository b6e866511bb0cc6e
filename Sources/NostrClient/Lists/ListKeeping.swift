public import NostrCore
public import NostrNIPs

/// The account's lists (NIP-51) and status (NIP-38), public and private parts together, as screens need them.
public protocol ListKeeping: Sendable {
    /// Every list there is, as the store knows it; private parts are opened when the account is unlocked.
    func lists() async throws -> [PersonalList]
    /// What lists of some kinds are called, without what stands on them; no signer is asked.
    func headings(of kinds: Set<Kind>) async throws -> [ListHeading]
    /// One list; an empty one when there is none yet.
    func list(_ kind: Kind, identifier: String) async throws -> PersonalList
    /// Changes a list: reads the newest version from enough relays, merges, and publishes.
    ///
    /// - Throws: ``AccountError`` with `newestUnknown`, `unreadable` or `wouldDrop`; nothing has changed then.
    func change(_ kind: Kind, identifier: String, _ edit: ListEdit) async throws -> Event
    /// Makes a new set (kinds 30000 and up); its identifier is made of its title.
    func makeSet(_ kind: Kind, title: String, summary: String) async throws -> Event
    /// Deletes a set (NIP-09, by address).
    func deleteSet(_ kind: Kind, identifier: String) async throws -> Event
    /// What the account does not want to see, from the mute list and whatever else mutes.
    func mutes() async -> Mutes
    /// Sets the status (kind 30315); an empty text clears it.
    func setStatus(_ text: String, link: String?, expires: Timestamp?) async throws -> Event
    /// Sets the status of a type (`general`, `music`); an empty text clears it.
    func setStatus(_ text: String, type: String, link: String?, expires: Timestamp?) async throws -> Event
}

extension ListKeeping {
    /// Sets the general status, whatever type was meant.
    public func setStatus(_ text: String, type: String, link: String?, expires: Timestamp?) async throws -> Event {
        try await setStatus(text, link: link, expires: expires)
    }
}

/// What a list is called.
public struct ListHeading: Hashable, Sendable {
    /// Where it is found.
    public let address: EventAddress
    /// Its title; empty for one without.
    public let title: String

    /// A list's name.
    public init(address: EventAddress, title: String) {
        self.address = address
        self.title = title
    }
}

extension ListKeeping {
    /// Read from the lists themselves.
    public func headings(of kinds: Set<Kind>) async throws -> [ListHeading] {
        try await lists().filter { kinds.contains($0.address.kind) }
            .map { ListHeading(address: $0.address, title: $0.title) }
    }
}
