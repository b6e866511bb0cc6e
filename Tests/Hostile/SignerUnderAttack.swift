import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Synchronization

/// Alice's signer with its whole policy, and the place where links are handed in.
struct SignerUnderAttack: LinkAccounts {
    static let now = Timestamp(seconds: 1_700_000_000)
    let live: LiveSigner
    let network: ScriptedNetwork
    let records = MemorySignerRecords()

    init() throws {
        let key = LockableSigner(TestPerson.alice.publicKey)
        try key.unlock(with: LocalSigner(TestPerson.alice.secretKey))
        let clock = ManualClock()
        network = ScriptedNetwork(clock: clock)
        live = LiveSigner(
            signer: key, records: records, network: network, time: Time(clock: clock, now: { Self.now }),
            minute: { 600 }, random: SeededRandom(seed: 3),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func accounts() async -> [PublicKey] { [live.account] }
    func signer(of account: PublicKey) async -> (any SigningService)? { live }

    /// What became of a link, and what the person was asked about it.
    struct Answered {
        var outcome: LinkOutcome
        var asked: WaitingRequest?

        /// What was opened or copied without a click.
        var given: String? {
            switch outcome.delivery {
            case .open(let text), .copy(let text): text
            case .post(let answer): answer.fields.map(\.value).joined(separator: " ")
            case .offer, .nothing: nil
            }
        }
    }

    private final class Asked: Sendable {
        let request = Mutex<WaitingRequest?>(nil)
    }

    /// Hands a link in as a program or page would; the person says this to whatever they are asked.
    func answer(_ link: String, saying verdict: RequestVerdict) async throws -> Answered {
        let desk = SignerLinkHandler(accounts: self, name: "linnet", random: SystemRandomNumberGenerator()) { Self.now }
        let changes = await live.changes()
        let asked = Asked()
        return try await withThrowingTaskGroup(of: LinkOutcome?.self) { group in
            group.addTask { await desk.handle(link) }
            group.addTask { [live] in
                for await _ in changes {
                    guard let request = try await live.waiting().first else { continue }
                    asked.request.withLock { $0 = request }
                    let said = try await live.decide([request.id], verdict, knowingLoss: false)
                    // What cannot be kept for good is left alone; a person then says it for this once.
                    guard said.isEmpty else { continue }
                    _ = try await live.decide([request.id], .once(allow: verdict.allows), knowingLoss: false)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let done = try await group.next() {
                if let done { return Answered(outcome: done, asked: asked.request.withLock { $0 }) }
            }
            throw CancellationError()
        }
    }

    /// A site is paired, and may sign notes without asking.
    func pair(_ destination: String, trust: TrustLevel = .medium) async throws {
        var client = SignerClient(app: .link(destination), account: live.account, connected: Self.now)
        client.trust = trust
        client.grants = [Grant(RemotePermission(.signEvent, kind: 1), .allow, made: Self.now)]
        try await records.save(client)
    }

    /// A link that asks for a note to be signed.
    static func note(_ rest: String, saying words: String = "buy this") -> String {
        let draft = #"{"kind":1,"content":"\#(words)","tags":[],"created_at":1700000000}"#
        return "nostrsigner:\(PercentEncoding.encode(draft))?type=sign_event&" + rest
    }
}

/// An app behind relays that is not polite.
struct HostileApp {
    let signer: SignerUnderAttack
    let key: LocalSigner

    init(_ person: TestPerson, at signer: SignerUnderAttack) {
        self.signer = signer
        key = LocalSigner(person.secretKey)
    }

    /// Sends a request under an id of its choice; what the signer answers, if it does.
    func ask(_ id: String, _ method: RemoteMethod, _ parameters: [String], after seconds: Int64) async throws
        -> RemoteResponse?
    {
        let account = signer.live.account
        let request = RemoteRequest(id: id, method, parameters)
        let event = try await key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", account.hex]],
                content: try await key.encrypt(request.json, for: account, by: .nip44),
                createdAt: SignerUnderAttack.now + .seconds(seconds)))
        let before = signer.network.offers.count
        _ = await signer.live.process(event.unverified, receivedFrom: try RelayURL("wss://relay.example"))
        guard let answer = signer.network.offers.dropFirst(before).first?.event else { return nil }
        return try RemoteResponse(
            json: Array(try await key.decrypt(answer.content, from: account, by: .nip44).utf8))
    }
}
