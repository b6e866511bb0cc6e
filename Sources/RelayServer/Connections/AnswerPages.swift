internal import NostrCore
internal import NostrStore

/// What the store holds for one question, a page at a time, so that only a page of it is in memory.
///
/// The first page is read with the question; which events come after it is decided then, too, and they are read by their
/// ids as the client reads. What goes meanwhile is left out.
struct AnswerPages {
    private let store: any EventStore
    private let filters: [Filter]
    private let most: Int
    private var rest: ArraySlice<EventID>?
    /// How many events of the rest are asked for at once.
    private var chunk = 32

    init(_ filters: [Filter], of store: any EventStore, most: Int) {
        (self.store, self.filters, self.most) = (store, filters, most)
    }

    /// The next events, newest first; `nil` at the end.
    ///
    /// - Parameter bytes: roughly how much memory they may take; one event comes in any case.
    mutating func next(bytes: Int) async throws -> [Event]? {
        guard var left = rest else {
            let answer = try await store.answer(filters, bytes: bytes, most: most)
            rest = answer.rest[...]
            if !answer.events.isEmpty { return answer.events }
            return try await next(bytes: bytes)
        }
        while !left.isEmpty {
            let ids = Set(left.prefix(chunk))
            let answer = try await store.answer([Filter(ids: ids)], bytes: bytes, most: ids.count)
            let unread = Set(answer.rest)
            left = left.drop { ids.contains($0) && !unread.contains($0) }
            rest = left
            // Large events: asking for many would read what there is no room for.
            chunk = answer.rest.isEmpty ? min(2 * chunk, 256) : max(answer.events.count, 1)
            if !answer.events.isEmpty { return answer.events }
        }
        return nil
    }
}
