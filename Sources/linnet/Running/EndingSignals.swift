import Synchronization
import UnixSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals by which the program is told to end, and ends in good order: with its files closed.
enum EndingSignals {
    /// SIGHUP, too, which a closing terminal sends; but not where the program was started to outlive it (`nohup`).
    static var all: [UnixSignal] {
        let before = signal(SIGHUP, SIG_IGN)
        let isIgnored = unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        _ = signal(SIGHUP, before)
        return isIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]
    }

    /// Does work that is asked to stop by the first such signal.
    ///
    /// - Parameter stop: makes the work end by itself.
    /// - Returns: the number of the signal; `nil` when none came.
    static func heeded(
        stop: @escaping @Sendable () async -> Void, _ work: () async throws -> Void
    ) async throws -> Int32? {
        let signals = await UnixSignalsSequence(trapping: all)
        let heard = HeardSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in signals {
                    heard.note(signal)
                    return await stop()
                }
            }
            defer { group.cancelAll() }
            try await work()
        }
        return heard.number
    }
}

private final class HeardSignal: Sendable {
    private let heard = Mutex<Int32?>(nil)

    var number: Int32? { heard.withLock { $0 } }

    func note(_ signal: UnixSignal) {
        let number =
            switch signal {
            case .sighup: SIGHUP
            case .sigint: SIGINT
            default: SIGTERM
            }
        heard.withLock { $0 = number }
    }
}
