internal import NostrClient
internal import Synchronization

/// Listens to an account for one open page.
public final class LiveFeed: Sendable {
    private let changes: AsyncStream<AccountChange>
    private let state: Mutex<LiveState>

    /// Listens from here on, so that what a page reads after this and what it hears leave no gap.
    init(_ account: any Account, newest: TimelineCursor?) async {
        changes = await account.changes()
        state = Mutex(LiveState(own: account.publicKey, newest: newest))
    }

    /// Gathers what happens until cancelled.
    public func run() async {
        for await change in changes {
            state.withLock { $0.apply(change) }
        }
    }

    /// Hands out what gathered since the last time; `nil` when nothing did.
    public func takeDigest() -> LiveDigest? {
        state.withLock { $0.takeDigest() }
    }
}
