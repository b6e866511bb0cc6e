public import NostrCore

/// A stretch of a note's text, ready to be drawn.
public enum ContentPart: Hashable, Sendable {
    /// Text as it is; line breaks are part of it.
    case text(String)
    /// A web address, `http` or `https` only.
    case link(String)
    /// A picture, to be shown where settings allow it.
    case image(String)
    /// A film or a sound, to be shown where settings allow it.
    case video(String)
    /// A hashtag: as written, and as looked up.
    case hashtag(shown: String, tag: String)
    /// A person, by the name they go by here.
    case mention(PublicKey, name: String)
    /// Another note.
    case note(EventID)
    /// An article, by the code that leads to it (`naddr`).
    case article(String)
    /// A NIP-19 entity Linnet has no page for, as written.
    case entity(String)
    /// A custom emoji (NIP-30) and where its picture lies.
    case emoji(code: String, picture: String)
    /// A request for a payment over Lightning.
    case invoice(InvoiceItem)
}

extension ContentPart {
    /// How many characters it takes to show, roughly.
    public var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .link, .mention, .note, .article, .entity, .hashtag, .invoice: 20
        case .image, .video, .emoji: 1
        }
    }
}
