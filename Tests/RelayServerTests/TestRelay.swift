import Logging
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import RelayServer
import Synchronization

/// The moment at which every test takes place.
let testNow = Timestamp(seconds: 1_750_000_000)

/// Where clients know the relay of the tests.
func testAddress() throws -> RelayURL { try RelayURL("ws://127.0.0.1:4869") }

/// A key made of one repeated byte; noncopyable keys live in a class so that tests can pass them around.
final class Author: Sendable {
    let key: SecretKey
    var publicKey: PublicKey { key.publicKey }

    init(_ byte: UInt8) throws {
        key = try SecretKey([UInt8](repeating: byte, count: 32).span)
    }

    func sign(
        _ content: String, kind: Kind = 1, tags: [Tag] = [], at seconds: Int64 = testNow.seconds
    ) -> Event {
        var random = SystemRandomNumberGenerator()
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: seconds))
        return Event(signing: draft, with: key, using: &random)
    }
}

/// One client of a relay under test, joined to it without a socket.
final class TestClient: Sendable {
    private let toRelay: AsyncStream<[UInt8]>.Continuation
    private let fromRelay: AsyncStream<RelayMessage>

    init(toRelay: AsyncStream<[UInt8]>.Continuation, fromRelay: AsyncStream<RelayMessage>) {
        self.toRelay = toRelay
        self.fromRelay = fromRelay
    }

    func send(_ message: ClientMessage) { toRelay.yield(message.json) }
    func send(raw text: String) { toRelay.yield(Array(text.utf8)) }
    func hangUp() { toRelay.finish() }

    /// The next message of the relay, or `nil` when it has hung up.
    func receive() async -> RelayMessage? {
        for await message in fromRelay { return message }
        return nil
    }

    /// Hears messages until EOSE or CLOSED of a subscription, that one included.
    func receiveAnswer(_ id: SubscriptionID) async -> [RelayMessage] {
        var heard: [RelayMessage] = []
        while let message = await receive() {
            heard.append(message)
            switch message {
            case .eose(id), .closed(id, _): return heard
            default: continue
            }
        }
        return heard
    }

    /// Publishes and hears what became of it.
    func publish(_ event: Event) async -> RelayMessage? {
        send(.event(event.unverified))
        return await receive()
    }
}

/// Runs a relay and as many clients as the body connects; all end with the body.
///
/// Its clock stands still, so that no deadline of the relay's passes on a machine that is slow.
func withRelay(
    store: any EventStore = MemoryEventStore(now: { testNow }), policies: RelayPolicies = RelayPolicies(),
    limits: RelayLimits = RelayLimits(), challengesAtOnce: Bool = false, clients: Int = 1,
    body: ([TestClient]) async throws -> Void
) async throws {
    var information = RelayInformation()
    information.name = "Test"
    let relay = RelayServer(
        store: store, policies: policies, information: information, limits: limits, addresses: [try testAddress()],
        challengesAtOnce: challengesAtOnce, clock: ManualClock(), now: { testNow }, makeChallenge: { "challenge" })
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await relay.run() }
        var connected: [TestClient] = []
        for number in 0..<clients {
            let (frames, toRelay) = AsyncStream.makeStream(of: [UInt8].self)
            let (messages, heard) = AsyncStream.makeStream(of: RelayMessage.self)
            group.addTask {
                await relay.serve(
                    frames: frames, send: { heard.yield(try RelayMessage(json: $0)) }, close: {}, peer: "\(number)")
                heard.finish()
            }
            connected.append(TestClient(toRelay: toRelay, fromRelay: messages))
        }
        try await body(connected)
        group.cancelAll()
    }
}

/// A subscription id of a test.
func sub(_ text: String) throws -> SubscriptionID {
    guard let id = SubscriptionID(text) else { throw ParseError(.invalidSubscriptionID, at: 0) }
    return id
}

/// Nothing to add.
let fine = Reason(nil, "")
