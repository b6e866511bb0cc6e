public import NostrCore
internal import NostrNIPs

/// A kind of list, as people know it.
public struct ListSort: Hashable, Sendable {
    /// Where it stands on the page of all lists.
    public enum Category: String, CaseIterable, Sendable {
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
    public let category: Category
    /// What it takes, the usual first; empty for lists that Linnet only shows.
    public let takes: [EntrySort]
    /// Whether it must be open to everybody to do what it is for.
    public let isPublicOnly: Bool
    /// Whether nobody else may see any of it.
    public let isPrivateOnly: Bool
    /// Whether it is shown before there is one.
    public let isOffered: Bool

    /// Whether an account can have several of it, each with a name.
    public var isSet: Bool { kind.rawValue >= 30_000 && kind.rawValue < 40_000 }

    private init(
        _ kind: Kind, _ name: ListKindName, on category: Category, takes: [EntrySort], isPublicOnly: Bool = false,
        isPrivateOnly: Bool = false, isOffered: Bool = false
    ) {
        self.isPrivateOnly = isPrivateOnly
        self.kind = kind
        title = name.title
        lead = name.lead
        self.category = category
        self.takes = takes
        self.isPublicOnly = isPublicOnly
        self.isOffered = isOffered
    }

    /// What is known about a kind; one that is not known is only shown.
    public static func of(_ kind: Kind) -> ListSort {
        all.first { $0.kind == kind }
            ?? ListSort(kind, ListWords.unknown(kind.rawValue), on: .other, takes: [])
    }

    /// Sets that can be made here.
    public static var sets: [ListSort] { all.filter { $0.isSet && $0.isOffered } }

    /// The lists Linnet knows, in the order shown.
    ///
    /// Source: NIP-51, "Types of lists".
    public static let all: [ListSort] = [
        ListSort(
            .muteList, ListWords.muteList,
            on: .hidden, takes: [.person, .word, .hashtag, .note], isOffered: true),
        ListSort(
            .kindMuteSets, ListWords.kindMuteSets, on: .hidden,
            takes: [.person]),
        ListSort(
            .bookmarks, ListWords.bookmarks, on: .kept,
            takes: [.note, .address, .url, .hashtag],
            isOffered: true),
        ListSort(
            .pinnedNotes, ListWords.pinnedNotes, on: .kept, takes: [.note],
            isPublicOnly: true, isOffered: true),
        ListSort(
            .bookmarkSets, ListWords.bookmarkSets, on: .kept,
            takes: [.note, .address], isOffered: true),
        ListSort(.repositories, ListWords.repositories, on: .kept, takes: [.address]),
        ListSort(.podcasts, ListWords.podcasts, on: .kept, takes: [.person, .url]),
        ListSort(
            .articleCurationSets, ListWords.articleCurationSets, on: .kept,
            takes: [.address, .note]),
        ListSort(.videoCurationSets, ListWords.videoCurationSets, on: .kept, takes: [.note]),
        ListSort(
            .pictureCurationSets, ListWords.pictureCurationSets, on: .kept,
            takes: [.note]),
        ListSort(
            .followSets, ListWords.followSets, on: .people, takes: [.person],
            isOffered: true),
        ListSort(
            .favoriteFollowSets, ListWords.favoriteFollowSets, on: .people,
            takes: [.address]),
        ListSort(
            .starterPacks, ListWords.starterPacks, on: .people,
            takes: [.person], isPublicOnly: true),
        ListSort(.mediaFollows, ListWords.mediaFollows, on: .people, takes: [.person]),
        ListSort(
            .mediaStarterPacks, ListWords.mediaStarterPacks,
            on: .people, takes: [.person], isPublicOnly: true),
        ListSort(.wikiAuthors, ListWords.wikiAuthors, on: .people, takes: [.person]),
        ListSort(.codeFollows, ListWords.codeFollows, on: .people, takes: [.person]),
        ListSort(.groups, ListWords.groups, on: .people, takes: []),
        ListSort(.communities, ListWords.communities, on: .people, takes: [.address]),
        ListSort(.publicChats, ListWords.publicChats, on: .people, takes: [.note]),
        ListSort(
            .interests, ListWords.interests, on: .topics, takes: [.hashtag, .address],
            isOffered: true),
        ListSort(
            .interestSets, ListWords.interestSets, on: .topics, takes: [.hashtag],
            isOffered: true),
        ListSort(
            RelayList.kind, ListWords.relayList, on: .relays, takes: [], isPublicOnly: true),
        ListSort(
            .directMessageRelays, ListWords.directMessageRelays,
            on: .relays, takes: [.relay], isPublicOnly: true, isOffered: true),
        ListSort(
            .searchRelays, ListWords.searchRelays, on: .relays, takes: [.relay],
            isOffered: true),
        ListSort(
            .blockedRelays, ListWords.blockedRelays, on: .relays, takes: [.relay],
            isOffered: true),
        ListSort(
            .relayFeeds, ListWords.relayFeeds, on: .relays, takes: [.relay, .address], isOffered: true),
        ListSort(
            .privateRelays, ListWords.privateRelays, on: .relays, takes: [.relay], isPrivateOnly: true,
            isOffered: true),
        ListSort(.wikiRelays, ListWords.wikiRelays, on: .relays, takes: [.relay]),
        ListSort(.relaySets, ListWords.relaySets, on: .relays, takes: [.relay], isOffered: true),
        ListSort(
            .fileServers, ListWords.fileServers, on: .relays, takes: [.server],
            isPublicOnly: true),
        ListSort(
            .emojiList, ListWords.emojiList, on: .pictures, takes: [.emoji, .address],
            isOffered: true),
        ListSort(.emojiSets, ListWords.emojiSets, on: .pictures, takes: [.emoji], isOffered: true),
    ]
}

extension ListSort.Category {
    /// The heading of its lists.
    public var title: String {
        switch self {
        case .hidden: ListWords.categoryHidden
        case .kept: ListWords.categoryKept
        case .people: ListWords.categoryPeople
        case .topics: ListWords.categoryTopics
        case .relays: ListWords.categoryRelays
        case .pictures: ListWords.categoryPictures
        case .other: ListWords.categoryOther
        }
    }
}

extension ListSort.EntrySort {
    /// One of it.
    public var one: String { words.one }
    /// Several of it.
    public var many: String { words.many }
    /// How it is written.
    public var hint: String { words.hint }

    private var words: ListWords.Entry {
        switch self {
        case .person: ListWords.person
        case .note: ListWords.note
        case .address: ListWords.address
        case .hashtag: ListWords.hashtag
        case .word: ListWords.word
        case .relay: ListWords.relay
        case .server: ListWords.server
        case .emoji: ListWords.emoji
        case .group: ListWords.group
        case .url: ListWords.link
        }
    }
}
