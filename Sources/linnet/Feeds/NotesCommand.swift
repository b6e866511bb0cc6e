import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet notes`: the newest notes of a feed.
struct NotesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes", abstract: "Print the newest notes of a feed, one event a line.",
        discussion: """
            A feed is `following`, `trending`, `tag:birds`, `relay:wss://…` or `list:KIND:NAME`: a set of people (30000), \
            topics (30015), notes (30003) or relays (30002), bookmarks (`list:10003`), interests (`list:10015`) or favourite \
            relays (`list:10012`), or a list that somebody else shows, by its address (`list-of:KIND:KEY:NAME`). \
            Whom you mute stays hidden in each. `linnet notes --feeds` prints those there are.
            """)

    @Option(help: "Which feed; without it, that of the people you follow.") var feed = "following"
    @Flag(help: "Print the feeds there are, one a line of JSON, and nothing else.") var feeds = false
    @Option(
        help: """
            What home shows besides notes: `articles`, `films` (those their authors can still change), `comments` \
            (under articles, films and the like), several of them with commas between, or `none`. A home that runs does \
            so after its next start.
            """)
    var home: String?
    @Option(name: [.customShort("l"), .long], help: "At most so many notes, 1 to 200.") var limit = 100
    @OptionGroup var session: AccountSession

    func validate() throws {
        guard (1...200).contains(limit) else { throw ValidationError("A limit is 1 to 200.") }
        if let home, HomeChoice(words: home) == nil {
            throw ValidationError("What home shows is articles, films and comments, with commas between, or none.")
        }
        guard FeedChoice(word: feed) != nil else {
            throw ValidationError("\(Shown.text(feed)) is not a feed: see linnet notes --help.")
        }
    }

    func run() async throws {
        let choice = FeedChoice(word: feed) ?? .following
        var named: Set<RelayURL> = []
        if case .relay(let relay) = choice { named = [relay] }
        try await session.run(naming: named) { [feeds, limit, home] account in
            if let chosen = home.flatMap({ HomeChoice(words: $0) }) {
                return try await chosen.keep(in: account.timeline)
            }
            if feeds { return await Self.list(account) }
            // Lists may still be on their way to an account that has just been added.
            _ = try await isTrue(within: .seconds(10)) { await FeedChooser.isThere(choice, of: account) }
            try await account.printNotes(of: try await Feed.load(choice, of: account), limit: limit)
        }
    }

    private static func list(_ account: any Account) async {
        for group in await FeedChooser.load(at: .following, of: account).groups {
            for entry in group.entries {
                Output.line(
                    JSONValue.object([
                        JSONMember("feed", .string(entry.choice.word)), JSONMember("title", .string(entry.title)),
                    ]).text)
            }
        }
    }
}

/// `linnet trending`: the notes with most reactions, replies, reposts or zaps.
struct TrendingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trending",
        abstract: "Print the notes with the most reactions, replies, reposts or zaps, one event per line, best first.",
        discussion: """
            Counted from what your relays sent: each person counts once per note, and not for their own. With --server, \
            the list of that trending server is printed instead; the server then knows that you asked. --what topics or \
            people prints topics that most people wrote about, or people whose notes most others reacted to.
            """)

    @Option(help: "What is counted: notes, topics or people.") var what = "notes"
    @Option(help: "What counts: reactions, replies, reposts or zaps.") var by = "reactions"
    @Option(help: "The time span: today, 7d or 30d; from a server also 1y or all.") var within = "today"
    @Option(help: ArgumentHelp("For example wss://feeds.nostrarchives.com.", valueName: "relay")) var server: String?
    @Option(name: [.customShort("l"), .long], help: "At most so many notes, 1 to 100.") var limit = 30
    @OptionGroup var session: AccountSession

    func validate() throws {
        guard (1...100).contains(limit) else { throw ValidationError("A limit is 1 to 100.") }
        guard what == "notes" || TrendsPage.Sort(rawValue: what) != nil else {
            throw ValidationError("--what takes notes, topics or people.")
        }
        guard TrendingChoice.Measure(rawValue: by) != nil else {
            throw ValidationError("--by takes reactions, replies, reposts or zaps.")
        }
        let spans = server == nil ? TrendingChoice.Span.countedHere : TrendingChoice.Span.allCases
        guard spans.map(\.rawValue).contains(within) else {
            throw ValidationError("--within takes \(spans.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    func run() async throws {
        let server = try server.map { try Reading.relay($0) }
        let choice = TrendingChoice(
            TrendingChoice.Measure(rawValue: by) ?? .reactions, TrendingChoice.Span(rawValue: within) ?? .today,
            server: server)
        if let sort = TrendsPage.Sort(rawValue: what) { return try await trends(sort, choice) }
        let named = Set([choice.feed].compactMap(\.self))
        try await session.run(naming: named) { [limit] account in
            try await account.printNotes(
                of: try await Feed.load(.trending, of: account, trending: choice), limit: limit)
        }
    }

    /// Prints topics or people, one a line of JSON.
    private func trends(_ sort: TrendsPage.Sort, _ choice: TrendingChoice) async throws {
        let feeds = Set([choice.topicFeed, choice.peopleFeed].compactMap(\.self))
        try await session.run(naming: feeds) { [limit] account in
            guard let trends = account.trends else {
                throw CommandFailure("Trends are not counted for this account.")
            }
            let lines: [[JSONMember]]
            switch sort {
            case .topics:
                lines = try await trends.topics(within: choice.span, server: choice.server).map { topic in
                    let name = JSONMember("topic", .string(topic.name))
                    return topic.people.map { [name, JSONMember("people", .number("\($0)"))] } ?? [name]
                }
            case .people:
                lines = try await trends.people(within: choice.span, server: choice.server).map { person in
                    [
                        JSONMember("pubkey", .string(person.key.hex)),
                        JSONMember("name", .string(PersonItem(person).name)),
                    ]
                }
            }
            guard !lines.isEmpty else { throw CommandFailure("There is nothing to read in Trending now.") }
            for line in lines.prefix(limit) { Output.line(JSONValue.object(line).text) }
        }
    }
}

extension Account {
    /// Prints the newest notes of a feed once its relays have answered, or a quarter of a minute has passed.
    ///
    /// - Throws: a ``CommandFailure`` where nothing came.
    func printNotes(of feed: Feed, limit: Int) async throws {
        // What had come when time was up is better than nothing.
        _ = try await isTrue(within: .seconds(15)) {
            try await !timeline.page(feed.source, before: nil, limit: limit).isLoadingOlder
        }
        let page = try await timeline.page(feed.source, before: nil, limit: limit)
        guard !page.notes.isEmpty else { throw CommandFailure("There is nothing to read in \(feed.title) now.") }
        for note in page.notes { Output.line(String(decoding: note.event.json, as: UTF8.self)) }
    }
}
