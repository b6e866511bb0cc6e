public import NostrCore
internal import NostrNIPs

/// A kind of list, as people know it.
public struct ListSort: Hashable, Sendable {
    /// Where it stands on the page of all lists.
    public enum Shelf: String, CaseIterable, Sendable {
        case hidden, kept, people, topics, relays, pictures, other
    }

    /// What can stand on a list.
    public enum EntrySort: String, CaseIterable, Sendable {
        case person, note, address, hashtag, word, relay, server, emoji, group, url
    }

    /// The kind.
    public let kind: Kind
    /// What it is called.
    public let title: String
    /// What it does, in one sentence.
    public let lead: String
    /// Where it stands.
    public let shelf: Shelf
    /// What it takes, the usual first; empty for lists that Linnet only shows.
    public let takes: [EntrySort]
    /// Whether it must be open to everybody to do what it is for.
    public let isPublicOnly: Bool
    /// Whether it is shown before there is one.
    public let isOffered: Bool

    /// Whether one can have several of it, each with a name.
    public var isSet: Bool { kind.rawValue >= 30_000 && kind.rawValue < 40_000 }

    private init(
        _ kind: Kind, _ title: String, _ lead: String, on shelf: Shelf, takes: [EntrySort], isPublicOnly: Bool = false,
        isOffered: Bool = false
    ) {
        self.kind = kind
        self.title = title
        self.lead = lead
        self.shelf = shelf
        self.takes = takes
        self.isPublicOnly = isPublicOnly
        self.isOffered = isOffered
    }

    /// What is known about a kind; one that is not known is only shown.
    public static func of(_ kind: Kind) -> ListSort {
        all.first { $0.kind == kind }
            ?? ListSort(kind, "Kind \(kind.rawValue)", "A list Linnet only shows.", on: .other, takes: [])
    }

    /// Sets one can make here.
    public static var sets: [ListSort] { all.filter { $0.isSet && $0.isOffered } }

