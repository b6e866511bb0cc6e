public import NostrCore
internal import NostrNIPs

/// Which kinds of event are shown as notes, and where.
public enum NoteKinds {
    /// What stands on home unless the account chose otherwise.
    public static let home: Set<Kind> = [1, 6, 16, 20, 21, 22, 1068, 6969]
    /// What stands there, too, where the account wants it.
    public static let chosen: Set<Kind> = [Comment.kind, 30_023, 34_235, 34_236]
    /// What stands in every other timeline: a person's, a topic's, a relay's, a list's.
    public static let timelines: Set<Kind> = [1, 6, 16, 20, 21, 22, 1063, 1068, 6969, 30_023, 34_235, 34_236]
    /// What is shown as a card in a note that names its address: articles, packs of emoji, live streams, films.
    public static let cited: Set<Kind> = [30_023, 30_030, 30_311, 34_235, 34_236]
    /// What is counted below a note that it names.
    static let counted: Set<Kind> = [1, 6, 7, 16, 1111, ZapReceipt.kind]
    /// What concerns an account that it names by a `p` tag.
    static let naming: Set<Kind> = counted.union([LiveChatMessage.kind])
}
