public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// People whose lists of follows name somebody, as far as those lists are here.
public struct Followers: Hashable, Sendable {
    /// Those the account follows first, of each sort whoever changed their list last.
    public var people: [Person]
    /// Whether more lists than were looked at name that person.
    public var hasMore: Bool

    /// What was found; nobody at first.
    public init(people: [Person] = [], hasMore: Bool = false) {
        (self.people, self.hasMore) = (people, hasMore)
    }
}

extension People {
    /// No more lists than these are looked at: each names thousands.
    package static let mostFollowLists = 300
    /// Roughly how much memory lists may take while they are looked at; unit: bytes.
    private static let listBytes = 2_000_000
    /// So many are read at once beyond that.
    private static let listsAtOnce = 10

    /// People who follow somebody, by what the store holds; relays are not asked.
    ///
    /// Muted people stand in no list.
    public func followers(of key: PublicKey) async throws -> Followers {
        try await gossip.load()
        _ = await mutes.upToDate()
        await names.load()
        let filter = Filter(kinds: [FollowList.kind], tags: ["p": [key.hex]])
        let found = try await context.store.answer([filter], bytes: Self.listBytes, most: Self.mostFollowLists + 1)
        var authors = found.events.map(\.pubkey)
        for ids in found.rest.chunked(by: Self.listsAtOnce) {
            authors += try await context.store.query([Filter(ids: Set(ids))]).map(\.pubkey)
        }
        let named = Array(authors.prefix(Self.mostFollowLists)).uniqued().filter { $0 != key }
        let profiles = try await knownProfiles(of: Set(named))
        let view = readingContext
        let persons = named.map { view.person($0, fields: profiles[$0] ?? [:]) }.filter { !$0.isMuted }
        return Followers(
            people: persons.filter(\.isFollowed) + persons.filter { !$0.isFollowed },
            hasMore: authors.count > Self.mostFollowLists)
    }
}
