internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrRelay
public import NostrSigner
internal import Synchronization

/// A signer of the tests: it does what its script says, else what a plain signer would.
public final class ScriptedBunker: Sendable {
    /// What to answer; `nil` for what a plain signer answers, nothing for silence.
    public typealias Script = @Sendable (RemoteRequest) async -> [RemoteResponse]?

    /// Its own key, which is not the person's.
    public let own = LocalSigner(TestPerson.dave.secretKey)
    /// The person it signs for.
    public let user = LocalSigner(TestPerson.alice.secretKey)
    /// Where it listens and answers.
    public let relays: [RelayURL]
    /// How it encrypts answers.
    public let cipher: ContentCipher
    private let network: any SignerNetwork
    private let script: Script
    private let now: @Sendable () -> Timestamp
    private let heard = Mutex<[RemoteRequest]>([])
    /// Counts the requests, for those who wait for one.
    private let count = CurrentValue(0)

    private let listens = CurrentValue(false)

    /// Waits until it hears what is sent to it: what nobody listens for is lost.
    public func waitUntilItListens() async {
        for await isListening in listens.values() where isListening { return }
    }

    /// Every request so far, repeats too.
    public var requests: [RemoteRequest] { heard.withLock { $0 } }

    /// Waits until a request has come that fits.
    public func wait(for fits: (RemoteRequest) -> Bool) async {
        for await _ in count.values() {
            if requests.contains(where: fits) { return }
        }
    }

    /// Takes where it is reached and what it does.
    ///
    /// - Parameter now: the date of its answers.
    public init(
        on network: any SignerNetwork, relays: [RelayURL], cipher: ContentCipher = .nip44,
        now: @escaping @Sendable () -> Timestamp = { Timestamp(seconds: 1_700_000_000) },
        script: @escaping Script = { _ in nil }
    ) {
        self.network = network
        self.now = now
        self.relays = relays
        self.cipher = cipher
        self.script = script
    }

    /// Listens and answers until cancelled.
    public func run() async {
        let filter = Filter(kinds: [RemoteSigning.kind], tags: ["p": [own.publicKey.hex]])
        let subscription = await network.subscribe(Dictionary(relays.map { ($0, [filter]) }) { first, _ in first })
        listens.set(true)
        var seen: Set<EventID> = []
        for await update in subscription.updates {
            guard case .events(let events, _) = update else { continue }
            for event in events where seen.insert(event.id).inserted { await answer(event) }
        }
    }

    /// Answers an invitation, as a signer does that scanned it.
    public func accept(_ invitation: NostrConnectURI, with result: String) async {
        await send(RemoteResponse(id: "first", result: result), to: invitation.client, over: invitation.relays)
    }

    /// Sends a response, also one that nobody asked for.
    public func send(_ response: RemoteResponse, to client: PublicKey, over relays: [RelayURL]? = nil) async {
        do {
            let payload = try await own.encrypt(response.json, for: client, by: cipher)
            let event = try await own.sign(
                RemoteSigning.draft(payload, to: client, now: now()))
            for relay in relays ?? self.relays {
                _ = await network.publish(event, to: relay, deadline: .seconds(5))
            }
        } catch {
            preconditionFailure("a test's response is well formed: \(error)")
        }
    }

    private func answer(_ event: Event) async {
        guard let text = try? await own.decrypt(event.content, from: event.pubkey, by: .nip44),
            let request = try? RemoteRequest(json: Array(text.utf8))
        else { return }
        count.set(
            heard.withLock { heard in
                heard.append(request)
                return heard.count
            })
        let responses: [RemoteResponse]
        if let scripted = await script(request) {
            responses = scripted
        } else {
            responses = [await plainAnswer(to: request)]
        }
        for response in responses { await send(response, to: event.pubkey) }
    }

    /// What a signer without opinions answers.
    public func plainAnswer(to request: RemoteRequest) async -> RemoteResponse {
        do {
            return RemoteResponse(id: request.id, result: try await result(of: request))
        } catch {
            return RemoteResponse(id: request.id, error: "it failed")
        }
    }

    private func result(of request: RemoteRequest) async throws -> String {
        let first = request.parameter(0) ?? ""
        let second = request.parameter(1) ?? ""
        switch request.method {
        case .connect: return second.isEmpty ? "ack" : second
        case .getPublicKey: return user.publicKey.hex
        case .ping: return "pong"
        case .switchRelays: return "null"
        case .logout: return "ack"
        case .signEvent:
            let read = try UnsignedEvent(json: first.utf8.span)
            return String(decoding: try await user.sign(read.draft).unverified.json, as: UTF8.self)
        case .nip44Encrypt: return try await user.encrypt(second, for: try PublicKey(hex: first), by: .nip44)
        case .nip44Decrypt: return try await user.decrypt(second, from: try PublicKey(hex: first), by: .nip44)
        case .nip04Encrypt: return try await user.encrypt(second, for: try PublicKey(hex: first), by: .nip04)
        case .nip04Decrypt: return try await user.decrypt(second, from: try PublicKey(hex: first), by: .nip04)
        default: throw SigningFailure.refused
        }
    }
}
