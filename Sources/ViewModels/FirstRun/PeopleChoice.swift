public import NostrClient
internal import NostrCore

/// People to follow, for somebody who follows nobody.
public struct PeopleChoice: Equatable, Sendable {
    /// Whether people are still looked for.
    public private(set) var isSearching: Bool
    /// People who make Nostr.
    public private(set) var creators: [PersonItem]
    /// People who wrote a moment ago.
    public private(set) var active: [PersonItem]
    /// What is wrong with what was filled in.
    public private(set) var problem: String?

    /// How the search stands, in a sentence.
    public var sentence: String {
        if isSearching { return FirstRunWords.lookingForPeople }
        return creators.isEmpty && active.isEmpty ? FirstRunWords.nobodyFound : ""
    }

    init(_ search: PeopleSearch) {
        isSearching = !search.isOver
        creators = search.creators.map(PersonItem.init)
        active = search.active.map(PersonItem.init)
    }

    /// Who is offered to an account.
    public static func load(of account: any Account) async -> PeopleChoice {
        PeopleChoice(await account.firstRun?.people() ?? PeopleSearch())
    }

    /// Follows people of the page.
    ///
    /// Afterwards ``problem`` says why not, or they are followed.
    ///
    /// - Parameter keys: whom, in hex; `nil` for everybody who was offered.
    public mutating func follow(_ keys: Set<String>?, of account: any Account) async {
        let offered = (creators + active).filter { keys?.contains($0.key.hex) ?? true }.map(\.key)
        guard let run = account.firstRun else { return }
        guard !offered.isEmpty else { return problem = FirstRunWords.nobodyChosen }
        do {
            _ = try await run.follow(offered)
            try await run.apply(.finished(.people))
        } catch {
            problem = Trouble(error).sentence
        }
    }
}

extension PersonItem {
    /// The beginning of what they say about themselves, in one line.
    public var shortAbout: String { oneLine(about, limit: 120) }
}

/// Topics to begin with.
public struct TopicChoice: Equatable, Sendable {
    /// The most topics that are chosen at once.
    private static let most = 40

    /// Whether topics are still looked for.
    public private(set) var isSearching: Bool
    /// The topics, without `#`.
    public private(set) var topics: [String]
    /// What is wrong with what was filled in.
    public private(set) var problem: String?

    /// How the search stands, in a sentence.
    public var sentence: String { isSearching ? FirstRunWords.lookingForTopics : "" }

    init(_ search: TopicSearch) {
        isSearching = !search.isOver
        topics = search.topics
    }

    /// What is offered to an account.
    public static func load(of account: any Account) async -> TopicChoice {
        TopicChoice(await account.firstRun?.topics() ?? TopicSearch())
    }

    /// Publishes topics.
    ///
    /// Afterwards ``problem`` says why not, or they are published.
    ///
    /// - Parameter written: topics the person typed, separated by spaces or commas, with or without `#`.
    public mutating func publish(_ chosen: [String], adding written: String, of account: any Account) async {
        let typed = written.split { $0.isWhitespace || $0 == "," }.map { String($0.drop { $0 == "#" }) }
        var all: [String] = []
        for topic in (chosen + typed).map({ $0.lowercased() }) {
            guard !topic.isEmpty, topic.count <= 50, !all.contains(topic) else { continue }
            all.append(topic)
        }
        guard let run = account.firstRun else { return }
        guard !all.isEmpty else { return problem = FirstRunWords.noTopicChosen }
        do {
            _ = try await run.publish(topics: Array(all.prefix(Self.most)))
            try await run.apply(.finished(.topics))
        } catch {
            problem = Trouble(error).sentence
        }
    }
}
