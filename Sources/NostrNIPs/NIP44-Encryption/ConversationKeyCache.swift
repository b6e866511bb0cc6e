public import NostrCore
internal import Synchronization

/// The conversation keys of one person with those they talk to, so that each is derived once.
///
/// Bounded: past the capacity the half that was used longest ago is given up, which wipes it. No lock is held while a
/// key is derived; two tasks that ask for the same one at the same moment both derive it.
public final class ConversationKeyCache: Sendable {
    private struct Entry {
        let key: ConversationKey
        var lastUse: UInt64
    }

    private struct State {
        var entries: [PublicKey: Entry] = [:]
        var uses: UInt64 = 0
        /// How often everything was removed: what was derived before is not put in after.
        var generation = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// An empty cache.
    ///
    /// - Parameter capacity: how many keys it holds at most.
    public init(capacity: Int = 1024) {
        self.capacity = max(capacity, 1)
    }

    /// How many keys it holds.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Whether the key with a person is there now.
    func holds(_ other: PublicKey) -> Bool { state.withLock { $0.entries[other] != nil } }

    /// The key of two people; the one of them is always the same.
    ///
    /// - Throws: ``/NostrCore/SharedSecretError/notAPublicKey``.
    public func key(
        between mine: borrowing SecretKey, and other: PublicKey
    ) throws(SharedSecretError) -> ConversationKey {
        let (held, generation) = state.withLock { state in (use(other, in: &state), state.generation) }
        if let held { return held }
        let key = try ConversationKey(between: mine, and: other)
        state.withLock { state in
            guard state.generation == generation else { return }
            state.uses += 1
            state.entries[other] = Entry(key: key, lastUse: state.uses)
            if state.entries.count > capacity { giveUpHalf(of: &state) }
        }
        return key
    }

    /// Wipes all keys.
    public func removeAll() {
        state.withLock { state in
            state.entries = [:]
            state.generation += 1
        }
    }

    private func use(_ other: PublicKey, in state: inout State) -> ConversationKey? {
        guard var entry = state.entries[other] else { return nil }
        state.uses += 1
        entry.lastUse = state.uses
        state.entries[other] = entry
        return entry.key
    }

    private func giveUpHalf(of state: inout State) {
        let uses = state.entries.values.map(\.lastUse).sorted()
        let bound = uses[uses.count / 2]
        state.entries = state.entries.filter { $0.value.lastUse >= bound }
    }
}
