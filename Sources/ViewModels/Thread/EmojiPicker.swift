public import NostrClient
public import NostrCore

/// What there is to react to a note with.
public struct EmojiPicker: Equatable, Sendable {
    /// The note.
    public let note: NoteItem
    /// What the account reacted with before, the newest first.
    public let recent: [EmojiItem]
    /// The account's own emoji and those of its packs.
    public let own: [EmojiItem]
    /// Emoji every device has.
    public var common: [EmojiItem] { Self.common }

    private static let common =
        [.like, .dislike] + emojiNames.map { EmojiItem.character($0.emoji) }
    /// So many of the account's own are offered.
    private static let mostOwn = 300

    /// What there is for a note; `nil` when nobody has the note.
    public static func load(_ id: EventID, of account: any Account) async -> EmojiPicker? {
        guard let note = await NoteItem.load(id, of: account) else { return nil }
        // Without one's own emoji there are still those everybody has.
        let palette = (try? await account.reactions?.palette()) ?? EmojiPalette()
        return EmojiPicker(
            note: note, recent: palette.recent.map(EmojiItem.init),
            own: palette.own.prefix(mostOwn).map(EmojiItem.init))
    }
}
