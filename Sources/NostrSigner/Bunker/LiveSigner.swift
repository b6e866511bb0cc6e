public import Logging
public import NostrCore
internal import NostrNIPs
internal import Synchronization

/// One account's signer: listens on relays, decides by one ``Policy``, asks the person where it must, and answers.
///
/// ``run()`` owns all its tasks. What it knows of apps and settings is in memory, what must not be lost is in its
/// ``SignerRecords`` before anybody is answered: a request that was admitted is answered after a crash too, and never
/// signed twice. Source: NIP-46.
public final class LiveSigner: Sendable {
    /// Whose.
    public let account: PublicKey
    let signer: any EventSigner
    let records: any SignerRecords
    let network: any SignerNetwork
    let versions: any PublishedVersions
    let configuration: SignerConfiguration
    let clock: any Clock<Duration>
    let now: @Sendable () -> Timestamp
    let minute: @Sendable () -> Int
    let logger: Logger
    let state = Mutex(SignerState())
    private let random: Mutex<any RandomNumberGenerator & Sendable>
    let jobs: AsyncStream<SignerJob>
    let job: AsyncStream<SignerJob>.Continuation
    let relayChanges: AsyncStream<Void>
    let relayChange: AsyncStream<Void>.Continuation

    /// A signer that does nothing until it runs.
    ///
    /// - Parameters:
    ///   - signer: holds the account's key; it may be locked.
    ///   - versions: what of the account is published, to say what a signature would change.
    ///   - clock: measures all waits.
    ///   - now: the time of day.
    ///   - minute: the minute of the day, local time, 0..<1440.
    ///   - random: makes secrets.
    public init(
        signer: any EventSigner, records: any SignerRecords, network: any SignerNetwork,
        versions: any PublishedVersions = NoPublishedVersions(),
        configuration: SignerConfiguration = SignerConfiguration(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp, minute: @escaping @Sendable () -> Int,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        account = signer.publicKey
        self.signer = signer
        self.records = records
        self.network = network
        self.versions = versions
        self.configuration = configuration
        self.clock = clock
        self.now = now
        self.minute = minute
        self.logger = logger
        self.random = Mutex(random)
        (jobs, job) = AsyncStream.makeStream(of: SignerJob.self)
        (relayChanges, relayChange) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Tries again what waited for the key.
    public func keyDidUnlock() {
        job.yield(.unlocked)
    }

    /// What happens from now on.
    public func changes() async -> AsyncStream<SigningChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SigningChange.self, bufferingPolicy: .bufferingNewest(256))
        let number = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = continuation
            return state.nextWatcher
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells whoever looks on.
    func tell(_ changes: SigningChange...) {
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers {
            for change in changes { watcher.yield(change) }
        }
    }

    /// A fresh secret: 16 random bytes in hex.
    func newSecret() -> String {
        random.withLock { encodeHex(randomBytes(16, using: &$0)) }
    }

    /// Does something with the key within its deadline.
    func withKey<Value: Sendable>(_ body: @escaping @Sendable (any EventSigner) async throws -> Value) async throws
        -> Value
    {
        // A key in this process answers at once, and a race with a clock would cost more than the answer.
        if signer.answersAtOnce { return try await body(signer) }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { [signer] in try await body(signer) }
            group.addTask { [clock, configuration] in
                try await clock.sleep(for: configuration.keyDeadline)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw SigningFailure.timedOut }
            return value
        }
    }
}

/// What ``LiveSigner/run()`` does besides listening.
enum SignerJob: Sendable {
    /// Bring an answer to its app.
    case deliver(OutgoingAnswer)
    /// Answer an app's token until it is heard of.
    case handshake(Handshake)
    /// The key is there again.
    case unlocked
    /// What waits may be allowed by now.
    case reconsider
}
