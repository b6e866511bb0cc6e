/// One NIP and what Linnet makes of it.
public struct SupportedNIP: Hashable, Sendable {
    /// How far it goes.
    public enum Status: String, Hashable, Sendable {
        /// All of it that concerns us.
        case whole
        /// As far as ``SupportedNIP/what`` says.
        case partly
        /// Read only.
        case read
    }

    /// What a person uses to reach it: a page, a form, or a verb of the command line.
    public enum Way: Hashable, Sendable {
        /// A page of the web face, by the pattern of its address.
        case page(String)
        /// What a form of the web face is posted to, likewise.
        case form(String)
        /// A verb of the command line, without the program's name.
        case verb(String)
    }

    /// The number; of a NIP that is named by two hex digits, such as B7, what these say.
    public let number: Int
    /// The title.
    public let title: String
    /// What is supported, in one line.
    public let what: String
    /// How far it goes.
    public let status: Status
    /// The ways to reach it; a test holds that each of them is there.
    public let ways: [Way]
    /// Whether our relay does what the NIP asks of relays; such numbers stand in its NIP-11 document.
    public let isRelaySide: Bool

    private init(
        _ number: Int, _ title: String, _ what: String, _ status: Status, by ways: [Way], relay: Bool = false
    ) {
        self.ways = ways
        self.number = number
        self.title = title
        self.what = what
        self.status = status
        isRelaySide = relay
    }

