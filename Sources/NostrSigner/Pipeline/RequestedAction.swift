internal import NostrCore
internal import NostrNIPs

/// What a request wants done.
enum RequestedAction: Hashable, Sendable {
    case connect(Introduction)
    case tellKey([RemotePermission])
    case ping
    case describe
    case switchRelays
    case logout
    case sign(EventDraft)
    case encrypt(String, for: PublicKey, ContentCipher)
    case decrypt(String, from: PublicKey, ContentCipher)
    case decryptZap(Event)
    /// It cannot be done; what the app is told, one of ``WireError``.
    case impossible(String)

    /// What an app says when it connects.
    struct Introduction: Hashable, Sendable {
        /// The signer it means, as it was sent; NDK leaves that out, and then knows no answer but `ack`.
        var signer: String?
        /// The secret it was let in with; `nil` when it has none.
        var secret: String?
        /// What it would like to be allowed.
        var permissions: [RemotePermission]
        /// What it says of itself.
        var claims: ClientMetadata

        /// Whether it means another signer than this account's, whose key is the account's own.
        func isMeantForAnother(than account: PublicKey) -> Bool {
            guard let signer else { return false }
            return signer.lowercased() != account.hex && signer != account.npub
        }
    }

    /// Reads the parameters of a request.
    ///
    init(_ request: RemoteRequest, now: Timestamp) {
        switch request.method {
        case .connect:
            self = .connect(
                Introduction(
                    signer: request.parameter(0), secret: request.parameter(1),
                    permissions: RemotePermission.list(request.parameter(2) ?? ""),
                    claims: ClientMetadata(json: request.parameter(3) ?? "")))
        case .getPublicKey: self = .tellKey(RemotePermission.list(request.parameter(0) ?? ""))
        case .ping: self = .ping
        case .describe: self = .describe
        case .switchRelays: self = .switchRelays
        case .logout: self = .logout
        case .signEvent: self = Self.signing(request, now: now)
        case .nip04Encrypt: self = Self.encrypting(request, .nip04)
        case .nip44Encrypt: self = Self.encrypting(request, .nip44)
        case .nip04Decrypt: self = Self.decrypting(request, .nip04)
        case .nip44Decrypt: self = Self.decrypting(request, .nip44)
        case .decryptZapEvent: self = Self.decryptingZap(request)
        case nil: self = .impossible(WireError.unknownMethod(request.name))
        }
    }

    private static func signing(_ request: RemoteRequest, now: Timestamp) -> RequestedAction {
        guard let text = request.parameter(0) else { return .impossible(WireError.noEvent) }
        guard let draft = EventDraft(asked: text, now: now) else {
            return .impossible(WireError.unreadableEvent)
        }
        return .sign(draft)
    }

    private static func encrypting(_ request: RemoteRequest, _ cipher: ContentCipher) -> RequestedAction {
        guard let peer = peer(request) else { return .impossible(WireError.noPeer) }
        // NIP-04 encrypts empty texts; the cipher says where one cannot.
        guard request.parameters.count > 1 else { return .impossible(WireError.nothingToEncrypt) }
        return .encrypt(request.parameters[1], for: peer, cipher)
    }

    private static func decrypting(_ request: RemoteRequest, _ cipher: ContentCipher) -> RequestedAction {
        guard let peer = peer(request) else { return .impossible(WireError.noPeer) }
        guard let payload = request.parameter(1) else { return .impossible(WireError.nothingToDecrypt) }
        return .decrypt(payload, from: peer, cipher)
    }

    private static func decryptingZap(_ request: RemoteRequest) -> RequestedAction {
        // What is no genuine event is no zap; the app has no use for the reason.
        guard let text = request.parameter(0), let raw = try? UnverifiedEvent(json: Array(text.utf8)),
            let event = try? Event(verifying: raw)
        else { return .impossible(WireError.noSignedEvent) }
        return .decryptZap(event)
    }

    private static func peer(_ request: RemoteRequest) -> PublicKey? {
        // What is no key is told to the app in one sentence.
        request.parameter(0).flatMap { try? PublicKey(hex: $0) }
    }
}

extension RequestedAction {
    /// The kind of the event to sign.
    var kind: Kind? { if case .sign(let draft) = self { draft.kind } else { nil } }

    /// Whom something is encrypted for or came from.
    var peer: PublicKey? {
        switch self {
        case .encrypt(_, let peer, _), .decrypt(_, let peer, _): peer
        default: nil
        }
    }
}

extension EventDraft {
    /// Reads the event an app wants signed.
    ///
    /// `kind` and `content` are needed; `tags` default to none and `created_at` to now; `pubkey`, `id` and `sig` are
    /// passed over, since the signer puts its own. `nil` for anything else: what cannot be read is not signed.
    init?(asked text: String, now: Timestamp) {
        // What is no JSON is no event; the app is told in one sentence.
        guard let value = try? JSONValue(Array(text.utf8)), case .object(let members) = value else { return nil }
        let names = ["kind", "content", "tags", "created_at"]
        guard names.allSatisfy({ name in members.count { $0.name == name } <= 1 }) else { return nil }
        guard let number = value["kind"]?.integer, let kind = UInt16(exactly: number),
            let content = value["content"]?.string
        else { return nil }
        var tags: [Tag] = []
        switch value["tags"] {
        case .array(let asked)?:
            for one in asked {
                guard case .array(let elements) = one else { return nil }
                let strings = elements.compactMap(\.string)
                guard strings.count == elements.count else { return nil }
                tags.append(Tag(strings))
            }
        case nil, .null?: break
        default: return nil
        }
        var moment = now
        switch value["created_at"] {
        case nil, .null?: break
        case .some(let given):
            guard let seconds = given.integer, seconds >= 0 else { return nil }
            moment = Timestamp(seconds: seconds)
        }
        self.init(kind: Kind(kind), tags: tags, content: content, createdAt: moment)
    }
}
