public import NostrClient
internal import NostrCore

/// What stands on home beside notes, pictures, films and polls, as the person of an account wants it.
public struct HomeChoice: Hashable, Sendable {
    /// Articles of people the account follows.
    public var articles: Bool
    /// Films that have an address, and that their authors may change later.
    public var films: Bool
    /// What they say under articles, films, and anything else that is no note (NIP-22).
    public var comments: Bool

    private static let articleKinds: Set<Kind> = [30_023]
    private static let filmKinds: Set<Kind> = [34_235, 34_236]
    private static let commentKinds: Set<Kind> = [1111]

    /// A choice.
    public init(articles: Bool, films: Bool, comments: Bool = false) {
        self.articles = articles
        self.films = films
        self.comments = comments
    }

    /// Reads `articles`, `films` and `comments`, those of them with commas between, or `none`; `nil` for anything else.
    public init?(words: String) {
        let words = words.lowercased().split(separator: ",").map(String.init)
        let areKnown = words.allSatisfy { ["articles", "films", "comments"].contains($0) }
        guard !words.isEmpty, areKnown || words == ["none"] else { return nil }
        self.init(
            articles: words.contains("articles"), films: words.contains("films"), comments: words.contains("comments"))
    }

    /// What was chosen last; none at first.
    public static func load(from timeline: any TimelineReading) async throws(Trouble) -> HomeChoice {
        let kinds = try await troubled { try await timeline.kindsOnHome() }
        return HomeChoice(
            articles: kinds.isSuperset(of: articleKinds), films: kinds.isSuperset(of: filmKinds),
            comments: kinds.isSuperset(of: commentKinds))
    }

    /// Has it hold from now on.
    public func keep(in timeline: any TimelineReading) async throws(Trouble) {
        let kinds = (articles ? Self.articleKinds : []).union(films ? Self.filmKinds : [])
            .union(comments ? Self.commentKinds : [])
        try await troubled { try await timeline.setKindsOnHome(kinds) }
    }
}
