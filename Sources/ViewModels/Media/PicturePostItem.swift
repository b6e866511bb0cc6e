internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// A post of pictures as a screen shows it.
public struct PicturePostItem: Hashable, Sendable {
    /// The pictures, in order.
    public let pictures: [MediaItem]
    /// Where they were made, as its author says.
    public let location: String?
    /// People in the pictures, each once.
    public let people: [PersonItem]

    init(_ post: PicturePost, of note: Note) {
        let named = post.pictures.flatMap(\.people).map(\.person).withoutRepetition(of: \.self).prefix(20)
            .compactMap { note.mentioned[$0].map { PersonItem($0) } }
        people = named
        let known = Dictionary(named.map { ($0.key, $0) }) { first, _ in first }
        pictures = post.pictures.compactMap { MediaItem([$0], as: .picture, people: known) }
            .withoutRepetition(of: \.address)
        location = post.location.map { oneLine($0, limit: 80) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
