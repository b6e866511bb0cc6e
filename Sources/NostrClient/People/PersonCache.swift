internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// The profiles in memory, so that a page of notes does not parse the same kind 0 again for every note, and how many
/// people somebody follows, so that no page counts a list of thousands again.
///
/// Bounded; a change of a profile in the store takes it out, and a read that began before such a change is not kept.
final class PersonCache: Sendable {
    private struct State {
        var profiles: [PublicKey: [String: String]] = [:]
        /// Whose profile is not in the store.
        var without: Set<PublicKey> = []
        /// `nil` inside: the list is not in the store.
        var followCounts: [PublicKey: Int?] = [:]
        var generation = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int = 4096) {
        self.capacity = capacity
    }

    /// The profile of a person, or whom they follow, may have changed.
    func forget(_ key: PublicKey) {
        state.withLock { state in
            state.generation += 1
            state.profiles[key] = nil
            state.without.remove(key)
            state.followCounts[key] = nil
        }
    }

    /// Everything may have changed.
    func forgetAll() {
        state.withLock { state in
            state.generation += 1
            state.profiles = [:]
            state.without = []
            state.followCounts = [:]
        }
    }

    /// How many people somebody follows; `nil` for somebody whose list is not in the store.
    func followCount(of key: PublicKey, from store: any EventStore) async throws -> Int? {
        let (known, generation) = state.withLock { ($0.followCounts[key], $0.generation) }
        if let known { return known }
        let list = try await store.query([Filter(authors: [key], kinds: [FollowList.kind], limit: 1)]).first
        let count = list.flatMap(FollowList.init)?.keys.count
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.followCounts.count >= capacity { state.followCounts = [:] }
            state.followCounts[key] = .some(count)
        }
        return count
    }

    /// The fields of people; those whose profile is not in the store have none.
    ///
    /// - Parameter believesAbsence: whether somebody who had no profile when it was looked for last is not looked for
    ///   again until one is known to have come; what has just been fetched may not be known of yet.
    func profiles(
        of keys: Set<PublicKey>, from store: any EventStore, believesAbsence: Bool = false
    ) async throws -> [PublicKey: [String: String]] {
        let (known, missing, generation) = state.withLock { state in
            var known: [PublicKey: [String: String]] = [:]
            var missing: Set<PublicKey> = []
            for key in keys {
                if let fields = state.profiles[key] {
                    known[key] = fields
                } else if !believesAbsence || !state.without.contains(key) {
                    missing.insert(key)
                }
            }
            return (known, missing, state.generation)
        }
        guard !missing.isEmpty else { return known }
        var found: [PublicKey: [String: String]] = [:]
        for event in try await store.query([Filter(authors: missing, kinds: [ProfileMetadata.kind])])
        where found[event.pubkey] == nil {
            found[event.pubkey] = ProfileMetadata(event)?.fields ?? [:]
        }
        state.withLock { state in
            guard state.generation == generation else { return }
            state.profiles.merge(found) { _, new in new }
            // Only what is too much goes: without any, a search among thousands would read them all each time.
            let surplus = max(state.profiles.count - capacity, 0)
            for key in Array(state.profiles.keys.prefix(surplus)) { state.profiles[key] = nil }
            state.without.subtract(found.keys)
            if state.without.count + missing.count > capacity { state.without = [] }
            state.without.formUnion(missing.subtracting(found.keys))
        }
        return known.merging(found) { _, new in new }
    }
}
