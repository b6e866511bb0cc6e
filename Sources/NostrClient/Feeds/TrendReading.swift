public import NostrCore

/// A topic that is written about.
public struct TrendingTopic: Hashable, Sendable {
    /// The topic, lowercase, without `#`.
    public var name: String
    /// How many people wrote about it; `nil` where a server chose it.
    public var people: Int?

    /// A topic that is known already.
    public init(name: String, people: Int? = nil) {
        self.name = name
        self.people = people
    }
}

/// Topics and people that much is made of; implemented by ``Trends``.
///
/// What is counted here is counted from what this machine's relays gave; a server that counts for everybody is asked only
/// where it is named, and then learns that somebody looks.
public protocol TrendReading: Sendable {
    /// Topics that most people wrote about, those first.
    func topics(within span: TrendingChoice.Span, server: RelayURL?) async throws -> [TrendingTopic]
    /// People whose notes most others reacted to or reposted, those first; without the account's owner.
    func people(within span: TrendingChoice.Span, server: RelayURL?) async throws -> [Person]
}

extension TrendReading {
    /// Counted here.
    public func topics(within span: TrendingChoice.Span) async throws -> [TrendingTopic] {
        try await topics(within: span, server: nil)
    }

    /// Counted here.
    public func people(within span: TrendingChoice.Span) async throws -> [Person] {
        try await people(within: span, server: nil)
    }
}
