import AsyncPrimitives
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrStore
import Synchronization

/// What goes to relays from login until nothing more is asked, against one pass: each relay is asked once for each author
/// it is needed for, in each of the questions there are (who they are, what there was, what comes).
let asking = Area(name: "asking") { setting in
    var measurements: [Measurement] = []
    for follows in [100, 1000, 3000] {
        let relays = try RelaysInMemory(follows: follows, seed: setting.seed)
        let sent = try await logIn(to: relays)
        let repeats = String(format: "%.2f", Double(sent.authors) / Double(max(1, sent.needed)))
        measurements += [
            Measurement(
                name: "asking-\(follows)", value: Double(sent.bytes) / 1000, unit: "kB",
                what: "sent to relays until all was asked, each author \(repeats) times"),
            Measurement(
                name: "asking-\(follows)-pass", value: Double(sent.needed * Sent.bytesPerAuthor) / 1000, unit: "kB",
                what: "\(sent.needed) authors of \(sent.pass.count) questions to relays, each once"),
        ]
    }
    return measurements
}

/// Runs a fresh account until nothing went to relays for two seconds.
private func logIn(to relays: RelaysInMemory) async throws -> Sent {
    let now = RelaysInMemory.now
    var log = Logger(label: "bench")
    log.logLevel = .critical
    let pool = RelayPool(transport: relays, wall: { now }, logger: log)
    let account = LiveAccount(
        publicKey: relays.reader, signer: nil, store: MemoryEventStore(now: { now }), records: MemoryRecordStore(),
        network: pool,
        configuration: AccountConfiguration(
            routing: RoutingPolicy(indexers: relays.indexers, fallback: relays.indexers), searchRelays: []),
        time: Time(clock: ContinuousClock(), now: { now }), log: log)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        group.addTask { await account.run() }
        defer { group.cancelAll() }
        let clock = ContinuousClock()
        let began = clock.now
        var last = 0
        var quiet = 0
        while quiet < 20, began.duration(to: clock.now) < .seconds(120) {
            try await clock.sleep(for: .milliseconds(100))
            let bytes = relays.sent.bytes
            quiet = bytes == last && bytes > 0 ? quiet + 1 : 0
            last = bytes
        }
        return relays.sent
    }
}

/// What went to relays.
private struct Sent {
    struct Question: Hashable {
        let relay: RelayURL
        let kinds: Set<Kind>
    }

    /// A key in a filter: 64 characters, two quotes, and a comma.
    static let bytesPerAuthor = 67

    /// Bytes of messages.
    var bytes = 0
    /// Authors in filters, as often as they were sent.
    var authors = 0
    /// For whom each relay was asked what.
    var pass: [Question: Set<PublicKey>] = [:]

    /// Authors in filters, had each been sent once to each relay in each of the questions.
    var needed: Int { pass.values.reduce(0) { $0 + $1.count } }

    mutating func count(_ filters: [Filter], to relay: RelayURL) {
        for filter in filters {
            guard let named = filter.authors else { continue }
            authors += named.count
            pass[Question(relay: relay, kinds: filter.kinds ?? []), default: []].formUnion(named)
        }
    }
}

/// Relays without sockets that hold people's lists and profiles, and no notes; a third of those that few use are dead.
///
/// People write to one to six relays; how many name a relay falls with its rank, as it does on the real network.
private final class RelaysInMemory: RelayTransport {
    static let now = Timestamp(seconds: 1_760_000_000)
    /// Who follows everybody.
    let reader: PublicKey
    let indexers: [RelayURL]
    private let living: Set<RelayURL>
    private let lists: [PublicKey: [Event]]
    private let counts = Mutex(Sent())

    init(follows: Int, seed: UInt64) throws {
        var random = Draws(state: seed)
        indexers = try ["wss://first.example", "wss://second.example"].map { try RelayURL($0) }
        let relays = try (0..<(50 + follows / 10)).map { try RelayURL("wss://relay\($0).example") }
        let dead = relays.dropFirst(10).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        living = Set(relays).subtracting(dead).union(indexers)
        let reading = Author(key: SecretKey.generate(using: &random))
        reader = reading.key.publicKey
        var lists: [PublicKey: [Event]] = [:]
        var tags: [Tag] = []
        for number in 0..<follows {
            let author = Author(key: SecretKey.generate(using: &random))
            let key = author.key.publicKey
            let drawn = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                let rank = pow(Double(relays.count), Double.random(in: 0..<1, using: &random))
                return relays[min(Int(rank) - 1, relays.count - 1)]
            }
            // Who follows comes after those who are followed.
            let moment = Self.now - .seconds(86_400 + 60 * number)
            let drafts = [
                EventDraft(kind: 0, content: #"{"name":"person \#(number)"}"#, createdAt: moment),
                EventDraft(kind: 10_002, tags: drawn.map { Tag(["r", $0.text]) }, createdAt: moment),
            ]
            lists[key] = drafts.map { Event(signing: $0, with: author.key, using: &random) }
            tags.append(Tag(["p", key.hex]))
        }
        let drafts = [
            EventDraft(kind: 3, tags: tags, createdAt: Self.now - .seconds(3600)),
            EventDraft(
                kind: 10_002, tags: relays.prefix(2).map { Tag(["r", $0.text]) }, createdAt: Self.now - .seconds(3600)),
        ]
        lists[reader] = drafts.map { Event(signing: $0, with: reading.key, using: &random) }
        self.lists = lists
    }

    /// What went to all of them.
    var sent: Sent { counts.withLock { $0 } }

    func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection {
        guard living.contains(relay) else { throw TransportFailure.refused }
        return ConnectionInMemory(to: relay, of: self)
    }

    func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8] {
        throw TransportFailure.handshake(status: 404)
    }

    /// What a relay answers to a message.
    fileprivate func answers(to text: [UInt8], at relay: RelayURL) throws -> [RelayMessage] {
        counts.withLock { $0.bytes += text.count }
        guard case .req(let id, let filters) = try ClientMessage(json: text) else { return [] }
        counts.withLock { $0.count(filters, to: relay) }
        let events = indexers.contains(relay) ? filters.flatMap { held($0) } : []
        return events.map { RelayMessage.event(id, $0.unverified) } + [.eose(id)]
    }

    private func held(_ filter: Filter) -> [Event] {
        let events = (filter.authors ?? []).flatMap { lists[$0] ?? [] }.filter { filter.matches($0) }
        return Array(events.sorted { $0.createdAt > $1.createdAt }.prefix(filter.limit ?? events.count))
    }
}

/// A connection that answers at once.
private final class ConnectionInMemory: RelayConnection {
    let incoming: AsyncThrowingStream<[UInt8], any Error>
    private let frames: AsyncThrowingStream<[UInt8], any Error>.Continuation
    private let relay: RelayURL
    private let relays: RelaysInMemory

    init(to relay: RelayURL, of relays: RelaysInMemory) {
        (self.relay, self.relays) = (relay, relays)
        (incoming, frames) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    }

    func send(_ text: [UInt8]) async throws {
        for message in try relays.answers(to: text, at: relay) { frames.yield(message.json) }
    }

    func ping(deadline: Duration) async throws {}

    func close() async { frames.finish() }
}
