internal import NostrCore
internal import NostrNIPs

/// A signer for a person who typed the passphrase with what they do.
struct SignerWithPassphrase: SigningService {
    let signer: LiveSigner
    let typed: TypedPassphrase

    var account: PublicKey { signer.account }

    func passphraseAsking() async throws -> PassphraseAsking { try await signer.passphraseAsking() }
    func typing(_ passphrase: TypedPassphrase?) -> any SigningService { signer.typing(passphrase) }

    // What may need it.

    func decide(_ ids: [EventID], _ verdict: RequestVerdict, knowingLoss: Bool) async throws -> [EventID] {
        try await signer.decide(ids, verdict, knowingLoss: knowingLoss, typed: typed)
    }
    func update(_ client: SignerClient) async throws { try await signer.update(client, typed: typed) }
    func renewInvitation(trust: TrustLevel) async throws -> SignerInvitation {
        try await signer.renewInvitation(trust: trust, typed: typed)
    }
    func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) async throws -> AppPairing {
        try await signer.accept(token, name: name, trust: trust, grants: grants, typed: typed)
    }
    func setSettings(_ settings: SignerSettings) async throws { try await signer.setSettings(settings, typed: typed) }

    // What never does.

    func changes() async -> AsyncStream<SigningChange> { await signer.changes() }
    func waiting() async throws -> [WaitingRequest] { try await signer.waiting() }
    func backlog() async throws -> SigningBacklog { try await signer.backlog() }
    func restore(insteadOf id: EventID) async throws { try await signer.restore(insteadOf: id) }
    func answer(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, deadline: Duration
    ) async throws -> DirectAnswer {
        try await signer.answer(request, from: app, claims: claims, deadline: deadline)
    }
    func clients() async throws -> [SignerClient] { try await signer.clients() }
    func client(_ app: RequestingApp) async throws -> SignerClient? { try await signer.client(app) }
    func revoke(_ app: RequestingApp) async throws { try await signer.revoke(app) }
    func invitation() async throws -> SignerInvitation { try await signer.invitation() }
    func settings() async throws -> SignerSettings { try await signer.settings() }
    func relays() async throws -> [SignerRelayReport] { try await signer.relays() }
    func activity(_ query: ActivityQuery) async throws -> [ActivityEntry] { try await signer.activity(query) }
}
