import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import Synchronization
import WebSocketNIO

/// What went to relays, and whether questions ended in time.
final class NetworkCounts: Sendable {
    /// The counts of one moment.
    struct Figures: Sendable {
        /// Bytes of messages sent, without the frames around them.
        var bytes = 0
        /// Messages that ask for events.
        var requests = 0
        /// Questions, each to some relays and with one deadline.
        var questions = 0
        /// Those of them that have not ended.
        var open = 0
        /// How long after its deadline a question was still there, at most.
        var latest = Duration.zero
    }

    private let state = Mutex(Figures())

    var figures: Figures { state.withLock { $0 } }

    fileprivate func questionBegan() {
        state.withLock { figures in
            figures.questions += 1
            figures.open += 1
        }
    }

    fileprivate func questionEnded(_ late: Duration) {
        state.withLock { figures in
            figures.open -= 1
            figures.latest = max(figures.latest, late)
        }
    }

    fileprivate func sent(_ text: [UInt8]) {
        state.withLock { figures in
            figures.bytes += text.count
            if text.starts(with: #"["REQ""#.utf8) { figures.requests += 1 }
        }
    }
}

/// A pool whose questions are counted.
struct CountedNetwork: RelayNetwork {
    let pool: RelayPool
    let counts: NetworkCounts

    func fetch(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> AsyncStream<FetchUpdate> {
        let question = OpenQuestion(counts, deadline: deadline)
        let updates = await pool.fetch(requests, deadline: deadline)
        return AsyncStream(unfolding: {
            for await update in updates { return update }
            question.end()
            return nil
        })
    }

    func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription { await pool.subscribe(requests) }

    func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome {
        await pool.publish(event, to: relay, deadline: deadline)
    }

    func requiredWork(at relays: Set<RelayURL>, deadline: Duration) async -> Int {
        await pool.requiredWork(at: relays, deadline: deadline)
    }

    func information(of relay: RelayURL, deadline: Duration) async -> RelayInformation? {
        await pool.information(of: relay, deadline: deadline)
    }

    func statistics() async -> [RelayURL: RelayStatistics] { await pool.statistics() }

    func expect(_ relays: Set<RelayURL>) async { await pool.expect(relays) }

    func refreshConsent(of relay: RelayURL) async { await pool.refreshConsent(of: relay) }

    func retryNow(_ relay: RelayURL) async { await pool.retryNow(relay) }
}

/// A question from its beginning until its answer is over, or nobody waits for it any more.
private final class OpenQuestion: Sendable {
    private let counts: NetworkCounts
    private let deadline: ContinuousClock.Instant
    private let hasEnded = Mutex(false)

    init(_ counts: NetworkCounts, deadline: Duration) {
        self.counts = counts
        self.deadline = ContinuousClock.now.advanced(by: deadline)
        counts.questionBegan()
    }

    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { counts.questionEnded(deadline.duration(to: ContinuousClock.now)) }
    }

    deinit { end() }
}

/// Sockets of which what is sent is counted.
struct CountedTransport: RelayTransport {
    let sockets: WebSocketTransport
    let counts: NetworkCounts

    func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection {
        let socket = try await sockets.connect(to: relay, deadline: deadline)
        return CountedConnection(socket: socket, counts: counts)
    }

    func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8] {
        try await sockets.information(of: relay, deadline: deadline, maxBytes: maxBytes)
    }
}

private struct CountedConnection: RelayConnection {
    let socket: any RelayConnection
    let counts: NetworkCounts

    var incoming: AsyncThrowingStream<[UInt8], any Error> { socket.incoming }

    func send(_ text: [UInt8]) async throws {
        counts.sent(text)
        try await socket.send(text)
    }

    func ping(deadline: Duration) async throws { try await socket.ping(deadline: deadline) }

    func close() async { await socket.close() }
}
