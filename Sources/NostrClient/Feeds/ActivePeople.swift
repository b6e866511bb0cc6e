internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// Who of the followed wrote or liked something in the last minutes, as far as that is here.
///
/// Kept in memory, since home asks each time it is drawn: the store is asked once.
final class ActivePeople: Sendable {
    /// So long after they wrote somebody counts as there.
    static let span: Duration = .seconds(600)
    /// What somebody writes who is there.
    static let kinds: Set<Kind> = NoteKinds.home.union([Reaction.kind, Article.kind])
    /// What is dated further ahead than clocks differ says nothing.
    private static let ahead: Duration = .seconds(60)
    private static let mostKept = 10_000

    private struct State {
        var last: [PublicKey: Timestamp] = [:]
        var isLoaded = false
    }

    private let state = Mutex(State())

    /// Whether the store was asked.
    var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// The store was asked; this is what was written in the last minutes.
    func load(_ events: [Event]) {
        state.withLock { $0.isLoaded = true }
        for event in events { note(event) }
    }

    /// A note of somebody who is followed is here.
    func note(_ event: Event) {
        state.withLock { state in
            if state.last.count >= Self.mostKept { state.last = [:] }
            state.last[event.pubkey] = max(state.last[event.pubkey] ?? event.createdAt, event.createdAt)
        }
    }

    /// Those who are there, who wrote last first.
    func current(among people: Set<PublicKey>, now: Timestamp) -> [PublicKey] {
        let open = state.withLock { state in
            state.last = state.last.filter { $0.value + Self.span > now }
            return state.last
        }
        return open.filter { people.contains($0.key) && $0.value <= now + Self.ahead }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}
