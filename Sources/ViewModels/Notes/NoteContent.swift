internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// What an event is besides its words.
///
/// A kind that is shown in a way of its own gets a case here, with a value that a page draws as it is.
public enum NoteContent: Hashable, Sendable {
    /// Words alone, or a kind that is shown by its words.
    case text
    /// An article in small; its text stands on its own page.
    case article(ArticleItem)
    /// A kind that is not shown here.
    case unknown(UnknownKindItem)
    /// A poll that is answered by votes.
    case poll(PollItem)
    /// A poll that is answered by paying.
    case zapPoll(ZapPollItem)
    /// Pictures (NIP-68).
    case pictures(PicturePostItem)
    /// A film (NIP-71).
    case video(VideoItem)
    /// A file that is an event of its own (NIP-94).
    case file(FileCard)
    /// A pack of emoji (NIP-51, kind 30030).
    case emojiPack(EmojiPackCard)
    /// A live stream (NIP-53).
    case stream(StreamCard)
    /// A report (NIP-56).
    case report(ReportCard)

    /// Reads it from an event and from what is known around it.
    init(_ note: Note) {
        switch note.event.kind {
        case 30_023, 30_024: self = ArticleItem(note.event).map(NoteContent.article) ?? .text
        case 1068, 6969: self = .of(note.poll)
        case PicturePost.kind:
            self = PicturePost(note.event).map { .pictures(PicturePostItem($0, of: note)) } ?? .text
        case VideoPost.kind, VideoPost.shortKind, VideoPost.addressableKind, VideoPost.addressableShortKind:
            self = VideoPost(note.event).map { .video(VideoItem($0)) } ?? .text
        case FileMetadata.kind:
            self = FileMetadata(note.event).map { .file(FileCard($0)) } ?? .text
        case 30_030: self = EmojiPackCard(note.event).map(NoteContent.emojiPack) ?? .text
        case LiveActivity.kind: self = StreamCard(note).map(NoteContent.stream) ?? .text
        case Report.kind: self = ReportCard(note.event).map(NoteContent.report) ?? .text
        default:
            self = Self.kindsOfWords.contains(note.event.kind) ? .text : .unknown(UnknownKindItem(note.event))
        }
    }
}
