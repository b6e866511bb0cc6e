internal import Crypto
internal import NostrCore
internal import NostrNIPs

// Requests that come by links: nothing is encrypted, and the caller waits for the answer.
extension IdentifiedRequest {
    init(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, account: PublicKey,
        received: Timestamp
    ) {
        let read = ReadRequest(request, now: received)
        self.init(
            kept: AdmittedRequest(
                event: request.directID(from: app, to: account), account: account, app: app, id: request.id,
                digest: request.digest, permission: read.permission, raw: "", relay: nil, received: received),
            read: read, replyPath: .direct)
        self.claims = claims
    }
}

extension RemoteRequest {
    /// What a request by a link is known by in place of an event: a hash of who asks whom what.
    func directID(from app: RequestingApp, to account: PublicKey) -> EventID {
        let text = JSONValue.array([.string(account.hex), .string(app.text), .string(json)]).text
        let digest = Array(SHA256.hash(data: Array(text.utf8)))
        do { return EventID(try Bytes32(digest.span)) } catch { preconditionFailure("a digest has 32 bytes: \(error)") }
    }

    /// What is asked, whatever id it has: SHA-256 of method and parameters, in hex.
    var digest: String {
        let text = JSONValue.array([.string(name), .array(parameters.map(JSONValue.string))]).text
        return encodeHex(Array(SHA256.hash(data: Array(text.utf8))))
    }
}

extension WaitingRequest {
    /// A pending request as the person sees it; `nil` when its app is gone.
    init?(_ pending: PendingRequest, _ state: SignerState) {
        guard let client = state.clients[pending.kept.app] ?? pending.stranger else { return nil }
        let content: Content =
            switch pending.request?.action {
            case .sign(let draft)?:
                .sign(draft, pending.report ?? ChangeReport(SigningSummary(of: draft), amount: draft.amount))
            case .encrypt(let text, let peer, let cipher)?: .encrypt(text, for: peer, cipher)
            case .decrypt(_, let peer, let cipher)?: .decrypt(from: peer, cipher)
            case .decryptZap(let event)?: .decryptZap(event.id)
            case .connect(let introduction)?: .connect(introduction.claims, pending.request?.wishes ?? [])
            case .tellKey?: .connect(client.claims, pending.request?.wishes ?? [])
            case nil, .ping, .describe, .switchRelays, .logout, .impossible: .locked
            }
        self.init(
            id: pending.kept.event, client: client, method: pending.request?.read.request.name ?? "",
            content: content, rule: pending.rule, received: pending.kept.received, burst: pending.burst)
    }
}
