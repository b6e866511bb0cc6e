public import NostrClient

/// What there is to react with.
public struct EmojiChoices: Equatable, Sendable {
    /// What the account reacted to notes with before, the newest first.
    public let recent: [EmojiItem]
    /// The account's own emoji and those of its packs.
    public let own: [EmojiItem]
    /// Emoji every device has.
    public var common: [EmojiItem] { Self.common }

    private static let common =
        [.like, .dislike] + emojiNames.map { EmojiItem.character($0.emoji) }
    /// So many of the account's own are offered.
    private static let mostOwn = 300

    /// What there is for an account.
    public static func load(of account: any Account) async -> EmojiChoices {
        // Without one's own emoji there are still those everybody has.
        let palette = (try? await account.reactions?.palette()) ?? EmojiPalette()
        return EmojiChoices(
            recent: palette.recent.map(EmojiItem.init), own: palette.own.prefix(mostOwn).map(EmojiItem.init))
    }
}
