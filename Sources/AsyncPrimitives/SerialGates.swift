internal import Synchronization

/// A ``SerialGate`` for each key: whoever wants the same as somebody else waits until that one has it, others go beside it.
///
/// A gate is kept only while somebody is at it. Work inside may pass the gates of other keys, and not its own again.
public final class SerialGates<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let gate = SerialGate()
        var users = 0
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// Open gates.
    public init() {}

    /// Waits for its turn, then works; looks first whether there is anything left to be done.
    ///
    /// A cancelled task waits for its turn, too: what it does then is its own affair.
    public func run<Value>(_ key: Key, _ work: () async throws -> Value) async rethrows -> Value {
        let gate = entries.withLock { entries in
            var entry = entries[key] ?? Entry()
            entry.users += 1
            entries[key] = entry
            return entry.gate
        }
        defer { leave(key) }
        return try await gate.run(work)
    }

    private func leave(_ key: Key) {
        entries.withLock { entries in
            guard var entry = entries[key] else { return }
            entry.users -= 1
            entries[key] = entry.users > 0 ? entry : nil
        }
    }
}
