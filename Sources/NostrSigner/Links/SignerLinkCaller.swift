internal import GzipFormat
public import NostrCore
public import NostrNIPs

/// The other side of signer links: asks another signer, and reads what it sends back.
///
/// A value without I/O: it makes URLs to be opened and takes URLs that came. Requests not answered within five minutes
/// are forgotten.
public struct SignerLinkCaller: Sendable {
    /// How long an answer is waited for.
    public static let patience = Duration.seconds(300)

    /// What the answer to a request says.
    public enum Reply: Hashable, Sendable {
        /// Whose key it is, what the signer calls itself, and which permissions it gave.
        case publicKey(PublicKey, signer: String?, granted: [RemotePermission])
        /// The signed event, checked: it is the one that was asked for.
        case signed(Event)
        /// What was encrypted or decrypted.
        case text(String)
        /// The result lies on the pasteboard under this token; hand it to ``SignerLinkCaller/read(pasted:for:)``.
        case onPasteboard(token: String)
        /// There is none.
        case refused(LinkError)
    }

    /// A request whose answer has not come.
    public struct Pending: Hashable, Sendable {
        /// What was asked.
        public let action: SignerLink.Action
        /// Whose key was meant.
        public let user: PublicKey?
        /// When.
        public let since: Timestamp
        /// How the signer reads and writes links.
        public let convention: LinkEnvelope.Convention
        /// Whether results are packed.
        public let isCompressed: Bool
    }

    /// Where answers come, ours: `myapp://signed` or `https://host/path`.
    public let callback: LinkCallback
    /// What this app is called.
    public let name: String?
    /// The page of this app; shown to the person.
    public let page: String?
    /// Requests whose answers have not come, by their ids.
    public private(set) var pending: [String: Pending] = [:]

    /// Takes where answers come and what this app says of itself.
    ///
    /// - Throws: ``LinkCallback/Problem``.
    public init(callback: String, name: String? = nil, page: String? = nil) throws(LinkCallback.Problem) {
        self.callback = try LinkCallback(callback)
        self.name = name
        self.page = page
    }

    /// What a request may say besides what it asks.
    public struct Options: Hashable, Sendable {
        /// Whose key is meant.
        public var user: PublicKey?
        /// Whether results come packed.
        public var isCompressed = false
        /// Under what the payload was put on the pasteboard, where the result is then put too.
        public var token: String?

        /// Nobody in particular, nothing packed, no pasteboard.
        public init() {}
    }

    /// Makes the URL of a request.
    ///
    /// - Parameter id: the caller's own; 16 random bytes in hex are.
    public mutating func ask(
        _ action: SignerLink.Action, of signer: SignerApp, id: String, _ options: Options = Options(),
        at now: Timestamp
    ) -> String {
        pending = pending.filter { $0.value.since + Self.patience > now }
        pending[id] = Pending(
            action: action, user: options.user, since: now, convention: signer.convention,
            isCompressed: options.isCompressed)
        let method = action.method.rawValue
        var items = [URIQuery.Item("type", method)]
        switch signer.convention {
        case .nip155:
            if options.token == nil, let (name, payload) = action.payload {
                items.append(URIQuery.Item(name, options.isCompressed ? Self.packed(payload) : payload))
            }
            items += [
                URIQuery.Item("id", id), URIQuery.Item("x-success", place("success", id)),
                URIQuery.Item("x-error", place("error", id)), URIQuery.Item("x-cancel", place("cancel", id)),
            ]
            for (name, value) in [("x-source", name), ("client_url", page), ("pb", options.token)] {
                if let value { items.append(URIQuery.Item(name, value)) }
            }
        case .dip05: items.append(URIQuery.Item("callbackUrl", place("success", id)))
        case .nip55: items.append(URIQuery.Item("callbackUrl", place("success", id) + "&result="))
        }
        items += action.items
        if let user = options.user { items.append(URIQuery.Item("current_user", user.hex)) }
        if options.isCompressed { items.append(URIQuery.Item("compressionType", "gzip")) }
        let path = signer.convention == .nip155 ? method : PercentEncoding.encode(action.payload?.value ?? "")
        return signer.beginning + path + "?" + URIQuery(items).text
    }

