internal import NostrCore
internal import NostrStore

/// Reads stretches of a timeline from the store.
struct TimelineReader: Sendable {
    let store: any EventStore

    /// At most `limit` events after a cursor that pass a test, newest first.
    ///
    /// - Parameter passesMost: whether hardly any event fails the test; else about half of them may, as of notes on home.
    /// - Returns: the events, and whether the store had no more.
    func page(
        _ pattern: Filter, before cursor: TimelineCursor?, limit: Int, passesMost: Bool = false,
        where passes: @Sendable (Event) -> Bool
    ) async throws -> (events: [Event], isExhausted: Bool) {
        var filter = pattern
        filter.until = cursor?.createdAt ?? pattern.until
        // About half of all notes are answers. What stands at the cursor is read again.
        var want = passesMost ? limit + (cursor == nil ? 1 : 4) : limit * 5 / 2
        var found: [Event] = []
        var seen: Set<EventID> = []
        // Each round doubles what is read, so that a page of rare notes ends within a dozen questions.
        for _ in 0..<12 {
            filter.limit = want
            let batch = try await store.query([filter])
            for event in batch where seen.insert(event.id).inserted && event.isAfter(cursor) && passes(event) {
                found.append(event)
                if found.count == limit { return (found, false) }
            }
            guard batch.count >= want, let last = batch.last else { return (found, true) }
            // A second with more events than fit is read again in a larger piece.
            filter.until = last.createdAt
            want = min(want * 2, 4000)
        }
        return (found, false)
    }
}

extension Event {
    /// Whether it stands after a cursor in (created_at descending, id ascending) order.
    func isAfter(_ cursor: TimelineCursor?) -> Bool {
        guard let cursor else { return true }
        return createdAt < cursor.createdAt || createdAt == cursor.createdAt && cursor.id < id
    }

    var cursor: TimelineCursor { TimelineCursor(createdAt: createdAt, id: id) }
}