    /// All NIPs Linnet knows, by number: the one list that `docs/NIPS.md` and the relay's document are made from.
    public static let all: [SupportedNIP] = [
        SupportedNIP(
            1, "Basic protocol flow", "events, filters, every message, replaceable and addressable rules", .whole,
            by: [.verb("relay"), .page("/home")], relay: true),
        SupportedNIP(
            2, "Follow list",
            "edited whole, petnames, hints and unknown tags kept; who begins to follow you is told once, who follows whom listed by the lists that are here",
            .whole,
            by: [
                .form("/people/:key/:act"), .page("/people/:key/followers"), .page("/notifications"),
                .verb("notifications"), .verb("followers"),
            ]),
        SupportedNIP(
            4, "Encrypted direct message", "legacy: payloads read and written, no messages", .partly,
            by: [.verb("encrypt"), .verb("decrypt")]),
        SupportedNIP(
            5, "Internet identifiers", "claims checked at their domain; people found by name; relays used as hints",
            .whole,
            by: [.page("/people/:key"), .page("/search"), .verb("nip05")]),
        SupportedNIP(
            6, "Keys from a mnemonic", "12 to 24 words in twelve languages, read and drawn; accounts and passphrases",
            .whole,
            by: [.verb("key mnemonic"), .verb("key generate")]),
        SupportedNIP(
            7, "window.nostr for browsers", "a page signs through it; Linnet's own pages ask for it at login", .partly,
            by: [.page("/nip07/requests")]),
        SupportedNIP(
            9, "Event deletion request", "by id and by address, own events only", .whole,
            by: [.form("/note/:id/delete"), .verb("note delete"), .verb("draft delete")], relay: true),
        SupportedNIP(
            10, "Text notes and threads", "marked form written, positional form read", .whole,
            by: [.form("/compose"), .page("/note/:id")]),
        SupportedNIP(
            11, "Relay information", "read and served, with limits; a page says what a relay says of itself", .whole,
            by: [.verb("relay"), .page("/relays/relay")], relay: true),
        SupportedNIP(
            13, "Proof of work",
            "checked, and mined on all cores; put into gift wraps, and into notes on request; asked of votes in polls where you want it",
            .whole,
            by: [.verb("pow"), .form("/settings/work")]),
        SupportedNIP(
            17, "Private direct messages",
            "text, files (sealed, uploaded, opened in memory), replies, reactions, subjects, deletion, disappearing",
            .whole,
            by: [.page("/messages/:word"), .verb("dm send"), .page("/messages/:word/:id/file"), .verb("dm save")]),
        SupportedNIP(
            18, "Reposts", "kinds 6 and 16, also by address alone, quotes", .whole,
            by: [.form("/note/:id/:act"), .page("/home"), .page("/notifications")]),
        SupportedNIP(
            19, "Bech32 entities", "every entity; nrelay is read only", .whole,
            by: [.verb("encode"), .verb("decode")]),
        SupportedNIP(
            21, "nostr: addresses", "read and written", .whole,
            by: [.verb("decode"), .page("/search")]),
        SupportedNIP(
            22, "Comments",
            "read in threads and under articles, and on home by choice; written where what is answered is no note",
            .partly,
            by: [.form("/compose"), .page("/note/:id"), .page("/article/:code"), .form("/settings/home")]),
        SupportedNIP(
            23, "Long-form content",
            "articles read as Markdown without HTML, listed, and published from a file; drafts (30024) are read only",
            .partly,
            by: [.page("/article/:code"), .form("/settings/home"), .verb("article show"), .verb("article publish")]),
        SupportedNIP(
            24, "Extra metadata", "profile fields; unknown ones are kept byte for byte", .whole,
            by: [.form("/profile/edit")]),
        SupportedNIP(
            25, "Reactions",
            "likes, dislikes, emoji and custom emoji, shown by what they mean, taken back one by one; none to websites",
            .partly,
            by: [.form("/note/:id/react"), .page("/note/:id"), .page("/notifications"), .verb("react")]),
        SupportedNIP(
            27, "Text note references", "text split into words, links, media, mentions, topics, emoji", .whole,
            by: [.page("/note/:id")]),
        SupportedNIP(
            30, "Custom emoji",
            "in notes, reactions, statuses, private messages, circles, and names and descriptions on people's pages; packs are made, adopted and left",
            .partly,
            by: [.page("/home"), .page("/people/:key"), .page("/emoji"), .page("/emoji/:pack"), .verb("emoji adopt")]),
        SupportedNIP(
            31, "Unknown event kinds",
            "shown by what their author says they are, with a link to a page that may know them, and to apps that say they do (NIP-89)",
            .read,
            by: [.page("/note/:id"), .form("/settings")]),
        SupportedNIP(
            36, "Content warning", "read and written", .whole,
            by: [.form("/compose"), .page("/home")]),
        SupportedNIP(
            37, "Draft wraps",
            "drafts with expiration, relays for private content, checkpoints read; drafts other than notes and comments are only shown",
            .partly,
            by: [.page("/drafts"), .verb("draft list")]),
        SupportedNIP(
            38, "User statuses",
            "general and music, with link and expiration: shown on profiles, your own set; other types are not read",
            .partly,
            by: [.form("/status"), .page("/people/:key"), .verb("status set")]),
        SupportedNIP(
            40, "Expiration", "expired events are neither kept nor sent", .whole,
            by: [.verb("relay"), .verb("dm send")], relay: true),
        SupportedNIP(
            42, "Relay authentication",
            "asked by our relay; answered to your own relays, those you say yes to, and those that carry an app's requests",
            .whole,
            by: [.verb("relay"), .form("/relays/auth"), .verb("relays auth")], relay: true),
        SupportedNIP(
            44, "Encrypted payloads", "version 2; the extended length is read always, written on request", .whole,
            by: [.verb("encrypt"), .verb("decrypt")]),
        SupportedNIP(
            45, "Event counts", "answered by our relay in numbers, without HyperLogLog", .partly,
            by: [.verb("relay")], relay: true),
        SupportedNIP(
            46, "Remote signing", "both sides and both ways of pairing; NIP-04 is read, and answered to who asks by it",
            .whole,
            by: [.page("/signer/connect"), .verb("bunker"), .verb("account connect")]),
        SupportedNIP(
            49, "Encrypted secret keys", "ncryptsec, version 2", .whole,
            by: [.verb("key encrypt"), .verb("key decrypt"), .page("/keys")]),
        SupportedNIP(
            50, "Search",
            "people, notes and articles, here at once and on relays as they answer; extensions are passed on to relays, and "
                + "our own relay knows none; newest first", .partly,
            by: [.page("/search"), .verb("search"), .verb("relay")], relay: true),
        SupportedNIP(
            51, "Lists",
            "public and private items (NIP-44; NIP-04 is read), unknown entries kept byte for byte; mutes, blocked, search and draft relays and inboxes are heeded; sets of people, notes, topics and relays, bookmarks, interests and favourite relays are read as feeds; pinned notes and public lists are shown on profiles, and read as feeds, too",
            .partly,
            by: [
                .page("/lists/:kind"), .page("/lists/:kind/notes"), .page("/people/:key"),
                .page("/people/:key/lists/:kind"), .form("/feeds"),
                .verb("list show"), .verb("notes"),
            ]),
        SupportedNIP(
            53, "Live streams",
            "streams with their chat, zaps and reactions; live ones found by who chats; people without a proof are shown "
                + "as invited; answers to you, mentions of you and zaps for what you host are told; spaces, meetings and "
                + "presence (30312, 30313, 10312) are not read",
            .partly,
            by: [
                .page("/streams"), .page("/streams/:naddr"), .form("/streams/:naddr"), .page("/notifications"),
                .verb("streams list"),
            ]),
        SupportedNIP(
            55, "Android signer application",
            "signer links of web pages, answered; also NIP-155 and DIP-05, told apart by their parameters", .partly,
            by: [.verb("sign-url")]),
        SupportedNIP(
            56, "Reporting",
            "reports about a note and its author, or a person, are written, by address too; those by people you follow are shown",
            .partly,
            by: [
                .form("/note/:id/report"), .form("/people/:key/report"), .page("/note/:id"), .page("/people/:key"),
                .verb("note report"), .verb("report list"), .verb("report person"),
            ]),
        SupportedNIP(
            57, "Lightning zaps",
            "receipts that keep every rule are counted under notes and told of to whom they are for; private zaps are opened for apps that ask "
                + "(`decrypt_zap_event`)", .partly,
            by: [.page("/note/:id"), .page("/notifications"), .verb("sign-url")]),
        SupportedNIP(
            59, "Gift wrap", "made and opened, everything checked; times spread, expiration, work", .whole,
            by: [.verb("gift wrap"), .verb("gift unwrap"), .page("/messages/:word")]),
        SupportedNIP(
            65, "Relay list", "followed for reading and writing; a new account publishes its own, which is edited",
            .whole,
            by: [.page("/relays"), .form("/relays/own"), .verb("relays mark")]),
        SupportedNIP(
            66, "Relay discovery and liveness",
            "what monitors found out names relays to try for somebody new; Linnet is no monitor", .partly,
            by: [.verb("relays find")]),
        SupportedNIP(
            68, "Picture-first feeds",
            "posts of pictures are shown and published; people in a picture are named and pointed at where they are; you point at nobody yet",
            .partly,
            by: [.page("/home"), .form("/compose"), .verb("post picture")]),
        SupportedNIP(
            70, "Protected events", "recognised, and never put into a repost", .whole,
            by: [.verb("relay"), .form("/note/:id/:act")], relay: true),
        SupportedNIP(
            71, "Video events",
            "films of all four kinds are shown, with forms, chapters and links to captions; kinds 21 and 22 are published",
            .partly,
            by: [.page("/note/:id"), .form("/compose"), .verb("post film")]),
        SupportedNIP(
            78, "Application data",
            "your own versions are kept and restored; what guest links show is such events, by keys of their own",
            .partly,
            by: [.page("/history"), .page("/guest"), .verb("circle guest")]),
        SupportedNIP(
            88, "Polls",
            "votes gathered from the poll's relays and its author's, counted by the rules: of everybody, of people you follow, of a set of people (kind 30000), or those with work in them (NIP-13); a web of trust does not choose them yet; polls made",
            .whole,
            by: [
                .page("/polls/:id"), .form("/polls/:id/vote"), .form("/compose/poll"), .verb("poll vote"),
                .verb("poll results"),
            ]),
        SupportedNIP(
            89, "Recommended application handlers",
            "apps for kinds that Linnet does not show are offered as links where such an event is opened, those that people you follow recommend first; notes name Linnet where you want it; you recommend none",
            .partly,
            by: [.page("/note/:id"), .verb("apps"), .form("/settings")]),
        SupportedNIP(
            92, "Media attachments",
            "descriptions, sizes, placeholders and other addresses of files are used and written, also in drafts",
            .partly,
            by: [.page("/home"), .form("/compose"), .verb("post note")]),
        SupportedNIP(
            94, "File metadata",
            "files that are events of their own are shown, and GIFs among them found; its fields stand in tags of attachments, and of what our media server says of files; your files can be published so; torrents are not read",
            .partly,
            by: [
                .page("/note/:id"), .form("/compose/gif"), .verb("gif"), .form("/files/uploads/:id/:act"),
                .verb("files publish"), .verb("blossom"),
            ]),
        SupportedNIP(
            98, "HTTP auth", "requests signed, and checked by the push proxy; nothing counts twice", .whole,
            by: [.verb("push-proxy")]),
        SupportedNIP(
            0xB7, "Blossom media",
            "lists of media servers (kind 10063) are read and edited; files are uploaded, made smaller where a server does that, copied, listed, deleted, and looked for by their hash (BUD-01 to 06, 11, 12), also by `blossom:` addresses (BUD-10); your own servers that give files only to whom they know are told who asks (BUD-11, `get`), no others; our own server does BUD-01, 02, 04, 06, 08, 11 and 12; no reports (BUD-09), payments are shown and not made (BUD-07)",
            .partly,
            by: [
                .form("/files"), .form("/files/servers"), .page("/media/:author/:name"), .verb("files upload"),
                .verb("files save"), .verb("files servers"), .verb("blossom"),
            ]),
    ]

