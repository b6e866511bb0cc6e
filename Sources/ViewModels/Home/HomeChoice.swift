public import NostrClient
internal import NostrCore

/// What stands on home beside notes, pictures, films and polls, as the person of an account wants it.
public struct HomeChoice: Hashable, Sendable {
    /// Articles of people the account follows.
    public var articles: Bool
    /// Films that have an address, and that their authors may change later.
    public var films: Bool

    private static let articleKinds: Set<Kind> = [30_023]
    private static let filmKinds: Set<Kind> = [34_235, 34_236]

    /// A choice.
    public init(articles: Bool, films: Bool) {
        self.articles = articles
        self.films = films
    }

    /// Reads `articles`, `films`, both with a comma between them, or `none`; `nil` for anything else.
    public init?(words: String) {
        let words = words.lowercased().split(separator: ",").map(String.init)
        let areKnown = words.allSatisfy { $0 == "articles" || $0 == "films" }
        guard !words.isEmpty, areKnown || words == ["none"] else { return nil }
        self.init(articles: words.contains("articles"), films: words.contains("films"))
    }

    /// What was chosen last; neither at first.
    public static func load(from timeline: any TimelineReading) async throws(Trouble) -> HomeChoice {
        let kinds = try await troubled { try await timeline.kindsOnHome() }
        return HomeChoice(articles: kinds.isSuperset(of: articleKinds), films: kinds.isSuperset(of: filmKinds))
    }

    /// Has it hold from now on.
    public func keep(in timeline: any TimelineReading) async throws(Trouble) {
        let kinds = (articles ? Self.articleKinds : []).union(films ? Self.filmKinds : [])
        try await troubled { try await timeline.setKindsOnHome(kinds) }
    }
}
