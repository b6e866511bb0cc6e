internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Reactions by what they mean, and the emoji of an account: its list (kind 10030) and packs (kind 30030).
///
/// Reads from the store; packs that are not here are asked for, and the answer is awaited for seconds at most.
public final class Reactions: ReactionKeeping {
    /// More reactions to one thing are not read; the newest are.
    static let mostReactions = 2000
    /// So many of the account's own reactions say what it reacts with.
    static let recentReactions = 300
    /// So many different ones are offered again.
    static let mostRecent = 24
    /// So many packs of others are shown.
    static let mostFound = 100
    /// A page waits so long for packs that are not here.
    static let patience: Duration = .seconds(5)

    let context: AccountContext
    private let gossip: Gossip
    private let publishing: Publishing
    private let lists: Lists
    private let people: People
    private let mutes: MutesInForce

    init(
        _ context: AccountContext, gossip: Gossip, publishing: Publishing, lists: Lists, people: People,
        mutes: MutesInForce
    ) {
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        self.lists = lists
        self.people = people
        self.mutes = mutes
    }

    // MARK: Reactions

    public func reactions(to id: EventID) async throws -> [ReactionGroup] {
        try await gossip.load()
        let mutes = await mutes.upToDate()
        let address = try await context.store.query([Filter(ids: [id])]).first?.address
        var filters = [Filter(kinds: [Reaction.kind], tags: ["e": [id.hex]], limit: Self.mostReactions)]
        if let address {
            filters.append(
                Filter(kinds: [Reaction.kind], tags: ["a": [address.description]], limit: Self.mostReactions))
        }
        let events = try await context.store.query(filters)
        let elsewhere = try await context.store.answersElsewhere(among: events, than: id)
        let about = events.filter { !elsewhere.contains($0.id) }
        let lines = ReactionTally(about, to: id, at: address, without: mutes).ranked
        let (own, followed) = (context.publicKey, gossip.followed)
        let shown = lines.map { $0.named(own: own, followed: followed) }
        let persons = try await people.persons(Set(shown.joined()))
        return zip(lines, shown).map { line, keys in line.group(naming: keys, persons, own: own) }
    }

    public func takeBack(_ content: String, from id: EventID) async throws -> Event {
        try await publishing.unreact(to: id, with: content)
    }

    public func palette() async throws -> EmojiPalette {
        try await gossip.load()
        let own = try await OwnEmoji(context).all
        let filter = Filter(authors: [context.publicKey], kinds: [Reaction.kind], limit: Self.recentReactions)
        let meanings = try await context.store.query([filter]).compactMap { Reaction($0)?.meaning }
        let usable = Set(own.map(\.shortcode))
        let recent = meanings.filter { meaning in
            switch meaning {
            case .like, .dislike: false
            case .emoji(let text): text.count <= ReactionTally.longestContent && !text.hasPrefix(":")
            // Reacted with again, it is looked up by its name.
            case .customEmoji(let emoji): usable.contains(emoji.shortcode)
            }
        }
        return EmojiPalette(recent: Array(recent.uniqued().prefix(Self.mostRecent)), own: own)
    }

    public func ownEmoji() async throws -> [CustomEmoji] { try await OwnEmoji(context).all }

    // MARK: Packs

    public func packs() async throws -> EmojiPacks {
        try await gossip.load()
        var emoji = try await OwnEmoji(context)
        let here = Set(emoji.packs.map(\.address))
        var lacking: [EventAddress] = []
        for address in emoji.adopted where lacking.count < 20 && !here.contains(address) {
            if gossip.shouldAsk(.address(address)) { lacking.append(address) }
        }
        if !lacking.isEmpty {
            await gossip.ask(for: lacking.map { AddressPointer(address: $0) }, deadline: Self.patience)
            emoji = try await OwnEmoji(context)
        }
        let own = try await context.store.query([
            Filter(authors: [context.publicKey], kinds: [.emojiSets], limit: OwnEmoji.mostPacks)
        ]).compactMap(EmojiSet.init)
        let adopted = Set(emoji.adopted)
        let found = Set(emoji.packs.map(\.address))
        return EmojiPacks(
            loose: emoji.loose, adopted: try await packs(emoji.packs, adopted),
            missing: emoji.adopted.filter { !found.contains($0) },
            own: try await packs(own.filter { !adopted.contains($0.address) }, adopted))
    }

    public func packsOfFollows() async throws -> [EmojiPack] {
        try await gossip.load()
        let router = gossip.router
        let authors = gossip.followed
        guard !authors.isEmpty else { return [] }
        if gossip.shouldAsk(.packsOfFollows) {
            // Relays refuse more names in one question; others are drawn with the next.
            var random = context.random.generator
            let some = Array(authors.shuffled(using: &random).prefix(600))
            let filters = stride(from: 0, to: some.count, by: 150).map { start in
                Filter(authors: Set(some[start...].prefix(150)), kinds: [.emojiSets], limit: Self.mostFound)
            }
            let relays = Set(router.ownRead.prefix(4) + router.indexers.prefix(2)).sorted()
            await gossip.ask(gossip.requests(filters, of: relays), deadline: Self.patience)
        }
        let adopted = Set(try await OwnEmoji(context).adopted)
        let filter = Filter(authors: authors, kinds: [.emojiSets], limit: Self.mostFound)
        let muted = await mutes.upToDate()
        let events = try await context.store.query([filter]).filter { !muted.hides($0) }
        let sets = events.compactMap(EmojiSet.init).filter { !$0.emoji.isEmpty && !adopted.contains($0.address) }
        return try await packs(sets, adopted)
    }

    public func pack(_ pointer: AddressPointer) async throws -> EmojiPack? {
        try await gossip.load()
        let address = pointer.address
        guard address.kind == .emojiSets else { return nil }
        var found = try await OwnEmoji.packs(at: [address], in: context.store)
        if found.isEmpty, gossip.shouldAsk(.address(address)) {
            await gossip.ask(for: [pointer], deadline: Self.patience)
            found = try await OwnEmoji.packs(at: [address], in: context.store)
        }
        let adopted = Set(try await OwnEmoji(context).adopted)
        let muted = await mutes.upToDate()
        // Of people and words that are muted only what the account uses itself has a page.
        let shown = found.filter { set in
            adopted.contains(set.address)
                || muted.verdict(on: set.address.author, in: .timeline) == .shown
                    && !muted.hides(text: "\(set.title) \(set.about)")
        }
        return try await packs(shown, adopted).first
    }

    public func setAdopted(_ pointer: AddressPointer, _ isAdopted: Bool) async throws -> Event {
        guard pointer.address.kind == .emojiSets else { throw AccountError(.notAList, of: pointer.address.kind) }
        let item = ListItem.address(pointer)
        return try await lists.change(
            .emojiList, identifier: "", isAdopted ? .add(item, isPrivate: false) : .remove(item))
    }

    private func packs(_ sets: [EmojiSet], _ adopted: Set<EventAddress>) async throws -> [EmojiPack] {
        let authors = try await people.persons(Set(sets.map(\.address.author)))
        return sets.map { set in
            EmojiPack(
                set, author: authors[set.address.author] ?? Person(key: set.address.author),
                isAdopted: adopted.contains(set.address))
        }
    }
}
