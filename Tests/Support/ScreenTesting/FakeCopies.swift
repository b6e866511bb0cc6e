public import NostrClient
public import NostrCore
import Synchronization

/// What a machine stores of others, as a test says.
public final class FakeCopies: CopyRemoving {
    private let state = Mutex<[PublicKey]>([])

    /// Nothing was dropped yet.
    public init() {}

    /// Of whom everything was dropped.
    public var removed: [PublicKey] { state.withLock { $0 } }

    public func removeCopies(of person: PublicKey) async throws -> Int {
        state.withLock { $0.append(person) }
        return 3
    }
}
