public import NostrCore

/// The beginning of what a store holds for a question, and what is still to be read.
public struct StoredAnswer: Hashable, Sendable {
    /// The newest events, as many as there was room for.
    public var events: [Event]
    /// The events after those, newest first; ``EventStore/query(_:)`` gives them unless they have gone meanwhile.
    public var rest: [EventID]

    /// Events that are here, and the ids of those that are not.
    public init(events: [Event], rest: [EventID]) {
        (self.events, self.rest) = (events, rest)
    }
}

/// Gathers a ``StoredAnswer`` from events in any order, with no more of them in memory than it may hold.
package struct StoredAnswerBuilder {
    private let bytes: Int
    private var used = 0
    /// All that was found.
    ///
    /// Thousands of them wait with each question that pauses, so that an entry is small.
    private var dates: [EventID: Timestamp] = [:]
    /// Those there was room for.
    private var events: [EventID: Event] = [:]

    /// - Parameter bytes: roughly how much memory events may take.
    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// Takes an event in; the same one again changes nothing.
    package mutating func add(_ event: Event) {
        guard dates.updateValue(event.createdAt, forKey: event.id) == nil else { return }
        let size = event.roughBytes
        guard used == 0 || used + size <= bytes else { return }
        used += size
        events[event.id] = event
    }

    /// The answer, in listing order.
    package func answer(most: Int) -> StoredAnswer {
        let sorted = dates.sorted { a, b in a.value != b.value ? a.value > b.value : a.key < b.key }
        let listed = sorted.prefix(most)
        let first = listed.prefix { events[$0.key] != nil }.compactMap { events[$0.key] }
        return StoredAnswer(events: first, rest: listed.dropFirst(first.count).map(\.key))
    }
}

extension EventStore {
    /// Reads everything, then keeps the beginning: for stores that have their events in memory anyway.
    public func answer(_ filters: [Filter], bytes: Int, most: Int) async throws -> StoredAnswer {
        let listed = try await query(filters).prefix(most)
        var used = 0
        let first = listed.prefix { event in
            let size = event.roughBytes
            guard used == 0 || used + size <= bytes else { return false }
            used += size
            return true
        }
        return StoredAnswer(events: Array(first), rest: listed.dropFirst(first.count).map(\.id))
    }

    /// Reads as many events as may be looked at: for stores that have their events in memory anyway.
    public func count(
        _ filters: [Filter], lookingAt most: Int, where isCounted: (@Sendable (Event) -> Bool)?
    ) async throws -> Int? {
        let limited = filters.map { filter in
            var filter = filter
            filter.limit = min(most, .max - 1) + 1
            return filter
        }
        let found = try await query(limited)
        guard found.count <= most else { return nil }
        return isCounted.map { found.count(where: $0) } ?? found.count
    }
}
