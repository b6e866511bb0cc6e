internal import NostrCore
internal import NostrNIPs

/// A post of pictures or a film, made of the files of a composition (NIP-68, NIP-71).
public struct MediaPost: Hashable, Sendable {
    /// What sort of post.
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        /// Pictures (kind 20).
        case pictures
        /// A film (kind 21).
        case film
        /// A short film (kind 22).
        case short
    }

    /// What sort of post.
    public var sort: Sort
    /// Its title.
    public var title: String

    /// A post of a sort.
    public init(_ sort: Sort, title: String) {
        self.sort = sort
        self.title = title
    }

    /// The draft of the post.
    ///
    /// - Parameter further: what the text asks for, and a content warning.
    /// - Throws: ``AccountError`` of the code `empty` where there is no file that such a post can have.
    func draft(text: String, files: [Tag], further: [Tag], now: Timestamp) throws -> EventDraft {
        let files = files.attachments(in: nil)
        switch sort {
        case .pictures:
            let pictures = files.filter(PicturePost.takes)
            guard !pictures.isEmpty else { throw AccountError.empty }
            return PicturePost.draft(title: title, text: text, pictures: pictures, further: further, createdAt: now)
        case .film, .short:
            let films = files.filter { $0.medium != .image }
            guard !films.isEmpty else { throw AccountError.empty }
            // One that is upright is of the short kind, as programs that show such films alone expect (NIP-71).
            let isUpright = films.first?.dimensions.map { $0.height > $0.width } ?? false
            return VideoPost.draft(
                title: title, text: text, isShort: sort == .short || isUpright, variants: films, further: further,
                createdAt: now)
        }
    }
}
