/// What a kind of list is called, and what it does, in one sentence.
struct ListKindName: Hashable, Sendable {
    let title: String, lead: String

    init(_ title: String, _ lead: String) {
        self.title = title
        self.lead = lead
    }
}

extension ListWords {
    /// What can stand on a list: one, several, and how it is written.
    struct Entry {
        let one: String, many: String, hint: String
    }

    static let person = Entry(one: "person", many: "people", hint: "@name or npub1…")
    static let note = Entry(one: "note", many: "notes", hint: "note1… or nevent1…")
    static let address = Entry(one: "article or list", many: "articles or lists", hint: "naddr1…")
    static let hashtag = Entry(one: "topic", many: "topics", hint: "#topic")
    static let word = Entry(one: "word", many: "words", hint: "a word or phrase")
    static let relay = Entry(one: "relay", many: "relays", hint: "wss://relay.example")
    static let server = Entry(one: "server", many: "servers", hint: "https://…")
    static let emoji = Entry(one: "emoji", many: "emoji", hint: ":name: https://picture")
    static let group = Entry(one: "group", many: "groups", hint: "a group")
    static let link = Entry(one: "link", many: "links", hint: "https://…")

    // The headings lists stand under

    static let categoryHidden = "What you hide"
    static let categoryKept = "What you keep"
    static let categoryPeople = "People"
    static let categoryTopics = "Topics"
    static let categoryRelays = "Relays and servers"
    static let categoryPictures = "Emoji"
    static let categoryOther = "Others"

    // The lists of NIP-51

    static func unknown(_ kind: UInt16) -> ListKindName { ListKindName("Kind \(kind)", "A list Linnet only shows.") }
    static let muteList = ListKindName(
        "Mute list", "People, words, topics and conversations you do not want to see, anywhere.")
    static let kindMuteSets = ListKindName("Muted for one kind", "People muted for one kind of event only.")
    static let bookmarks = ListKindName("Bookmarks", "Notes and articles you keep.")
    static let pinnedNotes = ListKindName("Pinned notes", "Notes on top of your profile.")
    static let bookmarkSets = ListKindName("Note list", "Notes and articles kept under one name.")
    static let repositories = ListKindName("Repositories", "Code you follow.")
    static let podcasts = ListKindName("Podcasts", "Podcasts you keep.")
    static let articleCurationSets = ListKindName("Collection of articles", "Articles and notes that belong together.")
    static let videoCurationSets = ListKindName("Collection of films", "Films that belong together.")
    static let pictureCurationSets = ListKindName("Collection of pictures", "Pictures that belong together.")
    static let followSets = ListKindName("Follow set", "People grouped under one name.")
    static let favoriteFollowSets = ListKindName("Favourite follow sets", "Follow sets of others that you like.")
    static let starterPacks = ListKindName("Starter pack", "People to be followed together, for sharing.")
    static let mediaFollows = ListKindName("Media follows", "People followed for pictures and films.")
    static let mediaStarterPacks = ListKindName(
        "Media starter pack", "People to be followed together for pictures and films.")
    static let wikiAuthors = ListKindName("Wiki authors", "People whose wiki articles you trust.")
    static let codeFollows = ListKindName("Code follows", "People followed for their code.")
    static let groups = ListKindName("Groups", "Groups you are in.")
    static let communities = ListKindName("Communities", "Communities you belong to.")
    static let publicChats = ListKindName("Public chats", "Chats you are in.")
    static let interests = ListKindName("Interests", "Topics you care about.")
    static let interestSets = ListKindName("Interest set", "Topics grouped under one name.")
    static let relayList = ListKindName("Your relays", "Where you publish, and where others reach you in public.")
    static let directMessageRelays = ListKindName(
        "Message relays",
        "Where private messages to you are left. Others must see it. A relay on it that asks who you are is told.")
    static let searchRelays = ListKindName("Search relays", "Relays asked when you search.")
    static let blockedRelays = ListKindName("Blocked relays", "Relays Linnet must never connect to.")
    static let relayFeeds = ListKindName("Favourite relays", "Relays you like to browse.")
    static let privateRelays = ListKindName(
        "Relays for drafts",
        "Where drafts are kept, encrypted, for your other devices. Best are relays that ask who reads: on this list "
            + "they are told.")
    static let wikiRelays = ListKindName("Wiki relays", "Relays with wiki articles.")
    static let relaySets = ListKindName("Relay set", "Relays grouped under one name.")
    static let fileServers = ListKindName("File servers", "Where your pictures and files are kept.")
    static let emojiList = ListKindName("Emoji", "Emoji of your own choice.")
    static let emojiSets = ListKindName("Emoji set", "Emoji under one name.")
}