    /// Our callback with a mark of which it is, and of the request; signers keep both.
    private func place(_ kind: String, _ id: String) -> String {
        callback.adding([("signer", kind), ("request", id)])
    }

    /// Reads a URL that came to this app.
    ///
    /// - Returns: the request and what became of it; `nil` when it is no answer to a request under way.
    public mutating func receive(_ url: String, at now: Timestamp) -> (id: String, request: Pending, reply: Reply)? {
        let own = callback.text.prefix { $0 != "?" && $0 != "#" }
        guard url.utf8.count <= 4 * SignerLink.longestAnswer, url.hasPrefix(own) else { return nil }
        let parts = url.dropFirst(own.count).prefix { $0 != "#" }.split(separator: "?", maxSplits: 1)
        guard let text = parts.first else { return nil }
        let query = URIQuery(parsing: text)
        guard let id = query["request"], let request = pending[id], request.since + Self.patience > now else {
            return nil
        }
        if let echo = query["id"], echo != id { return nil }
        pending[id] = nil
        return (id, request, request.reply(query))
    }

    /// Reads what a signer put on the pasteboard.
    public func read(pasted text: String, for request: Pending) -> Reply {
        request.reply(result: text, event: text, URIQuery([]))
    }

    private static func packed(_ text: String) -> String {
        Base64.encode(Gzip.compress(Array(text.utf8)).span)
    }
}

extension SignerLink.Action {
    /// The signature of a draft.
    ///
    /// - Parameter author: whose it will be, when that is known.
    public static func signing(_ draft: EventDraft, by author: PublicKey? = nil) -> SignerLink.Action {
        var members = [
            JSONMember("created_at", .number("\(draft.createdAt.seconds)")),
            JSONMember("kind", .number("\(draft.kind.rawValue)")),
            JSONMember("tags", .array(draft.tags.map { .array($0.elements.map(JSONValue.string)) })),
            JSONMember("content", .string(draft.content)),
        ]
        if let author { members.insert(JSONMember("pubkey", .string(author.hex)), at: 0) }
        return .sign(JSONValue.object(members).text)
    }

    /// The method asked for.
    public var method: RemoteMethod {
        switch self {
        case .publicKey: .getPublicKey
        case .sign: .signEvent
        case .encrypt(_, _, .nip04): .nip04Encrypt
        case .encrypt(_, _, .nip44): .nip44Encrypt
        case .decrypt(_, _, .nip04): .nip04Decrypt
        case .decrypt(_, _, .nip44): .nip44Decrypt
        case .decryptZap: .decryptZapEvent
        }
    }

    /// What the method works on, and the parameter's name.
    fileprivate var payload: (name: String, value: String)? {
        switch self {
        case .publicKey: nil
        case .sign(let event), .decryptZap(let event): ("event", event)
        case .encrypt(let text, _, _): ("plaintext", text)
        case .decrypt(let text, _, _): ("encryptedText", text)
        }
    }

    /// The method's other parameters.
    fileprivate var items: [URIQuery.Item] {
        switch self {
        case .publicKey(let wanted):
            wanted.isEmpty ? [] : [URIQuery.Item("permissions", SignerLink.json(wanted))]
        case .sign: [URIQuery.Item("returnType", "event")]
        case .decryptZap: [URIQuery.Item("returnType", "event")]
        case .encrypt(_, let other, _):
            [URIQuery.Item("pubkey", other.hex), URIQuery.Item("returnType", "ciphertext")]
        case .decrypt(_, let other, _):
            [URIQuery.Item("pubkey", other.hex), URIQuery.Item("returnType", "plaintext")]
        }
    }
}
