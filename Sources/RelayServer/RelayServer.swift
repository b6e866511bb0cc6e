package import AsyncPrimitives
public import Logging
public import NostrCore
public import NostrNIPs
public import NostrStore
internal import Synchronization

/// A Nostr relay as a library: any socket layer hands it frames, any store keeps its events, policies are functions.
///
/// Every event is verified before it is judged and kept; `OK` is said only after the store's commit. One task runs
/// ``run()`` for as long as the relay lives: it hands what is new in the store to whoever asked for it.
/// Source: NIP-01, 09, 11, 40, 42, 45, 50, 70.
public final class RelayServer: Sendable {
    /// What the relay says of itself, its limits included.
    public let information: RelayInformation
    /// How much one client may ask for.
    public let limits: RelayLimits

    private let shared: SharedParts
    private let feed: StoreChanges
    private let addresses: Mutex<[RelayURL]>
    private let connections = Mutex<[UInt64: Connection]>([:])
    private let lastNumber = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - store: keeps the events; what others put into it is served too.
    ///   - policies: who may publish, ask and see what.
    ///   - information: what the relay says of itself (NIP-11); the limits are filled in here.
    ///   - limits: how much one client may ask for.
    ///   - addresses: where clients know this relay; without any, nobody can authenticate (NIP-42).
    ///   - challengesAtOnce: whether the NIP-42 challenge goes out when a connection opens, or only when a policy asks.
    ///   - clock: measures deadlines.
    ///   - now: the moment, to judge `created_at`.
    ///   - makeChallenge: draws an unpredictable challenge for a connection.
    ///   - log: gets no content and no keys.
    public init(
        store: any EventStore, policies: RelayPolicies = RelayPolicies(), information: RelayInformation,
        limits: RelayLimits = RelayLimits(), addresses: [RelayURL] = [], challengesAtOnce: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp,
        makeChallenge: @escaping @Sendable () -> String = RelayServer.randomChallenge,
        log: Logger = Logger(label: "relay")
    ) {
        var information = information
        information.limitation.fill(from: limits)
        self.information = information
        self.limits = limits
        feed = StoreChanges(store)
        let time = Time(clock: clock, now: now)
        shared = SharedParts(
            store: store, policies: policies, limits: limits, challengesAtOnce: challengesAtOnce,
            time: time, makeChallenge: makeChallenge,
            sendDeadline: CommonDeadline(limits.sendDeadline, on: clock),
            lanes: ReadingLanes(places: limits.readers, slice: limits.readingSlice, uptime: time.uptime),
            forgeries: ForgeryLimit(limits.forgedEvents, uptime: time.uptime), log: log)
        self.addresses = Mutex(addresses)
    }

    /// Learns further addresses by which clients know this relay, for authentication on connections that open later.
    ///
    /// For a port that the system chooses: it is known only once the relay listens.
    public func isKnown(as further: [RelayURL]) {
        addresses.withLock { $0 += further }
    }

    /// The relay's information document, JSON.
    ///
    /// Source: NIP-11.
    public var document: [UInt8] {
        information.json
    }

    /// The NIPs this relay honours by itself, for its information document.
    public static var supportedNIPs: [Int] { SupportedNIP.relayNumbers }

    /// How many clients are connected.
    public var connectionCount: Int {
        connections.withLock { $0.count }
    }

    /// How much memory answers and events take that wait to be read by clients, in bytes.
    package var waitingBytes: Int {
        shared.waiting.count
    }

    /// How many questions wait for their turn to read the store.
    package var waitingQuestions: Int {
        shared.lanes.waitingCount
    }

    /// Rings when more or fewer questions wait.
    package var questionChanges: Doorbell {
        shared.lanes.changes
    }

    /// Serves one client; returns when its frames end, it stops reading, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - frames: its text messages; what is not read here is the socket's back-pressure.
    ///   - send: writes one text message; returns when the socket has taken it.
    ///   - close: ends the socket, so that a `send` that waits fails, and each later one; called from any task when a
    ///     message was not taken within ``RelayLimits/sendDeadline``, perhaps just after this has returned. Must not wait.
    ///   - peer: where it comes from, for policies and the log.
    public func serve<Frames: AsyncSequence & Sendable>(
        frames: Frames, send: @escaping @Sendable ([UInt8]) async throws -> Void,
        close: @escaping @Sendable () -> Void, peer: String
    ) async where Frames.Element == [UInt8] {
        // What a client publishes must reach the others even when `run()` has not got far yet.
        _ = await feed.changes()
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let connection = Connection(
            number: number, peer: peer, addresses: addresses.withLock { $0 }, shared: shared)
        connections.withLock { $0[number] = connection }
        defer { connections.withLock { $0[number] = nil } }
        await connection.serve(frames, send: send, close: close)
    }

    /// Hands what is new in the store to the clients that asked for it, until the task is cancelled.
    public func run() async {
        for await change in await feed.changes() {
            let all = connections.withLock { Array($0.values) }
            switch change {
            case .added(let event):
                guard !all.isEmpty else { continue }
                let json = event.unverified.json
                for connection in all { connection.deliver(event, json: json) }
            case .removed:
                break
            case .missed:
                for connection in all { connection.missedEvents() }
            }
        }
    }

    /// 32 hexadecimal digits from the system's random numbers.
    @Sendable public static func randomChallenge() -> String {
        var random = SystemRandomNumberGenerator()
        return encodeHex(randomBytes(16, using: &random))
    }
}

/// The store's changes, asked for once.
private actor StoreChanges {
    private let store: any EventStore
    private var stream: AsyncStream<StoreChange>?

    init(_ store: any EventStore) {
        self.store = store
    }

    func changes() async -> AsyncStream<StoreChange> {
        if let stream { return stream }
        let fresh = await store.changes()
        let first = stream ?? fresh
        stream = first
        return first
    }
}
