internal import NostrClient
internal import NostrCore

/// What pages say about feeds.
enum FeedWords {
    static let following = "Following"
    static let followingLead = "Notes of the people you follow."
    static let trending = "Trending"
    static let topicLead =
        "Notes with this hashtag, by anybody, from your own relays, those you search on, and others in use."
    static let noFeed = "This list cannot be read as a feed."
    static let nobody = "There is nobody on this list yet. Add people to read their notes here."
    static let noTopics = "There is no topic on this list yet. Add one to read notes about it here."
    static let noNotes = "There is no note on this list yet. Add one to read it here."
    static let locked = "Its private part is locked, so what is on it is not shown."
    static let notWritten = "Write the address of a relay, or a topic with # before it."
    static let noServer = "That is not the address of a server: it begins with wss://."

    static let nothingShared = "There is nothing on this list that can be read as a feed."

    static func notShared(by name: String) -> String {
        "This list is not here. \(name) may have deleted it, or it has not come yet."
    }

    /// What a list of somebody else's shows, and whose it is.
    static func shared(_ lead: String, by name: String) -> String { "\(lead) A list by \(name)." }

    static func fromRelays(_ names: String) -> String {
        "Everything that comes from \(names), including from people you do not follow."
    }

    static func heading(of content: FeedChoice.ListContent) -> String {
        switch content {
        case .relays: "Relays"
        case .people: "People"
        case .notes: "Notes"
        case .topics: "Topics"
        }
    }

    /// What a list's feed shows; `nil` for what is no list of the account's.
    static func lead(_ source: TimelineSource, isOwn: Bool = true) -> String? {
        switch source {
        case .people(let people):
            people.count == 1
                ? "Notes of one person, read where they write."
                : "Notes of \(people.count) people, each read where they write."
        case .topics(let topics):
            "Notes about \(named(topics)), by anybody."
        case .listed: isOwn ? "What you put on this list, newest first." : "What is on it, newest first."
        case .home, .author, .hashtag, .relays, .trending: nil
        }
    }

    /// The first topics of a list, and how many more there are.
    private static func named(_ topics: Set<String>) -> String {
        let first = topics.sorted().prefix(5).map { "#" + oneLine($0, limit: 40) }.joined(separator: ", ")
        return topics.count > 5 ? "\(first) and \(topics.count - 5) more" : first
    }

    static func trendingLead(_ choice: TrendingChoice) -> String {
        if let server = choice.server {
            return "Counted by \(shortAddress(server)), which decides what appears here."
        }
        return
            "Counted here from what your relays gave you: each person once for a note, nobody for their own."
    }

    static let countedHere = "Counted here"

    static let topicsCountedHere =
        "Counted here from the notes your relays gave you: each person once for a topic."
    static let peopleCountedHere =
        "Whose notes most people reacted to or reposted, counted here from what your relays gave you."

    static func chosen(by server: RelayURL) -> String {
        "Chosen by \(shortAddress(server)), which decides what appears here."
    }

    static func measure(_ measure: TrendingChoice.Measure) -> String {
        switch measure {
        case .reactions: "Reactions"
        case .replies: "Replies"
        case .reposts: "Reposts"
        case .zaps: "Zaps"
        }
    }

    static func span(_ span: TrendingChoice.Span) -> String {
        switch span {
        case .today: "24 hours"
        case .week: "7 days"
        case .month: "30 days"
        case .year: "A year"
        case .all: "All time"
        }
    }
}
