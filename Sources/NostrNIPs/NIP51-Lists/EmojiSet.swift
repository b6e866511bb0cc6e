public import NostrCore

/// A pack of custom emoji under a name: kind 30030.
///
/// Source: NIP-51 (emoji sets), NIP-30.
public struct EmojiSet: Hashable, Sendable {
    /// More emoji than these of one pack are not read.
    public static let mostEmoji = 500

    /// Where it is found.
    public let address: EventAddress
    /// Its title, else the older `name`, else its identifier; as written.
    public let title: String
    /// What it is about; empty without a word.
    public let about: String
    /// Its emoji in order, each shortcode once; each knows the pack it belongs to.
    public let emoji: [CustomEmoji]

    /// Reads an event; `nil` for one of another kind.
    public init?(_ event: Event) {
        guard event.kind == .emojiSets, let address = event.address else { return nil }
        self.address = address
        let names = ["title", "name"].compactMap { event.tags.firstValue($0) }
        title = names.first { !$0.isEmpty } ?? address.identifier
        about = event.tags.firstValue("description") ?? ""
        var seen: Set<String> = []
        emoji = event.tags.customEmoji.prefix(Self.mostEmoji).compactMap { found in
            guard seen.insert(found.shortcode).inserted else { return nil }
            return CustomEmoji(shortcode: found.shortcode, url: found.url, set: address)
        }
    }
}
