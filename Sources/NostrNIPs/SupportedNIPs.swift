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

    /// The number.
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
            2, "Follow list", "edited whole, petnames, hints and unknown tags kept", .whole,
            by: [.form("/people/:key/:act")]),
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
            by: [.form("/note/:id/:act"), .verb("draft delete")], relay: true),
        SupportedNIP(
            10, "Text notes and threads", "marked form written, positional form read", .whole,
            by: [.form("/compose"), .page("/note/:id")]),
        SupportedNIP(
            11, "Relay information", "read and served, with limits; a page says what a relay says of itself", .whole,
            by: [.verb("relay"), .page("/relays/relay")], relay: true),
        SupportedNIP(
            13, "Proof of work",
            "checked, and mined on all cores; put into gift wraps, and into notes on request; not asked of others",
            .whole,
            by: [.verb("pow"), .form("/settings/work")]),
        SupportedNIP(
            17, "Private direct messages",
            "text, files (their description read), replies, reactions, subjects, deletion, disappearing", .partly,
            by: [.page("/messages/:word"), .verb("dm send")]),
        SupportedNIP(
            18, "Reposts", "kinds 6 and 16, quotes", .whole,
            by: [.form("/note/:id/:act"), .page("/home")]),
        SupportedNIP(
            19, "Bech32 entities", "every entity; nrelay is read only", .whole,
            by: [.verb("encode"), .verb("decode")]),
        SupportedNIP(
            21, "nostr: addresses", "read and written", .whole,
            by: [.verb("decode"), .page("/search")]),
        SupportedNIP(
            22, "Comments", "read in threads; written where what is answered is no note", .partly,
            by: [.form("/compose"), .page("/note/:id")]),
        SupportedNIP(
            24, "Extra metadata", "profile fields; unknown ones are kept byte for byte", .whole,
            by: [.form("/profile/edit")]),
        SupportedNIP(
            25, "Reactions", "kind 7 with emoji", .partly,
            by: [.form("/note/:id/:act")]),
        SupportedNIP(
            27, "Text note references", "text split into words, links, media, mentions, topics, emoji", .whole,
            by: [.page("/note/:id")]),
        SupportedNIP(
            30, "Custom emoji", "in notes, names and reactions", .whole,
            by: [.page("/home"), .verb("list add")]),
        SupportedNIP(
            36, "Content warning", "read and written", .whole,
            by: [.form("/compose"), .page("/home")]),
        SupportedNIP(
            37, "Draft wraps",
            "drafts with expiration, relays for private content, checkpoints read; drafts other than notes and comments are only shown",
            .partly,
            by: [.page("/drafts"), .verb("draft list")]),
        SupportedNIP(
            38, "User statuses", "your own is set, with link and expiration; nobody's is shown", .partly,
            by: [.form("/status")]),
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
            50, "Search", "words and extensions; newest first", .partly,
            by: [.page("/search"), .verb("relay")], relay: true),
        SupportedNIP(
            51, "Lists",
            "public and private items (NIP-44; NIP-04 is read), unknown entries kept byte for byte; mutes, blocked, search and draft relays and inboxes are heeded; relay sets and favourite relays are read as feeds; pins are kept but not shown on profiles",
            .partly,
            by: [.page("/lists/:kind"), .page("/lists/:kind/notes"), .verb("list show")]),
        SupportedNIP(
            55, "Android signer application",
            "signer links of web pages, answered; also NIP-155 and DIP-05, told apart by their parameters", .partly,
            by: [.verb("sign-url")]),
        SupportedNIP(
            56, "Reporting", "reports about a note and its author are written and read", .partly,
            by: [.form("/note/:id/report"), .verb("note report")]),
        SupportedNIP(
            57, "Lightning zaps",
            "receipts that keep every rule are counted under notes; private zaps are opened for apps that ask "
                + "(`decrypt_zap_event`)", .partly,
            by: [.page("/note/:id"), .verb("sign-url")]),
        SupportedNIP(
            59, "Gift wrap", "made and opened, everything checked; times spread, expiration, work", .whole,
            by: [.verb("gift wrap"), .verb("gift unwrap"), .page("/messages/:word")]),
        SupportedNIP(
            65, "Relay list", "followed for reading and writing; a new account publishes its own, which is edited",
            .whole,
            by: [.page("/relays"), .form("/relays/own"), .verb("relays mark")]),
        SupportedNIP(
            70, "Protected events", "recognised, and never put into a repost", .whole,
            by: [.verb("relay"), .form("/note/:id/:act")], relay: true),
        SupportedNIP(
            78, "Application data",
            "your own versions are kept and restored; what guest links show is such events, by keys of their own",
            .partly,
            by: [.page("/history"), .page("/guest"), .verb("circle guest")]),
        SupportedNIP(
            98, "HTTP auth", "requests signed, and checked by the push proxy; nothing counts twice", .whole,
            by: [.verb("push-proxy")]),
    ]

    /// The numbers for the relay's NIP-11 document.
    public static var relayNumbers: [Int] { all.filter(\.isRelaySide).map(\.number) }

    /// The text of `docs/NIPS.md`.
    public static var document: String {
        let rows = all.map { nip in
            let padded = nip.number < 10 ? "0\(nip.number)" : "\(nip.number)"
            let relay = nip.isRelaySide ? "yes" : ""
            let ways = nip.ways.map { "`\($0.text)`" }.joined(separator: ", ")
            return "| \(padded) | \(nip.title) | \(nip.what) | \(nip.status.rawValue) | \(ways) | \(relay) |"
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