    /// The numbers for the relay's NIP-11 document.
    public static var relayNumbers: [Int] { all.filter(\.isRelaySide).map(\.number) }

    /// The text of `docs/NIPS.md`.
    public static var document: String {
        let rows = all.map { nip in
            let relay = nip.isRelaySide ? "yes" : ""
            let ways = nip.ways.map { "`\($0.text)`" }.joined(separator: ", ")
            return "| \(nip.name) | \(nip.title) | \(nip.what) | \(nip.status.rawValue) | \(ways) | \(relay) |"
        }
        return """
            # Supported NIPs

            Generated from `Sources/NostrNIPs/SupportedNIPs.swift`; `LINNET_WRITE_DOCS=1 swift test --filter \
            SupportedNIPs` writes it again.

            Where: a page of the web face, what a form of it is posted to, or a verb of the command line; a test holds that \
            each of them is there.

            | NIP | Title | What Linnet does | How far | Where | Relay |
            |---|---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }
}

extension SupportedNIP {
    /// As the list of NIPs writes its number: two digits, in hex where there are letters.
    ///
    /// Numbers above 99 that are none of hex are not given out yet.
    public var name: String {
        if number > 0x99 { return String(number, radix: 16, uppercase: true) }
        return number < 10 ? "0\(number)" : "\(number)"
    }
}

extension SupportedNIP.Way {
    /// As documents write it.
    public var text: String {
        switch self {
        case .page(let path): path
        case .form(let path): "POST \(path)"
        case .verb(let words): "linnet \(words)"
        }
    }
}
