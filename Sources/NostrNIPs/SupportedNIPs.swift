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

    /// The number.
    public let number: Int
    /// The title.
    public let title: String
    /// What is supported, in one line.
    public let what: String
    /// How far it goes.
    public let status: Status
    /// Whether our relay does what the NIP asks of relays; such numbers stand in its NIP-11 document.
    public let isRelaySide: Bool

    private init(_ number: Int, _ title: String, _ what: String, _ status: Status, relay: Bool = false) {
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
            relay: true),
        SupportedNIP(2, "Follow list", "edited whole, petnames, hints and unknown tags kept", .whole),
        SupportedNIP(4, "Encrypted direct message", "legacy: payloads read and written, no messages", .partly),
        SupportedNIP(5, "Internet identifiers", "identifiers and the document of a domain", .whole),
        SupportedNIP(
            6, "Keys from a mnemonic", "12 to 24 words in twelve languages, read and drawn; accounts and passphrases",
            .whole),
        SupportedNIP(
            7, "window.nostr for browsers", "a page signs through it; Linnet's own pages ask for it at login", .partly),
        SupportedNIP(9, "Event deletion request", "by id and by address, own events only", .whole, relay: true),
        SupportedNIP(10, "Text notes and threads", "marked form written, positional form read", .whole),
        SupportedNIP(11, "Relay information", "read and served, with limits", .whole, relay: true),
        SupportedNIP(13, "Proof of work", "checked, and mined on all cores; not asked of others", .whole),
        SupportedNIP(
            17, "Private direct messages", "text, files (read), replies, reactions, subjects, deletion", .partly),
        SupportedNIP(18, "Reposts", "kinds 6 and 16, quotes", .whole),
        SupportedNIP(19, "Bech32 entities", "every entity; nrelay is read only", .whole),
        SupportedNIP(21, "nostr: addresses", "read and written", .whole),
        SupportedNIP(22, "Comments", "on events, addresses and outside things", .whole),
        SupportedNIP(23, "Long-form content", "articles", .read),
        SupportedNIP(24, "Extra metadata", "profile fields; unknown ones are kept byte for byte", .whole),
        SupportedNIP(25, "Reactions", "kind 7 with emoji", .partly),
        SupportedNIP(
            27, "Text note references", "text split into words, links, media, mentions, topics, emoji", .whole),
        SupportedNIP(30, "Custom emoji", "in notes, names and reactions", .whole),
        SupportedNIP(36, "Content warning", "read and written", .whole),
        SupportedNIP(37, "Draft wraps", "drafts with expiration, private relays; checkpoints are read", .whole),
        SupportedNIP(38, "User statuses", "read and written, with link and expiration", .whole),
        SupportedNIP(40, "Expiration", "expired events are neither kept nor sent", .whole, relay: true),
        SupportedNIP(42, "Relay authentication", "as a client and as a relay", .whole, relay: true),
        SupportedNIP(
            44, "Encrypted payloads", "version 2; the extended length is read always, written on request", .whole),
        SupportedNIP(45, "Event counts", "numbers; HyperLogLog values are ignored", .partly, relay: true),
        SupportedNIP(
            46, "Remote signing", "both sides and both ways of pairing; NIP-04 is read, and answered to who asks by it",
            .whole),
        SupportedNIP(49, "Encrypted secret keys", "ncryptsec, version 2", .whole),
        SupportedNIP(50, "Search", "words and extensions; newest first", .partly, relay: true),
        SupportedNIP(
            51, "Lists", "public and private items (NIP-44; NIP-04 is read); unknown entries kept byte for byte", .whole
        ),
        SupportedNIP(
            55, "Android signer application",
            "signer links of web pages, both sides; also NIP-155 and DIP-05, told apart by their parameters", .partly),
        SupportedNIP(56, "Reporting", "reports about a note and its author are written and read", .partly),
        SupportedNIP(57, "Lightning zaps", "private zaps: read (`decrypt_zap_event`) and made", .partly),
        SupportedNIP(
            59, "Gift wrap", "made and opened, everything checked; times spread, expiration, work on request", .whole),
        SupportedNIP(65, "Relay list", "read and write relays, edited whole", .whole),
        SupportedNIP(66, "Relay discovery", "discoveries and monitors", .read),
        SupportedNIP(70, "Protected events", "recognised, and never put into a repost", .whole, relay: true),
        SupportedNIP(78, "Application data", "addressable data of a program", .partly),
        SupportedNIP(98, "HTTP auth", "requests signed, and checked by the push proxy; nothing counts twice", .whole),
    ]

    /// The numbers for the relay's NIP-11 document.
    public static var relayNumbers: [Int] { all.filter(\.isRelaySide).map(\.number) }

    /// The text of `docs/NIPS.md`.
    public static var document: String {
        let rows = all.map { nip in
            let padded = nip.number < 10 ? "0\(nip.number)" : "\(nip.number)"
            let relay = nip.isRelaySide ? "yes" : ""
            return "| \(padded) | \(nip.title) | \(nip.what) | \(nip.status.rawValue) | \(relay) |"
        }
        return """
            # Supported NIPs

            Generated from `Sources/NostrNIPs/SupportedNIPs.swift`; `LINNET_WRITE_DOCS=1 swift test --filter \
            SupportedNIPs` writes it again.

            | NIP | Title | What Linnet does | How far | Relay |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }
}
