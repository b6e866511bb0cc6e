internal import NostrCore
internal import NostrStore
internal import Synchronization

/// Which kinds stand on home and in feeds of people: those that always do, and what the account wants besides.
///
/// Relays are asked for all of them in any case, so that what is chosen is there at once. A class over one lock: every
/// page and every event that is stored asks.
final class HomeKinds: Sendable {
    private static let table = "home-kinds", key = "chosen"

    private struct State {
        var isLoaded = false
        var chosen: Set<Kind> = []
        var all: Set<Kind>
    }

    private let always: Set<Kind>
    private let records: any RecordStore
    private let state: Mutex<State>

    init(_ always: Set<Kind>, records: any RecordStore) {
        self.always = always
        self.records = records
        state = Mutex(State(all: always))
    }

    /// What is shown.
    var current: Set<Kind> { state.withLock { $0.all } }
    /// What of ``NoteKinds/chosen`` the account wants.
    var chosen: Set<Kind> { state.withLock { $0.chosen } }
    /// What relays are asked for.
    var asked: Set<Kind> { always.union(NoteKinds.chosen) }

    /// Reads what was chosen, once.
    func load() async throws {
        if state.withLock({ $0.isLoaded }) { return }
        let record = try await records.value(Self.key, in: Self.table) ?? []
        let numbers = String(decoding: record, as: UTF8.self).split(separator: " ").compactMap { UInt16($0) }
        let kept = Set(numbers.map { Kind($0) }).intersection(NoteKinds.chosen)
        state.withLock { state in
            guard !state.isLoaded else { return }
            (state.isLoaded, state.chosen, state.all) = (true, kept, always.union(kept))
        }
    }

    /// Shows these from now on; what is none of ``NoteKinds/chosen`` is left out.
    func choose(_ kinds: Set<Kind>) async throws {
        let kinds = kinds.intersection(NoteKinds.chosen)
        let text = kinds.map { "\($0.rawValue)" }.sorted().joined(separator: " ")
        try await records.apply([.put(table: Self.table, key: Self.key, value: Array(text.utf8))])
        state.withLock { ($0.isLoaded, $0.chosen, $0.all) = (true, kinds, always.union(kinds)) }
    }
}
