import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import RelayServer
import Synchronization

/// The moment at which every attack takes place.
let attackMoment = Timestamp(seconds: 1_750_000_000)

/// One client of a relay, joined to it without a socket.
final class RelayClient: Sendable {
    private let toRelay: AsyncStream<[UInt8]>.Continuation
    private let fromRelay: AsyncStream<RelayMessage>

    fileprivate init(_ toRelay: AsyncStream<[UInt8]>.Continuation, _ fromRelay: AsyncStream<RelayMessage>) {
        (self.toRelay, self.fromRelay) = (toRelay, fromRelay)
    }

    func send(_ message: ClientMessage) { toRelay.yield(message.json) }

    /// The next message; `nil` when the relay has hung up.
    func receive() async -> RelayMessage? { await fromRelay.first { _ in true } }

    /// How many events come before the end of an answer.
    func countEvents() async -> Int {
        var count = 0
        while case .event? = await receive() { count += 1 }
        return count
    }

    /// Proves who it is to a relay that draws the challenge `challenge`.
    func authenticate(as person: TestPerson) async -> RelayMessage? {
        let tags: [Tag] = [["relay", "ws://127.0.0.1:4869"], ["challenge", "challenge"]]
        send(.auth(person.event("", kind: 22_242, tags: tags, at: attackMoment.seconds).unverified))
        return await receive()
    }
}

/// A relay with clients that are connected as the test goes on.
///
/// Its clock stands still, so that no deadline of the relay's passes on a machine that is slow.
struct RelayUnderAttack {
    let server: RelayServer

    init(_ store: any EventStore, policies: RelayPolicies = RelayPolicies(), limits: RelayLimits = RelayLimits()) throws
    {
        server = RelayServer(
            store: store, policies: policies, information: RelayInformation(), limits: limits,
            addresses: [try RelayURL("ws://127.0.0.1:4869")], clock: ManualClock(), now: { attackMoment },
            makeChallenge: { "challenge" })
    }

    /// Connects a client that reads.
    func connect(in group: inout ThrowingTaskGroup<Void, any Error>) -> RelayClient {
        let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
        let (messages, heard) = AsyncStream.makeStream(of: RelayMessage.self)
        group.addTask {
            await server.serve(
                frames: frames, send: { heard.yield(try RelayMessage(json: $0)) }, close: {}, peer: "reader")
            heard.finish()
        }
        return RelayClient(toRelay, messages)
    }

    /// Connects a client that says something and never reads.
    func connectDeaf(saying messages: [ClientMessage], in group: inout ThrowingTaskGroup<Void, any Error>) {
        group.addTask {
            let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
            for message in messages { toRelay.yield(message.json) }
            // A socket nobody reads takes nothing until it is closed.
            let (never, closing) = AsyncStream.makeStream(of: Never.self)
            await server.serve(
                frames: frames,
                send: { _ in
                    for await _ in never {}
                    throw CancellationError()
                }, close: { closing.finish() }, peer: "deaf")
        }
    }
}

/// A store that counts what it hands out.
struct CountingStore: EventStore {
    private let store = MemoryEventStore(now: { attackMoment })
    private let handedOut = Box()

    private final class Box: Sendable { let bytes = Mutex(0) }

    /// The bytes of all contents given so far.
    var bytes: Int { handedOut.bytes.withLock { $0 } }

    func save(_ events: [Event], from relay: RelayURL?) async throws -> [SaveOutcome] {
        await store.save(events, from: relay)
    }

    func query(_ filters: [Filter]) async throws -> [Event] {
        let events = await store.query(filters)
        note(events)
        return events
    }

    func answer(_ filters: [Filter], bytes: Int, most: Int) async throws -> StoredAnswer {
        let answer = try await store.answer(filters, bytes: bytes, most: most)
        note(answer.events)
        return answer
    }

    func count(_ filters: [Filter]) async throws -> Int { await store.count(filters) }
    func relays(of id: EventID) async throws -> Set<RelayURL> { await store.relays(of: id) }
    func changes() async -> AsyncStream<StoreChange> { await store.changes() }
    func dropExpired(now: Timestamp) async throws -> Int { await store.dropExpired(now: now) }
    func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) async throws -> [EventID: [Kind: Int]] {
        await store.referenceCounts(to: ids, kinds: kinds)
    }

    private func note(_ events: [Event]) {
        let bytes = events.reduce(0) { $0 + $1.content.utf8.count }
        handedOut.bytes.withLock { $0 += bytes }
    }
}

/// A subscription of a test.
func subscription(_ name: String) throws -> SubscriptionID {
    guard let id = SubscriptionID(name) else { throw ParseError(.invalidSubscriptionID, at: 0) }
    return id
}
