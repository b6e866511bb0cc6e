public import NostrCore

/// What much is made of: by what it is measured, and within how long.
public struct TrendingChoice: Hashable, Sendable {
    /// What is counted.
    public enum Measure: String, CaseIterable, Hashable, Sendable {
        case reactions, replies, reposts, zaps
    }

    /// How far back it is counted.
    public enum Span: String, CaseIterable, Hashable, Sendable {
        case today, week = "7d", month = "30d", year = "1y", all
    }

    /// What is counted.
    public var measure: Measure
    /// How far back.
    public var span: Span
    /// A server that counts for everybody; `nil` for what is counted here, from what this program knows.
    public var server: RelayURL?

    /// A choice; a span that is not counted here becomes the longest one that is.
    public init(_ measure: Measure, _ span: Span, server: RelayURL? = nil) {
        self.measure = measure
        self.span = server == nil && !Span.countedHere.contains(span) ? .month : span
        self.server = server
    }
}

extension TrendingChoice.Span {
    /// Those that are counted from the program's own store.
    public static let countedHere: [TrendingChoice.Span] = [.today, .week, .month]

    /// How long; `nil` for everything.
    public var length: Duration? {
        switch self {
        case .today: .seconds(86_400)
        case .week: .seconds(7 * 86_400)
        case .month: .seconds(30 * 86_400)
        case .year: .seconds(365 * 86_400)
        case .all: nil
        }
    }
}

extension TrendingChoice.Measure {
    /// The kinds that are counted.
    var kinds: Set<Kind> {
        switch self {
        case .reactions: [7]
        case .replies: [1, 1111]
        case .reposts: [6, 16]
        case .zaps: [9735]
        }
    }
}

extension TrendingChoice {
    /// The address at which a server of trending notes gives out this one.
    ///
    /// Shape: `<server>/notes/trending/<measure>/<span>`, as feeds.nostrarchives.com has it.
    public var feed: RelayURL? {
        server?.feed(at: "notes/trending/\(measure.rawValue)/\(span.rawValue)")
    }

    /// The address at which it gives out a list of topics (NIP-51, kind 30015).
    public var topicFeed: RelayURL? { server?.feed(at: "hashtags/trending") }

    /// The address at which it gives out profiles of people.
    public var peopleFeed: RelayURL? { server?.feed(at: "users/upandcoming") }
}

extension RelayURL {
    /// The address below this one at which a server of trends gives something out; `nil` where none can be below it.
    fileprivate func feed(at path: String) -> RelayURL? {
        var base = Substring(text)
        while base.hasSuffix("/") { base = base.dropLast() }
        // A server whose address cannot be gone on with gives out nothing.
        return try? RelayURL("\(base)/\(path)")
    }
}
