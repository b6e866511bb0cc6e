import Logging
import NostrStore

/// Drops what has expired (NIP-40), once at the start and then every ten minutes.
struct Housekeeping: Sendable {
    let store: any EventStore
    let clock: any Clock<Duration>
    let log: Logger

    init(store: any EventStore, clock: any Clock<Duration> = ContinuousClock(), log: Logger) {
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// Works until cancelled.
    func run() async throws {
        while true {
            do {
                let dropped = try await store.dropExpired(now: .current)
                if dropped > 0 { log.info("dropped expired events", metadata: ["count": "\(dropped)"]) }
            } catch let error as StoreError {
                log.warning("could not drop expired events", metadata: ["why": "\(error.code)"])
            }
            try await clock.sleep(for: .seconds(600))
        }
    }
}