    /// The lists Linnet knows, in the order shown.
    ///
    /// Source: NIP-51, "Types of lists".
    public static let all: [ListSort] = [
        ListSort(
            .muteList, "Mute list", "People, words, topics and conversations you do not want to see, anywhere.",
            on: .hidden, takes: [.person, .word, .hashtag, .note], isOffered: true),
        ListSort(
            .kindMuteSets, "Muted for one kind", "People muted for one kind of event only.", on: .hidden,
            takes: [.person]),
        ListSort(
            .bookmarks, "Bookmarks", "Notes and articles you keep.", on: .kept,
            takes: [.note, .address, .url, .hashtag],
            isOffered: true),
        ListSort(
            .pinnedNotes, "Pinned notes", "Notes on top of your profile.", on: .kept, takes: [.note],
            isPublicOnly: true, isOffered: true),
        ListSort(
            .bookmarkSets, "Note list", "Notes and articles kept under one name.", on: .kept,
            takes: [.note, .address], isOffered: true),
        ListSort(.repositories, "Repositories", "Code you follow.", on: .kept, takes: [.address]),
        ListSort(.podcasts, "Podcasts", "Podcasts you keep.", on: .kept, takes: [.person, .url]),
        ListSort(
            .articleCurationSets, "Collection of articles", "Articles and notes that belong together.", on: .kept,
            takes: [.address, .note]),
        ListSort(
            .videoCurationSets, "Collection of films", "Films that belong together.", on: .kept, takes: [.note]),
        ListSort(
            .pictureCurationSets, "Collection of pictures", "Pictures that belong together.", on: .kept,
            takes: [.note]),
        ListSort(
            .followSets, "Follow set", "People grouped under one name.", on: .people, takes: [.person],
            isOffered: true),
        ListSort(
            .favoriteFollowSets, "Favourite follow sets", "Follow sets of others that you like.", on: .people,
            takes: [.address]),
        ListSort(
            .starterPacks, "Starter pack", "People to be followed together, for sharing.", on: .people,
            takes: [.person], isPublicOnly: true),
        ListSort(
            .mediaFollows, "Media follows", "People followed for pictures and films.", on: .people, takes: [.person]),
        ListSort(
            .mediaStarterPacks, "Media starter pack", "People to be followed together for pictures and films.",
            on: .people, takes: [.person], isPublicOnly: true),
        ListSort(
            .wikiAuthors, "Wiki authors", "People whose wiki articles you trust.", on: .people, takes: [.person]),
        ListSort(.codeFollows, "Code follows", "People followed for their code.", on: .people, takes: [.person]),
        ListSort(.groups, "Groups", "Groups you are in.", on: .people, takes: []),
        ListSort(.communities, "Communities", "Communities you belong to.", on: .people, takes: [.address]),
        ListSort(.publicChats, "Public chats", "Chats you are in.", on: .people, takes: [.note]),
        ListSort(
            .interests, "Interests", "Topics you care about.", on: .topics, takes: [.hashtag, .address],
            isOffered: true),
        ListSort(
            .interestSets, "Interest set", "Topics grouped under one name.", on: .topics, takes: [.hashtag],
            isOffered: true),
        ListSort(
            RelayList.kind, "Your relays", "Where you publish, and where others reach you in public.", on: .relays,
            takes: [.relay], isPublicOnly: true),
        ListSort(
            .directMessageRelays, "Message relays", "Where private messages to you are left. Others must see it.",
            on: .relays, takes: [.relay], isPublicOnly: true, isOffered: true),
        ListSort(
            .searchRelays, "Search relays", "Relays asked when you search.", on: .relays, takes: [.relay],
            isOffered: true),
        ListSort(
            .blockedRelays, "Blocked relays", "Relays Linnet must never connect to.", on: .relays, takes: [.relay],
            isOffered: true),
        ListSort(
            .relayFeeds, "Browsed relays", "Relays you like to browse.", on: .relays, takes: [.relay, .address]),
        ListSort(
            .privateRelays, "Relays for drafts", "Where drafts are kept, encrypted.", on: .relays, takes: [.relay]),
        ListSort(.wikiRelays, "Wiki relays", "Relays with wiki articles.", on: .relays, takes: [.relay]),
        ListSort(
            .relaySets, "Relay set", "Relays grouped under one name.", on: .relays, takes: [.relay], isOffered: true),
        ListSort(
            .fileServers, "File servers", "Where your pictures and files are kept.", on: .relays, takes: [.server],
            isPublicOnly: true),
        ListSort(
            .emojiList, "Emoji", "Emoji of your own choice.", on: .pictures, takes: [.emoji, .address],
            isOffered: true),
        ListSort(
            .emojiSets, "Emoji set", "Emoji under one name.", on: .pictures, takes: [.emoji], isOffered: true),
    ]
}

extension ListSort.Shelf {
    /// The heading of its lists.
    public var title: String {
        switch self {
        case .hidden: "What you hide"
        case .kept: "What you keep"
        case .people: "People"
        case .topics: "Topics"
        case .relays: "Relays and servers"
        case .pictures: "Emoji"
        case .other: "Others"
        }
    }
}

extension ListSort.EntrySort {
    /// One of it.
    public var one: String {
        switch self {
        case .person: "person"
        case .note: "note"
        case .address: "article or list"
        case .hashtag: "topic"
        case .word: "word"
        case .relay: "relay"
        case .server: "server"
        case .emoji: "emoji"
        case .group: "group"
        case .url: "link"
        }
    }

    /// Several of it.
    public var many: String {
        switch self {
        case .person: "people"
        case .address: "articles or lists"
        case .emoji: "emoji"
        default: one + "s"
        }
    }

    /// How one writes it.
    public var hint: String {
        switch self {
        case .person: "@name or npub1…"
        case .note: "note1… or nevent1…"
        case .address: "naddr1…"
        case .hashtag: "#topic"
        case .word: "a word or phrase"
        case .relay: "wss://relay.example"
        case .server, .url: "https://…"
        case .emoji: ":name: https://picture"
        case .group: "a group"
        }
    }
}
