internal import NostrCore
internal import NostrNIPs

/// A request that was read and whose app is known by its key or its callback, with all that later steps need.
struct IdentifiedRequest: Hashable, Sendable {
    /// How the answer goes back.
    enum ReplyPath: Hashable, Sendable {
        /// By relays, encrypted for the app.
        case relays(PublicKey, ContentCipher)
        /// The caller of a link waits for it.
        case direct
    }

    /// As it is kept.
    var kept: AdmittedRequest
    /// What it asks for.
    var read: ReadRequest
    /// How the answer goes back.
    var replyPath: ReplyPath
    /// What its app says of itself, for apps that are not paired yet.
    var claims = ClientMetadata()

    var event: EventID { kept.event }
    var app: RequestingApp { kept.app }
    var action: RequestedAction { read.action }
    var permission: RemotePermission? { read.permission }
    var audience: Audience? { if case .sign(let draft) = action { Audience(of: draft) } else { nil } }

    /// A request that came by a relay.
    init(_ request: VerifiedRequest, _ read: ReadRequest, cipher: ContentCipher, account: PublicKey) {
        self.init(
            kept: AdmittedRequest(
                event: request.event.id, account: account, app: .remote(request.sender), id: read.request.id,
                digest: read.request.digest, permission: read.permission,
                raw: String(decoding: request.event.json, as: UTF8.self),
                relay: request.relay, received: request.moment),
            read: read, replyPath: .relays(request.sender, cipher))
    }

    init(kept: AdmittedRequest, read: ReadRequest, replyPath: ReplyPath) {
        self.kept = kept
        self.read = read
        self.replyPath = replyPath
    }

    /// Its app as it would be paired by the person's yes.
    var stranger: SignerClient {
        var client = SignerClient(app: app, account: kept.account, connected: kept.received)
        client.claims = claims
        client.trust = .low
        client.requested = wishes
        return client
    }

    /// What its app would like to be allowed; nothing, where nobody could be allowed anything.
    var wishes: [RemotePermission] {
        guard app.isKnown else { return [] }
        return switch action {
        case .tellKey(let permissions): permissions
        case .connect(let introduction): introduction.permissions
        default: []
        }
    }

    /// Its line in the log.
    func line(
        _ outcome: ActivityEntry.Outcome, by rule: Rule, title: String, at time: Timestamp,
        result: RequestResult? = nil, error: String? = nil
    ) -> ActivityEntry {
        ActivityEntry(
            time: time, account: kept.account, app: app, title: title, method: read.request.name,
            kind: action.kind, peer: action.peer, outcome: outcome, rule: rule, result: result?.event?.id,
            fact: result?.fact, error: error)
    }
}

/// What a request brought about.
struct RequestResult: Hashable, Sendable {
    /// As the method has it.
    var text: String
    /// The signed event.
    var event: Event?
    /// What was done, for the log.
    var fact: ActivityFact?
}

/// What a request comes to: a result, or why there is none.
///
/// The texts go to the app, over the wire.
enum RequestOutcome: Hashable, Sendable {
    case done(RequestResult, by: Rule)
    case refused(String, by: Rule)
    case failed(String, by: Rule)

    var outcome: ActivityEntry.Outcome {
        switch self {
        case .done: .done
        case .refused: .refused
        case .failed: .failed
        }
    }

    var rule: Rule {
        switch self {
        case .done(_, let rule), .refused(_, let rule), .failed(_, let rule): rule
        }
    }

    var result: RequestResult? { if case .done(let result, _) = self { result } else { nil } }

    var error: String? {
        switch self {
        case .done: nil
        case .refused(let text, _), .failed(let text, _): text
        }
    }

    /// The response to a request.
    func response(to id: String) -> RemoteResponse {
        switch self {
        case .done(let result, _): RemoteResponse(id: id, result: result.text)
        case .refused(let text, _), .failed(let text, _): RemoteResponse(id: id, error: text)
        }
    }

    /// The answer for the caller of a link.
    var direct: DirectAnswer {
        switch self {
        case .done(let result, _): .done(result.text, result.event)
        case .refused(_, let rule): .refused(rule)
        case .failed(let text, _): .failed(text)
        }
    }
}
