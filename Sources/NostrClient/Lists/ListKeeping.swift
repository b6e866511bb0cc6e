public import NostrCore
public import NostrNIPs

/// One's own lists (NIP-51), drafts (NIP-37) and status (NIP-38), public and private parts together.
public protocol ListKeeping: Sendable {
    /// Every list one has, as the store knows it; private parts are opened when the account is unlocked.
    func lists() async throws -> [PersonalList]
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

    /// What one does not want to see, from the mute list and whatever else mutes.
    func mutes() async -> Mutes

    /// One's drafts, the one written last first.
    func drafts() async throws -> [NoteDraft]
    /// Keeps a draft here, encrypted, and on the relays for private content (kind 10013).
    ///
    /// - Parameter id: the draft it replaces; `nil` for a new one.
    func saveDraft(_ composition: Composition, id: String?) async throws -> NoteDraft
    /// Deletes a draft everywhere.
    func deleteDraft(_ id: String) async throws

    /// Sets one's status (kind 30315); an empty text clears it.
    func setStatus(_ text: String, link: String?, expires: Timestamp?) async throws -> Event
}

/// One change of a list.
public enum ListEdit: Hashable, Sendable {
    /// Puts a thing on the list; one that is there already moves when the other part is asked for.
    case add(ListItem, isPrivate: Bool)
    /// Takes a thing off, from both parts.
    case remove(ListItem)
    /// Names a set.
    case rename(title: String, summary: String)
}

/// A list with both its parts.
public struct PersonalList: Hashable, Sendable, Identifiable {
    /// Whether the private part could be read.
    public enum PrivatePart: Hashable, Sendable {
        /// There is none.
        case none
        /// It is open.
        case open
        /// The key is locked.
        case locked
        /// It cannot be decrypted or is not a list of tags: the list is not changed until it can.
        case unreadable
    }

    /// Where it is found; the identifier is empty for kinds of which a person has one.
    public var address: EventAddress
    /// Its title, for sets.
    public var title: String
    /// What it is about, for sets.
    public var summary: String
    /// What everybody can see, in order.
    public var publicItems: [ListItem]
    /// What only its owner can see, in order.
    public var privateItems: [ListItem]
    /// Whether the private part could be read.
    public var privatePart: PrivatePart
    /// How many entries there are that Linnet does not understand; they stay as they are.
    public var unknownEntries: Int
    /// When it was last changed; `nil` for one that does not exist yet.
    public var changedAt: Timestamp?

    public var id: EventAddress { address }

    /// An empty list.
    public init(address: EventAddress) {
        self.address = address
        title = ""
        summary = ""
        publicItems = []
        privateItems = []
        privatePart = .none
        unknownEntries = 0
    }
}

/// A note that is not published yet.
public struct NoteDraft: Hashable, Sendable, Identifiable {
    /// Its identifier (`d`).
    public var id: String
    /// What was written.
    public var composition: Composition
    /// When it was last changed.
    public var changedAt: Timestamp
    /// When relays may drop it (NIP-40).
    public var expires: Timestamp?
    /// Whether Linnet can take it up again: a note; `false` for a draft of another kind, which is only shown.
    public var isEditable: Bool

    /// Takes all.
    public init(id: String, composition: Composition, changedAt: Timestamp, expires: Timestamp?, isEditable: Bool) {
        self.id = id
        self.composition = composition
        self.changedAt = changedAt
        self.expires = expires
        self.isEditable = isEditable
    }
}
