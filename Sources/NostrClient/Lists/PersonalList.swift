public import NostrCore
public import NostrNIPs

/// One change of a list.
public enum ListEdit: Hashable, Sendable {
    /// Puts a thing on the list; one that is there already moves when the other part is asked for.
    case add(ListItem, isPrivate: Bool)
    /// Takes a thing off, from both parts.
    case remove(ListItem)
    /// Names a set.
    case rename(title: String, summary: String)

    /// The same for a list that others must not see any of: relays for private content stand in the private part alone
    /// (NIP-37).
    func fitting(_ kind: Kind) -> ListEdit {
        if kind == .privateRelays, case .add(let item, _) = self { .add(item, isPrivate: true) } else { self }
    }
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
