public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// A pack of emoji as a screen shows it.
public struct EmojiPackItem: Hashable, Sendable, Identifiable {
    /// Its address as others write it: `naddr1…`; `nil` where its identifier is too long for that.
    public let code: String?
    /// Its own identifier.
    public let identifier: String
    /// What it is called.
    public let title: String
    /// What it is about; may be empty.
    public let about: String
    /// Who made it.
    public let author: PersonItem
    /// Its emoji.
    public let emoji: [EmojiItem]
    /// Whether it is on the account's emoji list.
    public let isAdopted: Bool
    /// Whether the account made it.
    public let isOwn: Bool

    public var id: String { author.key.hex + identifier }

    init(_ pack: EmojiPack, own: PublicKey) {
        let address = pack.emojiSet.address
        code = packCode(AddressPointer(address: address))
        identifier = address.identifier
        let named = oneLine(pack.emojiSet.title, limit: 80)
        title = named.isEmpty ? EmojiPage.unnamed : named
        about = oneLine(pack.emojiSet.about, limit: 200)
        author = PersonItem(pack.author)
        emoji = pack.emojiSet.emoji.map(EmojiItem.init)
        isAdopted = pack.isAdopted
        isOwn = address.author == own
    }
}

/// A pack of emoji among notes: what it is, and where it can be adopted.
public struct EmojiPackCard: Hashable, Sendable {
    /// Its address as others write it.
    public let code: String
    /// What it is called.
    public let title: String
    /// Some of its emoji.
    public let emoji: [EmojiItem]
    /// How many it has.
    public let count: Int

    /// Reads an event; `nil` for one that is no pack, or whose address has no code.
    init?(_ event: Event) {
        guard let set = EmojiSet(event), let code = packCode(AddressPointer(address: set.address)) else { return nil }
        self.code = code
        let named = oneLine(set.title, limit: 80)
        title = named.isEmpty ? EmojiPage.unnamed : named
        emoji = set.emoji.prefix(24).map(EmojiItem.init)
        count = set.emoji.count
    }
}

/// The code of a pack's address; `nil` for an identifier that is too long.
private func packCode(_ pointer: AddressPointer) -> String? {
    // An address that has no code has no page; it is still listed.
    try? NostrEntity.naddr(pointer).encoded()
}

/// Reads the address of a pack: `naddr1…`, also after `nostr:`; `nil` for anything else.
private func packPointer(_ text: String) -> AddressPointer? {
    let code = text.hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
    guard case .naddr(let pointer)? = try? NostrEntity(code), pointer.address.kind == .emojiSets else { return nil }
    return pointer
}

/// The account's emoji: its packs, those it made, and packs of people it follows.
public struct EmojiPage: Equatable, Sendable {
    /// Emoji on the account's list itself.
    public private(set) var loose: [EmojiItem] = []
    /// Packs the account uses.
    public private(set) var adopted: [EmojiPackItem] = []
    /// Packs on the list that are not here, by their codes.
    public private(set) var missing: [String] = []
    /// Packs the account made and does not use.
    public private(set) var own: [EmojiPackItem] = []
    /// Packs of people the account follows; `nil` while they were not looked for.
    public private(set) var found: [EmojiPackItem]?

    static let unnamed = "A pack without a name"

    /// Reads them.
    ///
    /// - Parameter looks: whether packs of people the account follows are looked for.
    public static func load(looking looks: Bool, of account: any Account) async throws(Trouble) -> EmojiPage {
        let reactions = try reactionsOf(account)
        return try await troubled {
            let packs = try await reactions.packs()
            let own = account.publicKey
            var page = EmojiPage()
            page.loose = packs.loose.map(EmojiItem.init)
            page.adopted = packs.adopted.map { EmojiPackItem($0, own: own) }
            page.missing = packs.missing.compactMap { packCode(AddressPointer(address: $0)) }
            page.own = packs.own.map { EmojiPackItem($0, own: own) }
            if looks { page.found = try await reactions.packsOfFollows().map { EmojiPackItem($0, own: own) } }
            return page
        }
    }

    /// One pack by its code.
    ///
    /// - Throws: a ``Trouble`` when the text is no such code, or nobody asked has the pack.
    public static func pack(_ code: String, of account: any Account) async throws(Trouble) -> EmojiPackItem {
        guard let pointer = packPointer(code) else { throw Trouble(ReactionWords.noPack, canRetry: false) }
        let reactions = try reactionsOf(account)
        let found = try await troubled { try await reactions.pack(pointer) }
        guard let found else { throw Trouble(ReactionWords.packMissing) }
        return EmojiPackItem(found, own: account.publicKey)
    }

    /// Puts a pack on the account's emoji list, or takes it off; one that is on the list and not here can be taken off too.
    ///
    /// - Returns: what was done, in one sentence.
    public static func setAdopted(
        _ code: String, _ isAdopted: Bool, of account: any Account
    ) async throws(Trouble) -> String {
        guard let pointer = packPointer(code) else { throw Trouble(ReactionWords.noPack, canRetry: false) }
        let reactions = try reactionsOf(account)
        let pack = try await troubled { try await reactions.pack(pointer) }
        if isAdopted, pack == nil { throw Trouble(ReactionWords.packMissing) }
        try await troubled { _ = try await reactions.setAdopted(pointer, isAdopted) }
        let title = pack.map { EmojiPackItem($0, own: account.publicKey).title } ?? unnamed
        return isAdopted ? ReactionWords.adopted(title) : ReactionWords.left(title)
    }

    /// Makes a pack of the account's own, and uses it.
    ///
    /// - Returns: its identifier, by which its list is found.
    public static func makePack(
        title: String, about: String, of account: any Account
    ) async throws(Trouble) -> String {
        let title = oneLine(title, limit: 80)
        guard !title.isEmpty else { throw Trouble(ReactionWords.nameMissing) }
        let (lists, reactions) = (try openLists(account), try reactionsOf(account))
        return try await troubled {
            let made = try await lists.makeSet(.emojiSets, title: title, summary: oneLine(about, limit: 200))
            guard let address = made.address else { return "" }
            _ = try await reactions.setAdopted(AddressPointer(address: address), true)
            return address.identifier
        }
    }
}

/// What keeps the emoji of an account.
private func reactionsOf(_ account: any Account) throws(Trouble) -> any ReactionKeeping {
    guard let reactions = account.reactions else { throw Trouble(ReactionWords.notHere, canRetry: false) }
    return reactions
}
