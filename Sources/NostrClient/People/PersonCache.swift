internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// The profiles in memory, so that a page of notes does not parse the same kind 0 again for every note.
///
/// Bounded; a change of a profile in the store takes it out, and a read that began before such a change is not kept.
final class PersonCache: Sendable {
    private struct State {
        var profiles: [PublicKey: [String: String]] = [:]
        var generation = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int = 4096) {
        self.capacity = capacity
    }

    /// The profile of a person changed.
    func forget(_ key: PublicKey) {
        state.withLock { state in
            state.generation += 1
            state.profiles[key] = nil
        }
    }

    /// Everything may have changed.
    func forgetAll() {
        state.withLock { state in
            state.generation += 1
            state.profiles = [:]
        }
    }

    /// The fields of people; those whose profile is not in the store have none.
    func profiles(of keys: Set<PublicKey>, from store: any EventStore) async throws -> [PublicKey: [String: String]] {
        let (known, generation) = state.withLock { state in
            (state.profiles.filter { keys.contains($0.key) }, state.generation)
        }
        let missing = keys.subtracting(known.keys)
        guard !missing.isEmpty else { return known }
        var found: [PublicKey: [String: String]] = [:]
        for event in try await store.query([Filter(authors: missing, kinds: [ProfileMetadata.kind])])
        where found[event.pubkey] == nil {
            found[event.pubkey] = ProfileMetadata(event)?.fields ?? [:]
        }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.profiles.count + found.count > capacity { state.profiles = [:] }
            state.profiles.merge(found) { _, new in new }
        }
        return known.merging(found) { _, new in new }
    }
}
