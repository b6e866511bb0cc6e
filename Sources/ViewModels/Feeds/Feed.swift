public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A feed that is open: what it is called, what it reads.
public struct Feed: Hashable, Sendable {
    /// The choice that led here.
    public let choice: FeedChoice
    /// What it is called.
    public let title: String
    /// What it shows, in one or two sentences.
    public let lead: String
    /// What a timeline reads.
    public let source: TimelineSource
    /// The relays, where it reads relays of its own.
    public let relays: Set<RelayURL>

    init(
        _ choice: FeedChoice, title: String, lead: String, source: TimelineSource, relays: Set<RelayURL> = []
    ) {
        self.choice = choice
        self.title = title
        self.lead = lead
        self.source = source
        self.relays = relays
    }

    private init(_ choice: FeedChoice, _ feed: RelayFeed) {
        let lead = [FeedWords.fromRelays(feed.words), feed.left].compactMap(\.self).joined(separator: " ")
        self.init(choice, title: feed.title, lead: lead, source: feed.source, relays: feed.relays)
    }

    /// So many people of a list are read, the first ones.
    static let mostPeople = 2_000
    /// So many topics of a list are read.
    static let mostTopics = 100

    /// Opens a feed.
    ///
    /// - Parameter trending: which trending notes, where those are chosen.
    /// - Throws: ``Trouble`` for a list that is not there, is empty, or is no feed.
    public static func load(
        _ choice: FeedChoice, of account: any Account, trending: TrendingChoice = TrendingChoice(.reactions, .today)
    ) async throws(Trouble) -> Feed {
        switch choice {
        case .following:
            return Feed(choice, title: FeedWords.following, lead: FeedWords.followingLead, source: .home)
        case .relay(let relay): return Feed(choice, try RelayFeed.one(relay.text))
        case .topic(let topic):
            return Feed(
                choice, title: "#" + oneLine(topic, limit: 80), lead: FeedWords.topicLead, source: .hashtag(topic))
        case .trending:
            return Feed(
                choice, title: FeedWords.trending, lead: FeedWords.trendingLead(trending), source: .trending(trending))
        case .list(let kind, let identifier): return try await list(choice, kind, identifier, account)
        case .shared(let address): return try await shared(choice, address, account)
        }
    }

    /// What a list of people, topics or notes has a timeline read.
    ///
    /// - Throws: ``Trouble`` for a list with nothing of that on it.
    static func source(
        of items: [ListItem], _ content: FeedChoice.ListContent
    ) throws(Trouble) -> TimelineSource {
        switch content {
        case .people:
            let people = items.compactMap { if case .person(let pointer, _) = $0 { pointer.key } else { nil } }
            if people.isEmpty { throw Trouble(FeedWords.nobody, canRetry: false, isMissing: true) }
            return .people(Set(people.uniqued().prefix(mostPeople)))
        case .topics:
            let topics = items.compactMap { if case .hashtag(let topic) = $0 { topic.lowercased() } else { nil } }
            if topics.isEmpty { throw Trouble(FeedWords.noTopics, canRetry: false, isMissing: true) }
            return .topics(Set(topics.uniqued().prefix(mostTopics)))
        case .notes, .relays:
            let selection = NoteSelection(items)
            if selection.isEmpty { throw Trouble(FeedWords.noNotes, canRetry: false, isMissing: true) }
            return .listed(selection)
        }
    }

    private static func list(
        _ choice: FeedChoice, _ kind: Kind, _ identifier: String, _ account: any Account
    ) async throws(Trouble) -> Feed {
        guard let content = FeedChoice.content(of: kind) else {
            throw Trouble(FeedWords.noFeed, canRetry: false, isMissing: true)
        }
        if content == .relays { return Feed(choice, try await RelayFeed.list(kind, identifier, of: account)) }
        let (list, items) = try await troubled { try await entries(of: kind, identifier, account) }
        let source = try Self.source(of: items, content)
        let title = list.title.isEmpty ? ListSort.of(kind).title : list.title
        let lead = [FeedWords.lead(source), list.privatePart == .locked ? FeedWords.locked : nil]
            .compactMap(\.self).joined(separator: " ")
        return Feed(choice, title: oneLine(title, limit: 80), lead: lead, source: source)
    }

    /// The entries of a list, private ones too as far as they are open; sets of the account's own that it names count
    /// with theirs.
    private static func entries(
        of kind: Kind, _ identifier: String, _ account: any Account
    ) async throws -> (list: PersonalList, items: [ListItem]) {
        let lists = try openLists(account)
        let list = try await lists.list(kind, identifier: identifier)
        var items = list.publicItems + list.privateItems
        guard kind == .interests else { return (list, items) }
        for case .address(let pointer) in items {
            let address = pointer.address
            guard address.kind == .interestSets, address.author == account.publicKey else { continue }
            let set = try await lists.list(.interestSets, identifier: address.identifier)
            items += set.publicItems + set.privateItems
        }
        return (list, items)
    }
}
