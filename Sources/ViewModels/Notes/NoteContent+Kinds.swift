internal import NostrCore

extension NoteContent {
    /// Kinds whose content is words for people.
    static let kindsOfWords: Set<Kind> = [1, 11, 20, 21, 22, 42, 1111, 1311, 9802, 34_235, 34_236]

    /// Whether it stands in the place of the words.
    public var replacesWords: Bool {
        switch self {
        case .article, .unknown, .stream: true
        default: false
        }
    }
}
