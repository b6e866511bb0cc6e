public import NostrCore
public import NostrNIPs
public import NostrSigner
internal import Synchronization
public import ViewModels

/// A signer that lives in memory: what a test put in is what screens see.
public actor ScriptedSigningService: SigningService {
    /// What a person said to requests.
    public struct Decided: Hashable, Sendable {
        /// To which.
        public var ids: [EventID]
        /// What.
        public var verdict: RequestVerdict
        /// Whether they knew what would go.
        public var knowingLoss: Bool
    }

    /// What a person said to an app's token.
    public struct Accepted: Hashable, Sendable {
        /// The token.
        public var token: NostrConnectURI
        /// What to call the app.
        public var name: String?
        /// How far to trust it.
        public var trust: TrustLevel
        /// What it may.
        public var grants: [Grant]
    }

    public nonisolated let account: PublicKey
    /// What waits, oldest first.
    public private(set) var requests: [WaitingRequest] = []
    /// The apps, the one seen last first.
    public private(set) var apps: [SignerClient] = []
    /// What holds for all apps.
    public private(set) var all = SignerSettings()
    /// The log, newest first.
    public private(set) var log: [ActivityEntry] = []
    /// What `relays()` answers.
    public private(set) var reports: [SignerRelayReport] = []
    /// What was decided, in order.
    public private(set) var decisions: [Decided] = []
    /// Requests instead of which the version in force was published again.
    public private(set) var restored: [EventID] = []
    /// Tokens that were accepted, with what the person said.
    public private(set) var accepted: [Accepted] = []
    /// Thrown by everything, when set.
    public private(set) var refusal: SigningServiceError?
    /// How many invitations were made.
    public private(set) var invitations = 1
    /// What the latest of them gives.
    public private(set) var invitationTrust = TrustLevel.medium
    /// Whether an app whose token is accepted answers.
    public private(set) var appsAnswer = true
    /// Whether requests by links are answered as the person decides, and not refused at once.
    public private(set) var holdsLinks = false
    /// The passphrase it asks for with a yes to what ``arrive(_:)`` marked so; `nil` where the key has none.
    public private(set) var passphrase: String?
    private let typed = Mutex<TypedPassphrase?>(nil)
    private var callers: [AsyncStream<DirectAnswer>.Continuation] = []
    private var linkAnswer: DirectAnswer?
    private var listeners: [AsyncStream<SigningChange>.Continuation] = []

    /// A signer without apps.
    public init(of account: PublicKey) {
        self.account = account
    }

    /// Puts a request there, and its app where it is new.
    public func arrive(_ request: WaitingRequest) {
        if !apps.contains(where: { $0.id == request.client.id }) { apps.insert(request.client, at: 0) }
        requests.append(request)
        announce(.waiting)
    }
    /// Takes a request away, as when it is decided elsewhere.
    public func withdraw(_ id: EventID) {
        requests.removeAll { $0.id == id }
        announce(.waiting)
    }
    /// Puts an app there.
    public func pair(_ client: SignerClient) {
        apps.insert(client, at: 0)
        announce(.clients)
    }
    /// Puts lines in the log, newest first.
    public func write(_ entries: [ActivityEntry]) {
        log = entries
        announce(.activity)
    }
    /// Sets how the relays are doing.
    public func set(reports: [SignerRelayReport]) { self.reports = reports }
    /// Sets what everything throws.
    public func refuse(with error: SigningServiceError?) { refusal = error }
    /// Sets whether an app whose token is accepted answers.
    public func set(appsAnswer: Bool) { self.appsAnswer = appsAnswer }

    /// Lets requests by links wait for what the person decides.
    public func holdLinks() { holdsLinks = true }

    /// Answers requests by links so, those that wait and those that come.
    public func answerLinks(_ answer: DirectAnswer) {
        linkAnswer = answer
        for caller in callers { caller.yield(answer) }
    }

    /// Ends what listeners hear.
    public func finish() {
        for listener in listeners { listener.finish() }
    }

    private func announce(_ change: SigningChange) {
        for listener in listeners { listener.yield(change) }
    }
    private func check() throws {
        if let refusal { throw refusal }
    }

    /// Gives the key a passphrase.
    public func set(passphrase: String?) { self.passphrase = passphrase }

    public func passphraseAsking() -> PassphraseAsking {
        passphrase == nil ? .noPassphrase : all.asksForPassphrase ? .on : .off
    }

    public nonisolated func typing(_ passphrase: TypedPassphrase?) -> any SigningService {
        typed.withLock { $0 = passphrase }
        return self
    }

    private func confirm(_ isNeeded: Bool) throws {
        guard isNeeded, let passphrase else { return }
        guard let typed = typed.withLock(\.self) else { throw SigningServiceError(.passphraseNeeded) }
        guard typed == TypedPassphrase(passphrase) else { throw SigningServiceError(.wrongPassphrase) }
    }

    public func changes() -> AsyncStream<SigningChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SigningChange.self, bufferingPolicy: .bufferingNewest(32))
        listeners.append(continuation)
        return stream
    }

    public func waiting() throws -> [WaitingRequest] {
        try check()
        return requests
    }

    public func backlog() -> SigningBacklog { SigningBacklog(clients: requests.map(\.client)) }

    public func decide(_ ids: [EventID], _ verdict: RequestVerdict, knowingLoss: Bool) throws -> [EventID] {
        try check()
        try confirm(verdict.allows && requests.contains { ids.contains($0.id) && $0.passphrase == .always })
        decisions.append(Decided(ids: ids, verdict: verdict, knowingLoss: knowingLoss))
        let decided = requests.filter {
            ids.contains($0.id) && (!verdict.allows || !$0.needsSecondStep || knowingLoss) && $0.content != .locked
        }.map(\.id)
        requests.removeAll { decided.contains($0.id) }
        for caller in decided.isEmpty ? [] : callers {
            caller.yield(verdict.allows ? .done(account.hex, nil) : .refused(.person))
        }
        announce(.waiting)
        return decided
    }

    public func restore(insteadOf id: EventID) throws {
        try check()
        restored.append(id)
        requests.removeAll { $0.id == id }
        announce(.waiting)
    }

    public func answer(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, deadline: Duration
    ) async throws -> DirectAnswer {
        try check()
        if let linkAnswer { return linkAnswer }
        guard holdsLinks else { return .refused(.unanswered) }
        let (answers, caller) = AsyncStream.makeStream(of: DirectAnswer.self)
        callers.append(caller)
        for await answer in answers { return answer }
        return .refused(.unanswered)
    }

    public func clients() throws -> [SignerClient] {
        try check()
        return apps
    }
    public func client(_ app: RequestingApp) throws -> SignerClient? {
        try check()
        return apps.first { $0.app == app }
    }
    public func update(_ client: SignerClient) throws {
        try check()
        guard let index = apps.firstIndex(where: { $0.id == client.id }) else {
            throw SigningServiceError(.unknownApp)
        }
        apps[index] = client
        announce(.clients)
    }
    public func revoke(_ app: RequestingApp) throws {
        try check()
        apps.removeAll { $0.app == app }
        requests.removeAll { $0.client.app == app }
        announce(.clients)
    }

    public func invitation() throws -> SignerInvitation {
        try check()
        guard !all.relays.isEmpty else {
            throw SigningServiceError(.noRelays)
        }
        return SignerInvitation(
            uri: BunkerURI(signer: account, relays: all.relays, secret: "secret-\(invitations)"), trust: invitationTrust
        )
    }
    public func renewInvitation(trust: TrustLevel) throws -> SignerInvitation {
        invitations += 1
        invitationTrust = trust
        return try invitation()
    }
    public func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) throws -> AppPairing {
        try check()
        accepted.append(Accepted(token: token, name: name, trust: trust, grants: grants))
        var client = SignerClient(app: .remote(token.client), account: account, connected: Timestamp(seconds: 1))
        client.claims = token.metadata
        client.name = name
        client.trust = trust
        client.grants = grants
        client.requested = token.permissions
        client.relays = token.relays
        pair(client)
        return AppPairing(client: client, told: token.relays, isHeardOf: appsAnswer)
    }

    public func settings() throws -> SignerSettings {
        try check()
        return all
    }
    public func setSettings(_ settings: SignerSettings) throws {
        try check()
        try confirm(settings.asksForPassphrase != all.asksForPassphrase)
        all = settings
        announce(.settings)
    }
    public func relays() throws -> [SignerRelayReport] {
        try check()
        return reports
    }
    public func activity(_ query: ActivityQuery) throws -> [ActivityEntry] {
        try check()
        return Array(
            log.filter { line in
                (query.before.map { line.id < $0 } ?? true) && (query.app.map { line.app == $0 } ?? true)
                    && (query.outcome.map { line.outcome == $0 } ?? true)
                    && (query.kind.map { line.kind == $0 } ?? true)
                    && (query.text.isEmpty
                        || [line.title, line.method, line.fact?.text ?? "", line.error ?? ""].contains {
                            $0.lowercased().contains(query.text.lowercased())
                        })
            }.prefix(query.limit))
    }
}

