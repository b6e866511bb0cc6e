public import NostrCore
public import NostrNIPs

/// Reactions to one thing that mean the same, and who reacted so.
public struct ReactionGroup: Hashable, Sendable {
    /// What they mean.
    public var meaning: Reaction.Meaning
    /// The text all of them carry, as it is sent again; `+` for a like.
    public var content: String
    /// How many people reacted so; more than ``people`` where they are very many.
    public var count: Int
    /// Who, people the account follows first; at most ``mostPeople``.
    public var people: [Person]
    /// Whether the account is one of them.
    public var isOwn: Bool

    /// So many people are named for one group.
    public static let mostPeople = 50

    /// A group that is known already.
    public init(meaning: Reaction.Meaning, content: String, count: Int, people: [Person], isOwn: Bool) {
        self.meaning = meaning
        self.content = content
        self.count = count
        self.people = people
        self.isOwn = isOwn
    }
}

/// What an account reacts with.
public struct EmojiPalette: Hashable, Sendable {
    /// What it reacted with last, the newest first, each once; a like and a dislike are not among them.
    public var recent: [Reaction.Meaning]
    /// Its own emoji and those of its packs, each shortcode once.
    public var own: [CustomEmoji]

    /// A palette; nothing of it is looked up.
    public init(recent: [Reaction.Meaning] = [], own: [CustomEmoji] = []) {
        self.recent = recent
        self.own = own
    }
}

/// A pack of emoji as an account sees it.
public struct EmojiPack: Hashable, Sendable, Identifiable {
    /// The pack.
    public var emojiSet: EmojiSet
    /// Who made it.
    public var author: Person
    /// Whether it is on the account's emoji list.
    public var isAdopted: Bool

    public var id: EventAddress { emojiSet.address }

    /// A pack that is known already.
    public init(_ emojiSet: EmojiSet, author: Person, isAdopted: Bool) {
        self.emojiSet = emojiSet
        self.author = author
        self.isAdopted = isAdopted
    }
}

/// The packs an account uses, and those it could.
public struct EmojiPacks: Hashable, Sendable {
    /// Emoji on the account's list itself.
    public var loose: [CustomEmoji]
    /// Packs it adopted, in the order of its list.
    public var adopted: [EmojiPack]
    /// Packs on its list that no relay asked had.
    public var missing: [EventAddress]
    /// Packs it made and did not adopt.
    public var own: [EmojiPack]

    /// Packs that are known already.
    public init(
        loose: [CustomEmoji] = [], adopted: [EmojiPack] = [], missing: [EventAddress] = [], own: [EmojiPack] = []
    ) {
        self.loose = loose
        self.adopted = adopted
        self.missing = missing
        self.own = own
    }
}

/// Reactions (NIP-25) by what they mean, and the emoji (NIP-30) of an account; implemented by ``Reactions``.
public protocol ReactionKeeping: Sendable {
    /// Who reacted to something, grouped by what they mean, the largest group first; from the store.
    func reactions(to id: EventID) async throws -> [ReactionGroup]
    /// The account's own emoji and those of its packs, each shortcode once; from the store.
    func ownEmoji() async throws -> [CustomEmoji]
    /// What the account reacted with before, and its own emoji; from the store.
    func palette() async throws -> EmojiPalette
    /// Takes back one reaction of the account's own (NIP-09).
    ///
    /// - Throws: ``AccountError`` of the code `unknownEvent` where there is none.
    func takeBack(_ content: String, from id: EventID) async throws -> Event
    /// The account's packs; asks relays for those that are not here.
    func packs() async throws -> EmojiPacks
    /// Packs of people the account follows that it did not adopt; asks its relays now and then.
    func packsOfFollows() async throws -> [EmojiPack]
    /// One pack; asks relays when it is not here. `nil` when nobody asked has it.
    func pack(_ pointer: AddressPointer) async throws -> EmojiPack?
    /// Puts a pack on the account's emoji list (kind 10030), in public, or takes it off.
    func setAdopted(_ pointer: AddressPointer, _ isAdopted: Bool) async throws -> Event
}
