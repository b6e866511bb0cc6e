import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Synchronization

/// A signer of the tests: it does what its script says, else what a plain signer would.
final class TestBunker: Sendable {
    /// What to answer; `nil` for what a plain signer answers, nothing for silence.
    typealias Script = @Sendable (RemoteRequest) async -> [RemoteResponse]?

    /// Its own key, which is not the person's.
    let own = LocalSigner(TestPerson.dave.secretKey)
    /// The person it signs for.
    let user = LocalSigner(TestPerson.alice.secretKey)
    let relays: [RelayURL]
    let cipher: ContentCipher
    private let ether: Ether
    private let script: Script
    private let heard = Mutex<[RemoteRequest]>([])

    /// Every request so far, repeats too.
    var requests: [RemoteRequest] { heard.withLock { $0 } }

    init(
        on ether: Ether, relays: [RelayURL], cipher: ContentCipher = .nip44, script: @escaping Script = { _ in nil }
    ) {
        self.ether = ether
        self.relays = relays
        self.cipher = cipher
        self.script = script
    }

    /// Listens and answers until cancelled.
    func run() async {
        let filter = Filter(kinds: [RemoteSigning.kind], tags: ["p": [own.publicKey.hex]])
        let subscription = await ether.subscribe(Dictionary(relays.map { ($0, [filter]) }) { first, _ in first })
        var seen: Set<EventID> = []
        for await update in subscription.updates {
            guard case .events(let events, _) = update else { continue }
            for event in events where seen.insert(event.id).inserted { await take(event) }
        }
    }

    /// Answers an invitation, as a signer does that scanned it.
    func accept(_ invitation: NostrConnectURI, with result: String) async {
        await send(RemoteResponse(id: "first", result: result), to: invitation.client, over: invitation.relays)
    }

    /// Sends a response, also one that nobody asked for.
    func send(_ response: RemoteResponse, to client: PublicKey, over relays: [RelayURL]? = nil) async {
        do {
            let payload = try await own.encrypt(response.json, for: client, by: cipher)
            let event = try await own.sign(
                RemoteSigning.draft(payload, to: client, now: Timestamp(seconds: 1_700_000_000)))
            for relay in relays ?? self.relays {
                _ = await ether.publish(event, to: relay, deadline: .seconds(1))
            }
        } catch {
            preconditionFailure("a test's response is well formed: \(error)")
        }
    }

    private func take(_ event: Event) async {
        guard let text = try? await own.decrypt(event.content, from: event.pubkey, by: .nip44),
            let request = try? RemoteRequest(json: Array(text.utf8))
        else { return }
        heard.withLock { $0.append(request) }
        let responses: [RemoteResponse]
        if let scripted = await script(request) {
            responses = scripted
        } else {
            responses = [await plainAnswer(to: request)]
        }
        for response in responses { await send(response, to: event.pubkey) }
    }

    /// What a signer without opinions answers.
    func plainAnswer(to request: RemoteRequest) async -> RemoteResponse {
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

/// Linnet's side of a pairing with a ``TestBunker`` over two relays, at work while `body` runs.
struct RemoteBench {
    let ether = Ether()
    let clock = ManualClock()
    let relays: [RelayURL]

    init() throws {
        relays = [try RelayURL("wss://one.example"), try RelayURL("wss://two.example")]
    }

    var time: RemoteTime {
        RemoteTime(clock: clock) { [clock] in Timestamp(seconds: 1_700_000_000) + clock.now.offset }
    }

    var client: LocalSigner { LocalSigner(TestPerson.bob.secretKey) }

    func signer(of bunker: TestBunker) -> RemoteSigner {
        RemoteSigner(
            RemotePairing(
                signer: bunker.own.publicKey, user: bunker.user.publicKey, client: client.publicKey, relays: relays),
            client: client, network: ether, time: time, log: Logger(label: "test"))
    }

    /// Runs a bunker and a signer that asks it.
    func run(
        cipher: ContentCipher = .nip44, keeping: @escaping @Sendable ([RelayURL]) async -> Void = { _ in },
        script: @escaping TestBunker.Script = { _ in nil },
        _ body: (RemoteSigner, TestBunker) async throws -> Void
    ) async throws {
        let bunker = TestBunker(on: ether, relays: relays, cipher: cipher, script: script)
        let signer = signer(of: bunker)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bunker.run() }
            group.addTask { await signer.run(keeping: keeping) }
            defer { group.cancelAll() }
            try await body(signer, bunker)
        }
    }

    /// Moves the clock step by step until work is done, so that every wait on the way gets its turn.
    func advancing<R: Sendable>(
        by step: Duration = .seconds(1), until work: @escaping @Sendable () async -> R
    ) async -> R {
        await withTaskGroup(of: R?.self) { group in
            group.addTask { await work() }
            group.addTask { [clock] in
                while !Task.isCancelled {
                    clock.advance(by: step)
                    await Task.yield()
                }
                return nil
            }
            for await result in group {
                if let result {
                    group.cancelAll()
                    return result
                }
            }
            preconditionFailure("the work always returns")
        }
    }
}

extension RemoteSigner {
    /// Waits until it is in a state that fits.
    func reaches(_ fits: @Sendable (RemoteSignerState) -> Bool) async {
        for await state in states() where fits(state) { return }
    }
}
