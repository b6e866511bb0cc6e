public import NostrCore
public import NostrNIPs

/// A request that waits for the person, read and explained.
public struct WaitingRequest: Hashable, Sendable, Identifiable {
    /// What it would do with the key.
    public enum Content: Hashable, Sendable {
        /// Sign this event; what it would change, in words and counts.
        case sign(EventDraft, ChangeReport)
        /// Encrypt this text for another person.
        case encrypt(String, for: PublicKey, ContentCipher)
        /// Decrypt something from another person; the plaintext is not shown, nor read yet.
        case decrypt(from: PublicKey, ContentCipher)
        /// Read a private zap.
        case decryptZap(EventID?)
        /// Pair with an app, or let it have more; what it asks for.
        case connect(ClientMetadata, [RemotePermission])
        /// It cannot be read while the key is locked.
        case locked
    }

    /// The event it came in.
    public var id: EventID
    /// The app that asks, as it is now.
    public var client: SignerClient
    /// The method's name.
    public var method: String
    /// What it would do.
    public var content: Content
    /// Why it waits.
    public var rule: Rule
    /// When it came.
    public var received: Timestamp
    /// The first of the requests that its app sent within half a second with it, maybe itself: one question to a person.
    public var burst: EventID
    /// Whether a yes needs the passphrase of the account's key again.
    public var passphrase = PassphraseNeed.never

    /// A request as the person sees it.
    public init(
        id: EventID, client: SignerClient, method: String, content: Content, rule: Rule, received: Timestamp,
        burst: EventID? = nil
    ) {
        self.burst = burst ?? id
        self.id = id
        self.client = client
        self.method = method
        self.content = content
        self.rule = rule
        self.received = received
    }

    /// Whether approving it drops so much that a second, explicit step is needed.
    public var needsSecondStep: Bool {
        if case .sign(_, let report) = content { report.losesMuch } else { false }
    }
}
