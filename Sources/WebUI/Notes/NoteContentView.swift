internal import ViewModels

/// What a note is besides its words; it stands under them.
///
/// - Parameter isCard: whether it stands in small inside something else, where nothing is done with it.
func noteContentView(_ note: NoteItem, _ style: NoteStyle, isCard: Bool = false) -> HTML {
    switch note.content {
    case .text: HTML()
    case .article(let article): articleCard(article, note, style)
    case .unknown(let unknown): unknownKindView(unknown, style)
    case .poll(let poll): pollView(poll, style, isCard: isCard)
    case .zapPoll(let poll): zapPollView(poll, style)
    case .pictures(let post): picturePostView(post, note, style)
    case .video(let video): videoView(video, note, style)
    case .file(let card): fileCardView(card, note, style)
    case .emojiPack(let pack): emojiPackCard(pack, of: note, style)
    case .report(let report): reportCard(report)
    case .stream(let stream): "\(some: stream.item(now: style.now), { streamCard($0, style) })"
    }
}
