internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// An emoji as a screen draws it, and the text that stands for it on the wire.
public enum EmojiItem: Hashable, Sendable {
    /// A like, drawn as a heart.
    case like
    /// A dislike, drawn as a thumb down.
    case dislike
    /// A character, or a short text in its place.
    case character(String)
    /// A picture with a name, and where it lies: `http` or `https`.
    case picture(code: String, address: String)

    /// Reads it from what a reaction means.
    init(_ meaning: Reaction.Meaning) {
        switch meaning {
        case .like: self = .like
        case .dislike: self = .dislike
        case .emoji(let text):
            let line = oneLine(text, limit: 24)
            self = line.isEmpty ? .like : .character(line)
        case .customEmoji(let emoji): self = EmojiItem(emoji)
        }
    }

    /// Reads a custom emoji; one whose picture lies nowhere is shown by its name.
    init(_ emoji: CustomEmoji) {
        let address = webAddress(emoji.url)
        self = address.map { .picture(code: emoji.shortcode, address: $0) } ?? .character(":\(emoji.shortcode):")
    }

    /// What is sent when one reacts with it.
    public var content: String {
        switch self {
        case .like: "+"
        case .dislike: "-"
        case .character(let text): text
        case .picture(let code, _): ":\(code):"
        }
    }

    /// What it is called, for those who do not see it.
    public var name: String {
        switch self {
        case .like: ReactionWords.like
        case .dislike: ReactionWords.dislike
        case .character(let text): Self.names[text] ?? text
        case .picture(let code, _): code
        }
    }

    private static let names = Dictionary(
        emojiNames.map { ($0.emoji, $0.name.replacing("_", with: " ")) }, uniquingKeysWith: { first, _ in first })
}

extension EmojiItem {
    /// What a person wrote to react with; `nil` unless it is `+`, `-`, one emoji, or the `:name:` of one.
    public static func content(written text: String) -> String? {
        let text = oneLine(text, limit: 80).trimmingSpaces()
        if ["+", "-"].contains(text) { return text }
        if text.hasPrefix(":"), text.hasSuffix(":"), text.count > 2 {
            let code = text.dropFirst().dropLast()
            // The address is only there to have the name checked.
            return CustomEmoji(shortcode: String(code), url: "https://a.example") == nil ? nil : text
        }
        guard text.count == 1, let character = text.first, character.isEmoji else { return nil }
        return text
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension Character {
    /// Whether it is drawn as an emoji: by itself, or because it says so with a variation selector.
    fileprivate var isEmoji: Bool {
        guard let first = unicodeScalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        let isMarked = unicodeScalars.contains { $0.value == 0xFE0F }
        return first.properties.isEmoji && (isMarked || first.value > 0x2000)
    }
}
