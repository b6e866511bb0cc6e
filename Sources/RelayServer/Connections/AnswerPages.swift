internal import NostrCore
internal import NostrStore

/// What the store holds for one question, a page at a time, so that only a page of it is in memory.
///
/// The first page is read with the question; which events come after it is decided then, too, and they are read by their
/// ids as the client reads. What goes meanwhile is left out. Each reading may pause, to go on in a later turn.
struct AnswerPages {
    /// What one turn brought.
    enum Step {
        /// The next events, newest first.
        case page([Event])
        /// Nothing yet; another turn is needed.
        case paused
        case end
    }

    private let store: any EventStore
    private var reading: AnswerReading?
    /// The ids that `reading` is about; none while it is about the question itself.
    private var asked: Set<EventID> = []
    private var rest: ArraySlice<EventID> = []
    /// The question itself, until it is begun.
    private var first: (filters: [Filter], most: Int)?
    /// How many events of the rest are asked for at once.
    private var chunk = 32
    /// Whether everything was read: another turn would bring ``Step/end``.
    var isAtEnd: Bool { first == nil && reading == nil && rest.isEmpty }

    init(_ filters: [Filter], of store: any EventStore, most: Int) {
        self.store = store
        first = (filters, most)
    }

    /// Reads on for one turn.
    ///
    /// - Parameter bytes: roughly how much memory a page may take; one event comes in any case.
    mutating func next(bytes: Int, until limit: ReadingLimit) async throws -> Step {
        guard var reading = self.reading ?? begin(bytes: bytes) else { return .end }
        self.reading = nil
        try await store.read(&reading, until: limit)
        guard let answer = reading.answer else {
            self.reading = reading
            return .paused
        }
        if asked.isEmpty {
            rest = answer.rest[...]
        } else {
            let unread = Set(answer.rest)
            rest = rest.drop { asked.contains($0) && !unread.contains($0) }
            // Large events: asking for many would read what there is no room for.
            chunk = answer.rest.isEmpty ? min(2 * chunk, 256) : max(answer.events.count, 1)
        }
        if !answer.events.isEmpty { return .page(answer.events) }
        return rest.isEmpty ? .end : .paused
    }

    /// What is to be read next; `nil` at the end.
    private mutating func begin(bytes: Int) -> AnswerReading? {
        if let (filters, most) = first.take() { return AnswerReading(filters, bytes: bytes, most: most) }
        guard !rest.isEmpty else { return nil }
        asked = Set(rest.prefix(chunk))
        return AnswerReading([Filter(ids: asked)], bytes: bytes, most: asked.count)
    }
}