/// A machine with one signer.
public struct ScriptedSigners: SignerHosting {
    /// The signer.
    public let service: ScriptedSigningService

    /// Has one signer.
    public init(_ service: ScriptedSigningService) {
        self.service = service
    }

    public func signer(of key: PublicKey) -> (any SigningService)? { key == service.account ? service : nil }
}

extension WaitingRequest {
    /// A request for a test.
    ///
    /// - Parameter number: makes its id; two with one number are the same request.
    public static func scripted(
        _ number: UInt8, from client: SignerClient, _ content: Content, method: RemoteMethod = .signEvent,
        rule: Rule = .trust, at received: Timestamp
    ) -> WaitingRequest {
        let author = FakeAuthor(200)
        let id = author.event("request \(number)", kind: 24_133, at: received).id
        return WaitingRequest(
            id: id, client: client, method: method.rawValue, content: content, rule: rule, received: received)
    }
}

extension SignerClient {
    /// An app for a test.
    ///
    /// - Parameter seed: makes its key.
    public static func scripted(
        _ seed: UInt8, claiming name: String? = nil, of account: PublicKey, trust: TrustLevel = .medium
    ) -> SignerClient {
        var client = SignerClient(
            app: .remote(FakeAuthor(seed).key), account: account, connected: Timestamp(seconds: 1_699_000_000))
        client.claims = ClientMetadata(name: name)
        client.trust = trust
        return client
    }
}

extension SigningSummary {
    /// A follow list that drops people, and adds some.
    public static func stopsFollowing(_ lost: Int, following won: Int = 0) -> SigningSummary {
        var change = ReplacementSummary(kind: 3)
        (change.dropped, change.droppedPeople, change.added, change.addedPeople) = (lost, lost, won, won)
        return .replacement(change)
    }
}
