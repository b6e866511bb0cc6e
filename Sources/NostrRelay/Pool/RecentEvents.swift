import NostrCore
import Synchronization

/// The events checked last, by id, so that their copies from other relays need neither parsing nor checking.
///
/// Bounded in number and roughly in bytes; the oldest goes first.
final class RecentEvents: Sendable {
    private struct State {
        var events: [EventID: Event] = [:]
        var order: [EventID] = []
        var head = 0
        var bytes = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let maxBytes: Int

    init(capacity: Int, maxBytes: Int) {
        self.capacity = capacity
        self.maxBytes = maxBytes
    }

    /// The event with this id, if it is remembered.
    func event(_ id: EventID) -> Event? {
        state.withLock { $0.events[id] }
    }

    /// Remembers events.
    func insert(_ events: [Event]) {
        state.withLock { state in
            for event in events where state.events.updateValue(event, forKey: event.id) == nil {
                state.order.append(event.id)
                state.bytes += event.roughBytes
                while state.order.count - state.head > capacity || state.bytes > maxBytes {
                    guard let oldest = state.events.removeValue(forKey: state.order[state.head]) else { break }
                    state.bytes -= oldest.roughBytes
                    state.head += 1
                }
            }
            if state.head > capacity {
                state.order.removeFirst(state.head)
                state.head = 0
            }
        }
    }
}
