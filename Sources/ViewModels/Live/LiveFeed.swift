public import AsyncPrimitives
public import NostrClient
internal import Synchronization

/// Listens to an account for the open pages of a browser.
public final class LiveFeed: Sendable {
    private let changes: AsyncStream<AccountChange>
    private let state: Mutex<LiveState>
    private let bell: Doorbell

    /// Listens from here on, so that what a page reads after this and what it hears leave no gap.
    ///
    /// - Parameters:
    ///   - account: whose changes.
    ///   - bell: rung whenever there is something to deliver.
    public init(_ account: any Account, bell: Doorbell) async {
        changes = await account.changes()
        state = Mutex(LiveState())
        self.bell = bell
    }

    /// Gathers what happens until cancelled.
    public func run() async {
        for await change in changes { gather(change) }
    }

    /// Hands out what gathered since the last time; `nil` when nothing did.
    public func takeDigest() -> LiveDigest? {
        state.withLock { $0.takeDigest() }
    }

    func gather(_ change: AccountChange) {
        let hasNews = state.withLock { state in
            state.apply(change)
            return state.hasNews
        }
        if hasNews { bell.ring() }
    }
}
