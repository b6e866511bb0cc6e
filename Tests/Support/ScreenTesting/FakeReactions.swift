public import NostrClient
public import NostrCore
public import NostrNIPs

/// Reactions and emoji that live in memory.
public actor FakeReactions: ReactionKeeping {
    private let author: FakeAuthor
    private var groups: [EventID: [ReactionGroup]] = [:]
    private var own = EmojiPalette()
    private var known: [EmojiPack] = []
    /// What was taken back, adopted and left, in order.
    public private(set) var acts: [String] = []

    /// Nobody reacted, and there are no packs.
    public init(_ author: FakeAuthor) { self.author = author }

    /// Puts reactions to a note there.
    public func put(_ groups: [ReactionGroup], to id: EventID) { self.groups[id] = groups }
    /// Puts what the account reacts with there.
    public func put(_ palette: EmojiPalette) { own = palette }
    /// Puts a pack there.
    public func put(_ pack: EmojiPack) { known.append(pack) }

    public func reactions(to id: EventID) -> [ReactionGroup] { groups[id] ?? [] }
    public func palette() -> EmojiPalette { own }
    public func ownEmoji() -> [CustomEmoji] { own.own }

    public func takeBack(_ content: String, from id: EventID) -> Event {
        acts.append("take back \(content) \(id.hex)")
        return author.event("", kind: 5, at: Timestamp(seconds: 1))
    }

    public func packs() -> EmojiPacks { EmojiPacks(adopted: known.filter(\.isAdopted)) }
    public func packsOfFollows() -> [EmojiPack] { known.filter { !$0.isAdopted } }
    public func pack(_ pointer: AddressPointer) -> EmojiPack? { known.first { $0.id == pointer.address } }

    public func setAdopted(_ pointer: AddressPointer, _ isAdopted: Bool) -> Event {
        acts.append((isAdopted ? "adopt " : "leave ") + pointer.address.identifier)
        for place in known.indices where known[place].id == pointer.address { known[place].isAdopted = isAdopted }
        return author.event("", kind: 10_030, at: Timestamp(seconds: 1))
    }
}
