import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Synchronization

/// An app that asks Alice's signer, and reads what is answered.
final class TestApp: Sendable {
    let person: TestPerson
    let rig: SignerRig
    let key: LocalSigner
    private let hex: String
    private let subscription: any LiveSubscription
    private let count = Mutex(0)

    init(_ person: TestPerson, on rig: SignerRig, at relays: [RelayURL]? = nil) async {
        self.person = person
        self.rig = rig
        key = LocalSigner(person.secretKey, random: SeededRandom(seed: UInt64(person.rawValue)))
        hex = person.publicKey.hex
        let filter = Filter(kinds: [RemoteSigning.kind], tags: ["p": [hex]])
        subscription = await rig.network.subscribe(
            Dictionary((relays ?? rig.own).map { ($0, [filter]) }) { first, _ in first })
    }

    var app: RequestingApp { .remote(person.publicKey) }

    /// A request as an event; every one has an id of its own unless one is given.
    func event(
        _ method: String, _ parameters: [String] = [], id: String? = nil, cipher: ContentCipher = .nip44,
        to signer: PublicKey = TestPerson.alice.publicKey, after seconds: Int64 = 0
    ) async throws -> Event {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let request = RemoteRequest(id: id ?? "\(person) \(number)", name: method, parameters: parameters)
        return try await event(text: request.json, cipher: cipher, to: signer, after: seconds)
    }

    /// Any text as the content of a request.
    func event(
        text: String, cipher: ContentCipher = .nip44, to signer: PublicKey = TestPerson.alice.publicKey,
        after seconds: Int64 = 0
    ) async throws -> Event {
        try await key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", signer.hex]],
                content: try await key.encrypt(text, for: signer, by: cipher),
                createdAt: rig.moment.now + .seconds(seconds)))
    }

    /// Hands a request to the signer and gives back its answer; `nil` when there is none now.
    func ask(
        _ method: RemoteMethod, _ parameters: [String] = [], id: String? = nil, cipher: ContentCipher = .nip44
    ) async throws -> RemoteResponse? {
        let event = try await event(method.rawValue, parameters, id: id, cipher: cipher)
        return try await hand(event)
    }

    /// Hands an event to the signer and gives back its answer; `nil` when there is none now.
    func hand(_ event: Event, by relay: RelayURL? = nil) async throws -> RemoteResponse? {
        let before = answers.count
        _ = await rig.live.process(event.unverified, receivedFrom: relay ?? rig.own[0])
        let new = answers.dropFirst(before)
        guard let first = new.first else { return nil }
        return try await read(first)
    }

    /// Answers that went to this app, each once however many relays it went to.
    var answers: [Event] {
        var seen: Set<EventID> = []
        let hex = hex
        return rig.network.offers.map(\.event).filter { event in
            event.tags.firstValue("p") == hex && seen.insert(event.id).inserted
        }
    }

    /// Decrypts a response.
    func read(_ event: Event) async throws -> RemoteResponse {
        let cipher: ContentCipher = LegacyEncryption.isPayload(event.content) ? .nip04 : .nip44
        return try RemoteResponse(
            json: Array(try await key.decrypt(event.content, from: event.pubkey, by: cipher).utf8))
    }

    /// Sends an event by a relay, for a signer that runs.
    func send(_ event: Event, by relay: RelayURL? = nil) {
        rig.network.arrive(event, on: relay ?? rig.own[0])
    }

    /// The next response that comes by a relay.
    func next() async throws -> RemoteResponse {
        for await update in subscription.updates {
            if case .events(let events, _) = update, let first = events.first { return try await read(first) }
        }
        throw RigError.noAnswer
    }

    /// The event to sign of a request.
    static func note(_ content: String = "hello", kind: Int = 1, tags: String = "[]") -> String {
        "{\"kind\":\(kind),\"content\":\"\(content)\",\"tags\":\(tags),\"created_at\":1700000000}"
    }
}

/// What of Alice is published, as a test says.
final class ScriptedVersions: PublishedVersions {
    private struct State {
        var events: [Event] = []
        var isFresh = true
        var published: [Event] = []
    }
    private let state = Mutex(State())

    func put(_ events: Event...) { state.withLock { $0.events += events } }
    func setFresh(_ isFresh: Bool) { state.withLock { $0.isFresh = isFresh } }
    var published: [Event] { state.withLock { $0.published } }

    func current(_ address: EventAddress, deadline: Duration) async -> (event: Event?, isFresh: Bool) {
        state.withLock { state in
            (state.events.filter { $0.address == address }.max { $0.createdAt < $1.createdAt }, state.isFresh)
        }
    }

    func events(_ ids: [EventID]) async -> [Event] {
        state.withLock { $0.events.filter { ids.contains($0.id) } }
    }

    func publish(_ event: Event) async -> Bool {
        state.withLock { $0.published.append(event) }
        return true
    }
}
