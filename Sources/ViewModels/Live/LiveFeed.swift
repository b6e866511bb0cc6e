internal import NostrClient
internal import Synchronization

/// Listens to an account for one open page.
public final class LiveFeed: Sendable {
    private let account: any Account
    private let state: Mutex<LiveState>

    init(_ account: any Account, newest: TimelineCursor?) {
        self.account = account
        state = Mutex(LiveState(own: account.publicKey, newest: newest))
    }

    /// Gathers what happens until cancelled.
    public func run() async {
        for await change in await account.changes() {
            state.withLock { $0.apply(change) }
        }
    }

    /// Hands out what gathered since the last time; `nil` when nothing did.
    public func takeDigest() -> LiveDigest? {
        state.withLock { $0.takeDigest() }
    }
}
