public import NostrClient
public import NostrCore

/// What there is to react to a note with.
public struct EmojiPicker: Equatable, Sendable {
    /// The note.
    public let note: NoteItem
    /// The emoji.
    public let choices: EmojiChoices

    /// What there is for a note; `nil` when nobody has the note.
    public static func load(_ id: EventID, of account: any Account) async -> EmojiPicker? {
        guard let note = await NoteItem.load(id, of: account) else { return nil }
        return EmojiPicker(note: note, choices: await .load(of: account))
    }
}
