public import NostrCore

/// A piece of a text and what it means to a reader.
///
/// The sources of all tokens, joined, are the text again. Source: NIP-27, NIP-21, NIP-24 (hashtags), NIP-30.
public struct ContentToken: Hashable, Sendable {
    /// The piece exactly as written.
    public let source: String
    /// What it means.
    public let meaning: Meaning

    /// What a piece of a text means.
    public enum Meaning: Hashable, Sendable {
        /// Plain words.
        case text
        /// A web address; ``ContentToken/source`` is the address.
        case link
        /// The web address of a picture, film or sound, judged by its ending.
        case media(MediaType)
        /// A person, an event or an address.
        case mention(NostrEntity)
        /// A topic, lowercase, without `#`.
        case hashtag(String)
        /// A picture in the text.
        case emoji(CustomEmoji)
        /// A request for a payment (BOLT-11).
        indirect case invoice(LightningInvoice)
        /// A file by its hash, with hints where it may be (BUD-10).
        indirect case blob(BlobAddress)
    }

    /// What a web address most likely leads to.
    public enum MediaType: Hashable, Sendable {
        case image, video, audio

        /// Judges by the ending of the path, or is `nil`.
        public init?(url: String) { self.init(url.utf8) }

        /// The same of its UTF-8.
        init?(_ url: some BidirectionalCollection<UInt8>) {
            let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let slash = UInt8(ascii: "/")
            // Scheme, nothing, host and at least one part of a path: a host may end in anything.
            guard let last = path.lastIndex(of: slash), path[..<last].count(where: { $0 == slash }) >= 2 else {
                return nil
            }
            let name = path[last...]
            // No ending that is known has more than four letters.
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name[dot...].count <= 5 else { return nil }
            switch String(decoding: name[dot...].dropFirst(), as: UTF8.self).lowercased() {
            case "jpg", "jpeg", "png", "gif", "webp", "avif", "bmp", "svg": self = .image
            case "mp4", "webm", "mov", "m4v", "m3u8": self = .video
            case "mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "aac": self = .audio
            default: return nil
            }
        }
    }

    /// Splits a text.
    ///
    /// - Parameters:
    ///   - tags: the tags of the event, for its custom emoji.
    ///   - most: so many tokens are cut out, and of so many emoji the tags are read; the rest of the text is words.
    public static func split(_ text: String, tags: [Tag] = [], most: Int = .max) -> [ContentToken] {
        var scanner = ContentScanner(text, emoji: tags.customEmoji(atMost: most), most: most)
        return scanner.tokens()
    }
}

extension [ContentToken] {
    /// The tags a text asks for when it is published: `p` for people, `q` for events and addresses (NIP-18), `t` for
    /// topics, `emoji` for pictures; each once.
    public var referenceTags: [Tag] {
        var people: [Tag] = []
        var quotes: [Tag] = []
        var others: [Tag] = []
        var seen: Set<PublicKey> = []
        func mention(_ key: PublicKey?, _ relay: RelayURL? = nil) {
            guard let key, seen.insert(key).inserted else { return }
            people.append(Tag(trimming: ["p", key.hex, relay?.text ?? ""]))
        }
        for token in self {
            switch token.meaning {
            case .mention(.npub(let key)): mention(key)
            case .mention(.nprofile(let pointer)): mention(pointer.key, pointer.relays.first)
            case .mention(.note(let id)): quotes.append(EventPointer(id: id).tag("q"))
            case .mention(.nevent(let pointer)):
                quotes.append(pointer.tag("q"))
                mention(pointer.author)
            case .mention(.naddr(let pointer)):
                quotes.append(pointer.tag("q"))
                mention(pointer.address.author)
            case .hashtag(let topic): others.append(["t", topic])
            case .emoji(let emoji): others.append(emoji.tag)
            case .text, .link, .media, .invoice, .blob, .mention(.nrelay): break
            }
        }
        return people + quotes.withoutDuplicates() + others.withoutDuplicates()
    }
}
