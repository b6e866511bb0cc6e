public import NostrClient
public import NostrCore
import Synchronization

/// What people show on their pages, as a test put it in.
public final class FakeShowcases: ShowcaseReading {
    private let shown = Mutex<[PublicKey: PersonShowcase]>([:])

    /// Nobody shows anything yet.
    public init() {}

    /// Has somebody show something.
    public func put(_ showcase: PersonShowcase, of key: PublicKey) { shown.withLock { $0[key] = showcase } }

    public func showcase(of key: PublicKey, evenMuted: Bool) async throws -> PersonShowcase {
        shown.withLock { $0[key] } ?? PersonShowcase()
    }
}
