import AsyncPrimitives
import Logging
import NostrCore
import NostrStore
import Synchronization
import Testing

@testable import RelayServer

@Suite("Clients that leave")
struct LeavingTests {
    @Test("are no errors in the log; a store that fails is one")
    func quiet() throws {
        let lines = Lines()
        let parts = SharedParts(
            store: MemoryEventStore(now: { testNow }), policies: RelayPolicies(), limits: RelayLimits(),
            challengesAtOnce: false, time: Time(clock: ContinuousClock(), now: { testNow }),
            makeChallenge: { "challenge" },
            log: Logger(label: "test") { _ in lines })
        _ = parts.reason(for: CancellationError())
        #expect(lines.count == 0)
        struct Failure: Error {}
        #expect(parts.reason(for: Failure()) == Reason(.error, "the relay could not use its store"))
        #expect(lines.count == 1)
    }
}

/// Counts what is logged.
private final class Lines: LogHandler {
    private let lines = Mutex(0)

    var count: Int { lines.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        lines.withLock { $0 += 1 }
    }
}
