public import NostrCore

/// A picture that stands for `:shortcode:` in a text.
///
/// Source: NIP-30.
public struct CustomEmoji: Hashable, Sendable {
    /// The name: letters and digits of ASCII, `-` and `_`; at least one.
    public let shortcode: String
    /// The address of the picture, as its author wrote it; `http` or `https`.
    public let url: String
    /// The emoji set it belongs to (kind 30030).
    public let set: EventAddress?

    /// `nil` for a name with other letters or an address that is not `http` or `https`.
    public init?(shortcode: String, url: String, set: EventAddress? = nil) {
        guard !shortcode.isEmpty, shortcode.utf8.allSatisfy(Self.isShortcodeByte), isWebURL(url) else { return nil }
        self.shortcode = shortcode
        self.url = url
        self.set = set
    }

    /// Reads an `emoji` tag, or is `nil`.
    public init?(tag: Tag) {
        guard tag.name == "emoji", let shortcode = tag[1], let url = tag[2] else { return nil }
        self.init(shortcode: shortcode, url: url, set: tag.address(at: 3))
    }

    /// The `emoji` tag.
    public var tag: Tag {
        Tag(trimming: ["emoji", shortcode, url, set?.description ?? ""])
    }

    /// Whether a text can name any: a name stands between two colons.
    package static func canBeNamed(in text: String) -> Bool {
        text.utf8.lazy.filter { $0 == UInt8(ascii: ":") }.prefix(2).count == 2
    }

    static func isShortcodeByte(_ byte: UInt8) -> Bool {
        isASCIILetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension [CustomEmoji] {
    /// The tags of those that a text names, each once, in the order of the text.
    public func tags(namedIn text: String) -> [Tag] {
        guard !isEmpty, CustomEmoji.canBeNamed(in: text) else { return [] }
        return ContentToken.split(text, tags: map(\.tag)).referenceTags.named("emoji")
    }
}

extension [Tag] {
    /// The custom emoji an event brings along, in order.
    public var customEmoji: [CustomEmoji] { customEmoji(atMost: .max) }

    /// The first of them, of so many tags.
    func customEmoji(atMost most: Int) -> [CustomEmoji] {
        var found: [CustomEmoji] = []
        var left = most
        for tag in self where tag.name == "emoji" {
            guard left > 0 else { break }
            left -= 1
            if let emoji = CustomEmoji(tag: tag) { found.append(emoji) }
        }
        return found
    }
}

/// Whether a text begins as a web address and holds no white space or control character.
func isWebURL(_ text: String) -> Bool {
    let lowered = text.prefix(8).lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return false }
    return text.utf8.count > 8 && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
}

/// Whether a byte is one of `A-Z a-z 0-9`.
package func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
}
