import AsyncPrimitives
import NostrCore
import Synchronization

/// Where a relay's answers to one query go.
protocol QuerySink: Sendable {
    /// Events; waits while the reader is behind.
    func events(_ events: [Event], from relay: RelayURL) async
    /// The stored events are over, or the relay went away, or it ended.
    func notice(_ notice: SinkNotice, from relay: RelayURL)
}

/// What a sink is told besides events.
enum SinkNotice: Hashable, Sendable {
    case live
    case interrupted(RelayEnding)
    case ended(RelayEnding)
}

/// Gathers a one-shot query: over when every asked relay has ended, however quickly one of them had nothing.
final class FetchSink: QuerySink {
    let queue: BoundedQueue<FetchUpdate>
    private let open: Mutex<Set<RelayURL>>

    init(relays: Set<RelayURL>, capacity: Int) {
        queue = BoundedQueue(capacity: capacity)
        open = Mutex(relays)
        if relays.isEmpty { queue.finish() }
    }

    func events(_ events: [Event], from relay: RelayURL) async {
        await queue.send(.events(events, from: relay), weight: events.weight)
    }

    func notice(_ notice: SinkNotice, from relay: RelayURL) {
        guard case .ended(let ending) = notice else { return }
        let (isFirst, isLast) = open.withLock { open in
            (open.remove(relay) != nil, open.isEmpty)
        }
        if isFirst { queue.sendNow(.ended(relay, ending)) }
        if isLast { queue.finish() }
    }
}

/// Passes a standing subscription on.
final class LiveSink: QuerySink {
    let queue: BoundedQueue<LiveUpdate>

    init(capacity: Int) {
        queue = BoundedQueue(capacity: capacity)
    }

    func events(_ events: [Event], from relay: RelayURL) async {
        await queue.send(.events(events, from: relay), weight: events.weight)
    }

    func notice(_ notice: SinkNotice, from relay: RelayURL) {
        switch notice {
        case .live: queue.sendNow(.live(relay))
        case .interrupted(let ending), .ended(let ending): queue.sendNow(.interrupted(relay, ending))
        }
    }
}

extension [Event] {
    /// One per event, more for large ones: a reader that is behind must not cost memory without bound.
    fileprivate var weight: Int { reduce(0) { $0 + 1 + $1.content.utf8.count / 2048 } }
}
