internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// The feeds beside home that somebody looked at lately: those stay live.
///
/// A class over one lock: every page and every event that is stored asks.
final class OpenFeeds: Sendable {
    /// So many at once; looking at another closes the one looked at longest ago.
    static let most = 4
    /// So long after it was looked at.
    static let kept: Duration = .seconds(1800)

    /// Rings when there is another one.
    let bell = Doorbell()
    private let state = Mutex<[TimelineSource: Timestamp]>([:])

    /// Somebody looks at a feed.
    func look(at source: TimelineSource, now: Timestamp) {
        guard source.staysLive else { return }
        let isNew = state.withLock { state in
            let isNew = state.updateValue(now, forKey: source) == nil
            if state.count > Self.most, let oldest = state.min(by: { $0.value < $1.value })?.key {
                state[oldest] = nil
            }
            return isNew
        }
        if isNew { bell.ring() }
    }

    /// Those that are open.
    func current(now: Timestamp) -> Set<TimelineSource> {
        state.withLock { state in
            state = state.filter { $0.value + Self.kept > now }
            return Set(state.keys)
        }
    }

    /// The open ones that an event stands in by what it says; what relays give out shows only where it comes from.
    func taking(_ event: Event, kinds: Set<Kind>) -> [TimelineSource] {
        state.withLock { $0.isEmpty ? [] : Array($0.keys) }.filter { source in
            switch source {
            case .people(let people): people.contains(event.pubkey) && kinds.contains(event.kind) && !event.isReply
            case .topics(let topics): event.speaks(of: topics)
            case .hashtag(let topic): event.speaks(of: [topic])
            case .home, .author, .relays, .listed, .trending: false
            }
        }
    }
}

extension NoteKinds {
    /// What stands in feeds of topics: a repost carries none.
    static let topical = timelines.subtracting([6, 16])
}

extension TimelineSource {
    /// Whether new notes of it are announced while it is open; home is live always.
    public var staysLive: Bool {
        switch self {
        case .people, .topics, .hashtag, .relays: true
        case .home, .author, .listed, .trending: false
        }
    }

    /// A word for it that is the same for as long as the program runs.
    public var word: String { String(UInt(bitPattern: hashValue), radix: 36) }
}

extension Event {
    /// Whether it is a note with one of some topics.
    fileprivate func speaks(of topics: Set<String>) -> Bool {
        guard NoteKinds.topical.contains(kind) else { return false }
        return tags.contains { tag in tag.name == "t" && (tag.value.map { topics.contains($0.lowercased()) } ?? false) }
    }
}
