internal import NostrCore
internal import NostrNIPs

extension NoteContent {
    /// Whether events of a kind have a title.
    static func hasTitle(_ kind: Kind) -> Bool {
        kind == 30_023 || kind == PicturePost.kind || VideoPost.kinds.contains(kind)
    }

    /// The addresses of what it shows; some programs repeat them in the text.
    var addresses: Set<String> {
        switch self {
        case .pictures(let post): Set(post.pictures.flatMap(\.sources).map(\.address))
        case .file(let card): Set(card.media?.sources.map(\.address) ?? [])
        case .video(let video): Set((video.film.map { [$0] } ?? []).flatMap(\.sources).map(\.address))
        default: []
        }
    }
}
