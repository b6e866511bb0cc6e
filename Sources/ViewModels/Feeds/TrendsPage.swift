public import NostrClient
public import NostrCore

/// Topics or people that much is made of, as a page shows them.
public struct TrendsPage: Hashable, Sendable {
    /// What is looked for.
    public enum Sort: String, CaseIterable, Hashable, Sendable {
        case topics, people
    }

    /// A topic.
    public struct Topic: Hashable, Sendable {
        /// Its name, one line.
        public let name: String
        /// How many people wrote about it; empty where a server chose it.
        public let words: String
    }

    /// What is shown.
    public let sort: Sort
    /// What stands above it.
    public let lead: String
    /// How far back it can be counted; empty where a server does not ask.
    public let spans: [TrendingPage.Option]
    /// Who can count it; empty where only this program does.
    public let counters: [TrendingPage.Option]
    /// The topics, those that most people wrote about first.
    public let topics: [Topic]
    /// The people, those whose notes most people reacted to first.
    public let people: [PersonItem]

    /// Whether this program counted it; else a server chose it.
    public var isCountedHere: Bool { !spans.isEmpty }

    /// Reads what was counted.
    ///
    /// - Parameters:
    ///   - choice: how far back, and by whom it was counted.
    ///   - server: a server that the person uses, if any.
    public init(
        _ sort: Sort, _ choice: TrendingChoice, topics: [TrendingTopic] = [], people: [Person] = [],
        server: RelayURL? = nil
    ) {
        self.sort = sort
        lead = choice.server.map(FeedWords.chosen(by:)) ?? Self.leadCountedHere(sort)
        let choices = TrendingPage(choice, server: server)
        spans = choice.server == nil ? choices.spans : []
        counters = choices.counters
        self.topics = topics.map { topic in
            Topic(
                name: oneLine(topic.name, limit: 60),
                words: topic.people.map { $0 == 1 ? "1 person" : "\($0) people" } ?? "")
        }
        self.people = people.map(PersonItem.init)
    }

    /// Looks for topics or people.
    ///
    /// - Parameter server: a server that the person uses, if any; it is asked only where the choice names it.
    public static func load(
        _ sort: Sort, _ choice: TrendingChoice, server: RelayURL? = nil, of account: any Account
    ) async throws(Trouble) -> TrendsPage {
        guard let trends = account.trends else { return TrendsPage(sort, choice, server: server) }
        switch sort {
        case .topics:
            let topics = try await troubled { try await trends.topics(within: choice.span, server: choice.server) }
            return TrendsPage(sort, choice, topics: topics, server: server)
        case .people:
            let people = try await troubled { try await trends.people(within: choice.span, server: choice.server) }
            return TrendsPage(sort, choice, people: people, server: server)
        }
    }

    private static func leadCountedHere(_ sort: Sort) -> String {
        switch sort {
        case .topics: FeedWords.topicsCountedHere
        case .people: FeedWords.peopleCountedHere
        }
    }
}
