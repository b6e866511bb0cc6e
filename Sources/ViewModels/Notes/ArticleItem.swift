internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// An article (NIP-23) in small: what a card and the head of its page say.
public struct ArticleItem: Hashable, Sendable {
    /// The code that leads to its page (`naddr`); `nil` where its identifier fits no code.
    public let code: String?
    /// Its title, or words for one without.
    public let title: String
    /// What it is about; empty for nothing.
    public let summary: String
    /// The address of a picture beside the title, `http` or `https`.
    public let image: String?
    /// When it was first published, as its author says.
    public let publishedAt: Timestamp
    /// When this version was made, where that was a day or more later.
    public let changedAt: Timestamp?
    /// What it is about, lowercase; at most ten.
    public let topics: [String]
    /// How long it takes to read, in whole minutes, at least one.
    public let minutes: Int
    /// Whether its author says that it is not finished.
    public let isDraft: Bool

    /// Words a reader takes in within a minute.
    private static let wordsPerMinute = 220

    /// Reads it; `nil` for what is no article.
    init?(_ event: Event) {
        guard let article = Article(event) else { return nil }
        code = articleCode(AddressPointer(address: article.address))
        let title = oneLine(article.title ?? "", limit: 200)
        self.title = title.isEmpty ? ArticleWords.untitled : title
        summary = oneLine(article.summary ?? "", limit: 400)
        image = article.image.flatMap(webAddress)
        // A date to come, or none, is no date.
        let published = article.publishedAt.map { min($0, article.updatedAt) } ?? article.updatedAt
        publishedAt = published
        changedAt = published + .seconds(86_400) <= article.updatedAt ? article.updatedAt : nil
        topics = article.hashtags.prefix(10).map { oneLine($0, limit: 60) }.filter { !$0.isEmpty }
        minutes = max(1, Self.words(in: article.markdown) / Self.wordsPerMinute)
        isDraft = article.isDraft
    }

    /// Counts spaces, which is near enough; scripts without spaces count by their letters.
    private static func words(in text: String) -> Int {
        var spaces = 0
        var others = 0
        for byte in text.utf8 {
            if byte == 0x20 || byte == 0x0A { spaces += 1 } else if byte >= 0xE3, byte < 0xEE { others += 1 }
        }
        return spaces + others / 2
    }
}
