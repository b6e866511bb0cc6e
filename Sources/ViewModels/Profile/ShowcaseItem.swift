public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What a person shows on their page beside their notes.
public struct ShowcaseItem: Hashable, Sendable {
    /// What somebody is doing now (NIP-38).
    public struct Status: Hashable, Sendable {
        /// Whether it is about what they listen to.
        public let isMusic: Bool
        /// What they say, in one line, with its emoji.
        public let parts: [ContentPart]
        /// Where it leads, `http` or `https`.
        public let link: String?
        /// When it stops being true; `nil` where it does not say.
        public let until: Timestamp?
    }

    /// A list that everybody can read.
    public struct List: Hashable, Sendable {
        /// What it is called.
        public let title: String
        /// What kind of list it is.
        public let sort: String
        /// What it is about; empty for nothing.
        public let summary: String
        /// How much is on it.
        public let count: Int
        /// What is on it that can be said in a word: topics and relays; at most ``mostNamed``.
        public let names: [String]
        /// The feed it can be read as; `nil` for one that is none.
        public let feed: FeedChoice?
    }

    /// What they are doing now.
    public let statuses: [Status]
    /// Notes they pinned.
    public let pinned: [NoteItem]
    /// Lists that everybody can read.
    public let lists: [List]

    /// How many things of a list are named.
    public static let mostNamed = 12

    /// Nothing.
    public static let empty = ShowcaseItem(PersonShowcase(), own: nil)

    /// Reads what a screen needs.
    public init(_ showcase: PersonShowcase, own: PublicKey?) {
        statuses = showcase.statuses.map { status in
            Status(
                isMusic: status.type == UserStatus.music,
                parts: emojiParts(of: oneLine(status.text, limit: 140), status.emoji.drawn),
                link: status.link.flatMap(webAddress), until: status.expires)
        }.filter { $0.parts != [.text("")] }
        pinned = own.map { own in showcase.pinned.compactMap { NoteItem($0, own: own) } } ?? []
        lists = showcase.lists.map { list in
            let sort = ListSort.of(list.address.kind)
            let title = oneLine(list.title.isEmpty ? list.address.identifier : list.title, limit: 100)
            let names = list.items.lazy.compactMap { item -> String? in
                switch item {
                case .hashtag(let topic): "#" + oneLine(topic, limit: 60)
                case .relay(let relay): relay.text
                default: nil
                }
            }
            return List(
                title: title.isEmpty ? ListWords.unnamed(sort.title) : title, sort: sort.title,
                summary: oneLine(list.summary, limit: 200), count: list.items.count,
                names: Array(names.prefix(Self.mostNamed)),
                feed: FeedChoice.content(of: list.address.kind).map { _ in .shared(list.address) })
        }
    }

    /// What a person shows, as far as it is known here; a page without it is better than no page.
    public static func load(
        of key: PublicKey, evenMuted: Bool = false, for account: any Account
    ) async -> ShowcaseItem {
        guard let showcase = try? await account.showcases?.showcase(of: key, evenMuted: evenMuted) else {
            return .empty
        }
        return ShowcaseItem(showcase, own: account.publicKey)
    }
}
