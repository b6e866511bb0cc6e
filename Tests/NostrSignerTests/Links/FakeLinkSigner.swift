import NostrCore
import NostrNIPs
import NostrSigner

/// Answers at once with a local key, or what it was told to.
actor FakeLinkSigner: SigningService {
    nonisolated let account: PublicKey
    private let signer: LocalSigner
    private var scripted: DirectAnswer?
    private var failure: SigningServiceError?
    private var grants: [Grant] = []
    private var isPaired = true
    private(set) var asked: [RemoteRequest] = []
    private(set) var apps: [RequestingApp] = []
    private(set) var signed: [Event] = []

    init(_ signer: LocalSigner) {
        self.signer = signer
        account = signer.publicKey
    }

    func answer(_ answer: DirectAnswer?) { scripted = answer }
    func fail(_ error: SigningServiceError) { failure = error }
    func set(isPaired: Bool) { self.isPaired = isPaired }
    func grant(_ grants: [Grant]) { self.grants = grants }

    func answer(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, deadline: Duration
    ) async throws -> DirectAnswer {
        if let failure { throw failure }
        asked.append(request)
        apps.append(app)
        if let scripted { return scripted }
        func peer() throws -> PublicKey { try PublicKey(hex: request.parameters[0]) }
        switch request.method {
        case .getPublicKey: return .done(account.hex, nil)
        case .signEvent:
            let json = try JSONValue(Array(request.parameters[0].utf8))
            let draft = EventDraft(
                kind: Kind(UInt16(json["kind"]?.integer ?? 0)), content: json["content"]?.string ?? "",
                createdAt: Timestamp(seconds: json["created_at"]?.integer ?? 0))
            let event = try await signer.sign(draft)
            signed.append(event)
            return .done(String(decoding: event.json, as: UTF8.self), event)
        case .nip04Encrypt: return .done(try await signer.encrypt(request.parameters[1], for: peer(), by: .nip04), nil)
        case .nip44Encrypt: return .done(try await signer.encrypt(request.parameters[1], for: peer(), by: .nip44), nil)
        case .nip04Decrypt: return .done(try await signer.decrypt(request.parameters[1], from: peer(), by: .nip04), nil)
        case .nip44Decrypt: return .done(try await signer.decrypt(request.parameters[1], from: peer(), by: .nip44), nil)
        case .decryptZapEvent:
            let zap = try Event(verifying: UnverifiedEvent(json: Array(request.parameters[0].utf8)))
            return .done(String(decoding: try await signer.decryptZap(zap).json, as: UTF8.self), nil)
        default: return .failed("no such method")
        }
    }

    func client(_ app: RequestingApp) -> SignerClient? {
        guard isPaired else { return nil }
        var client = SignerClient(app: app, account: account, connected: Timestamp(seconds: 0))
        client.trust = .low
        client.grants = grants
        return client
    }

    // What links never ask for.
    func changes() -> AsyncStream<SigningChange> { AsyncStream { $0.finish() } }
    func waiting() -> [WaitingRequest] { [] }
    func decide(_ ids: [EventID], _ verdict: RequestVerdict, knowingLoss: Bool) -> [EventID] { [] }
    func restore(insteadOf id: EventID) {}
    func clients() -> [SignerClient] { [] }
    func update(_ client: SignerClient) {}
    func revoke(_ app: RequestingApp) {}
    func invitation() -> SignerInvitation {
        SignerInvitation(uri: BunkerURI(signer: account, relays: [], secret: nil), trust: .medium)
    }
    func renewInvitation(trust: TrustLevel) -> SignerInvitation { invitation() }
    func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) throws -> AppPairing { throw SigningServiceError(.recordsUnusable) }
    func settings() -> SignerSettings { SignerSettings() }
    func setSettings(_ settings: SignerSettings) {}
    func relays() -> [SignerRelayReport] { [] }
    func activity(_ query: ActivityQuery) -> [ActivityEntry] { [] }
    func passphraseAsking() -> PassphraseAsking { .noPassphrase }
    nonisolated func typing(_ passphrase: TypedPassphrase?) -> any SigningService { self }
}

/// Accounts in the order a test wants.
struct FakeAccounts: LinkAccounts {
    let order: [PublicKey]
    let signers: [PublicKey: FakeLinkSigner]

    func accounts() -> [PublicKey] { order }
    func signer(of account: PublicKey) -> (any SigningService)? { signers[account] }
}

/// A pasteboard a test looks into.
actor FakePasteboard: Pasteboard {
    private var texts: [String: String] = [:]
    private(set) var put: [String: (text: String, expires: Duration)] = [:]

    func set(_ text: String, under token: String) { texts[token] = text }
    func copy(_ text: String, expires: Duration) {}
    func text(under token: String) -> String? { texts[token] }
    func put(_ text: String, under token: String, expires: Duration) { put[token] = (text, expires) }
}
