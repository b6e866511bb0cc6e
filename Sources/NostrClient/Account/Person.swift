public import NostrCore
public import NostrNIPs

/// A person, as far as known.
public struct Person: Hashable, Sendable, Identifiable {
    /// Who it is; the rest is only what they call themselves.
    public var key: PublicKey
    /// The fields of the newest kind 0, by their names on the wire (`name`, `about`, `picture` …).
    public var fields: [String: String]
    /// The custom emoji their name and description use (NIP-30); read for their own page alone.
    public var emoji: [CustomEmoji]
    /// The name they claim at a domain, and whether the domain says the same; `nil` where they claim none.
    public var address: NostrAddress?
    /// Whether the account follows this person.
    public var isFollowed: Bool
    /// Whether the account has muted this person.
    public var isMuted: Bool
    /// The person's own follows, where known.
    public var followingCount: Int?
    /// Relays of the person's NIP-65 list.
    public var writeRelays: [RelayURL], readRelays: [RelayURL]

    public var id: PublicKey { key }

    /// A person of whom only the key is known.
    public init(key: PublicKey, fields: [String: String] = [:], isFollowed: Bool = false) {
        self.key = key
        self.fields = fields
        self.isFollowed = isFollowed
        emoji = []
        address = nil
        isMuted = false
        followingCount = nil
        writeRelays = []
        readRelays = []
    }
}
