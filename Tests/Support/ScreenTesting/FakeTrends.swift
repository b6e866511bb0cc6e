public import NostrClient
public import NostrCore
import Synchronization

/// Topics and people that much is made of, as a test put them in.
public final class FakeTrends: TrendReading {
    private struct State {
        var topics: [TrendingTopic] = []
        var people: [Person] = []
        var asked: [RelayURL] = []
    }

    private let state = Mutex(State())

    /// Nothing is trending yet.
    public init() {}

    /// Has topics trend.
    public func put(topics: [TrendingTopic]) { state.withLock { $0.topics = topics } }
    /// Has people trend.
    public func put(people: [Person]) { state.withLock { $0.people = people } }
    /// The servers that were asked.
    public var asked: [RelayURL] { state.withLock { $0.asked } }

    public func topics(within span: TrendingChoice.Span, server: RelayURL?) async throws -> [TrendingTopic] {
        state.withLock { state in
            if let server { state.asked.append(server) }
            return state.topics
        }
    }

    public func people(within span: TrendingChoice.Span, server: RelayURL?) async throws -> [Person] {
        state.withLock { state in
            if let server { state.asked.append(server) }
            return state.people
        }
    }
}
