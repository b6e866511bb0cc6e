public import NostrCore

extension Kind {
    /// What a person does not want to see.
    public static let muteList: Kind = 10_000
    /// Notes pinned to a profile.
    public static let pinnedNotes: Kind = 10_001
    /// Things saved.
    public static let bookmarks: Kind = 10_003
    /// Communities a person belongs to.
    public static let communities: Kind = 10_004
    /// Public chats a person is in.
    public static let publicChats: Kind = 10_005
    /// Relays a person's apps must never connect to.
    public static let blockedRelays: Kind = 10_006
    /// Relays to search on.
    public static let searchRelays: Kind = 10_007
    /// Groups a person is in.
    public static let groups: Kind = 10_009
    /// Follow sets a person likes.
    public static let favoriteFollowSets: Kind = 10_011
    /// Relays a person browses.
    public static let relayFeeds: Kind = 10_012
    /// Relays for what is private, such as drafts (NIP-37); all of it private items.
    public static let privateRelays: Kind = 10_013
    /// Topics of interest.
    public static let interests: Kind = 10_015
    /// People followed for their code.
    public static let codeFollows: Kind = 10_017
    /// Code repositories followed.
    public static let repositories: Kind = 10_018
    /// People followed for pictures and films.
    public static let mediaFollows: Kind = 10_020
    /// Emoji a person uses.
    public static let emojiList: Kind = 10_030
    /// Where a person receives direct messages.
    public static let directMessageRelays: Kind = 10_050
    /// Podcasts a person likes.
    public static let podcasts: Kind = 10_054
    /// Servers for a person's files.
    public static let fileServers: Kind = 10_063
    /// People whose articles of a wiki are good.
    public static let wikiAuthors: Kind = 10_101
    /// Relays of a wiki.
    public static let wikiRelays: Kind = 10_102
    /// Named groups of people.
    public static let followSets: Kind = 30_000
    /// Named groups of relays.
    public static let relaySets: Kind = 30_002
    /// Named groups of bookmarks.
    public static let bookmarkSets: Kind = 30_003
    /// Collections of articles and notes.
    public static let articleCurationSets: Kind = 30_004
    /// Collections of films.
    public static let videoCurationSets: Kind = 30_005
    /// Collections of pictures.
    public static let pictureCurationSets: Kind = 30_006
    /// People muted for one kind, which is the identifier.
    public static let kindMuteSets: Kind = 30_007
    /// Named groups of topics.
    public static let interestSets: Kind = 30_015
    /// Named groups of emoji.
    public static let emojiSets: Kind = 30_030
    /// People to be followed together.
    public static let starterPacks: Kind = 39_089
    /// People to be followed together for pictures and films.
    public static let mediaStarterPacks: Kind = 39_092
}

extension PublicList {
    /// The kinds this type reads.
    public static let kinds: Set<Kind> = [
        RelayList.kind, .privateRelays, .codeFollows, .repositories, .podcasts, .wikiAuthors, .wikiRelays, .muteList,
        .pinnedNotes, .bookmarks, .communities, .publicChats, .blockedRelays, .searchRelays, .groups,
        .favoriteFollowSets, .relayFeeds, .interests, .mediaFollows, .emojiList, .directMessageRelays, .fileServers,
        .followSets, .relaySets, .bookmarkSets, .articleCurationSets, .videoCurationSets, .pictureCurationSets,
        .kindMuteSets, .interestSets, .emojiSets, .starterPacks, .mediaStarterPacks,
    ]
}
