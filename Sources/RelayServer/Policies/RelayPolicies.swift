public import NostrCore

/// What a policy knows of whoever asks.
public struct ClientContext: Hashable, Sendable {
    /// The connection, unique while the server lives.
    public var connection: UInt64
    /// Where the connection comes from, as the socket layer names it.
    public var peer: String
    /// The keys that have authenticated on this connection (NIP-42).
    public var authenticated: Set<PublicKey>
    /// The moment of the question.
    public var now: Timestamp

    /// A connection as policies see it at one moment.
    public init(connection: UInt64, peer: String, authenticated: Set<PublicKey>, now: Timestamp) {
        self.connection = connection
        self.peer = peer
        self.authenticated = authenticated
        self.now = now
    }
}

/// What a policy says.
public enum Verdict: Hashable, Sendable {
    /// This policy has nothing against it.
    case accept
    /// No, and why; the client gets the reason as `OK` false or `CLOSED`.
    case refuse(Reason)
}

/// Judges an event somebody wants to publish; it is already verified.
public typealias EventPolicy = @Sendable (Event, ClientContext) async -> Verdict

/// Judges a question (`REQ` or `COUNT`) before the store sees it.
public typealias FilterPolicy = @Sendable ([Filter], ClientContext) async -> Verdict

/// Judges whether a client may see an event, stored or live; short and synchronous, it runs for every event sent.
public typealias VisibilityPolicy = @Sendable (Event, ClientContext) -> Bool

/// What a relay lets happen: three lists of plain functions, each asked in order until one refuses.
public struct RelayPolicies: Sendable {
    /// Who may publish what.
    public var publish: [EventPolicy]
    /// Who may ask what.
    public var ask: [FilterPolicy]
    /// Who may see what.
    public var see: [VisibilityPolicy]

    /// Without any function, everything is allowed.
    public init(publish: [EventPolicy] = [], ask: [FilterPolicy] = [], see: [VisibilityPolicy] = []) {
        self.publish = publish
        self.ask = ask
        self.see = see
    }

    func judge(publishing event: Event, by client: ClientContext) async -> Verdict {
        for policy in publish {
            let verdict = await policy(event, client)
            if verdict != .accept { return verdict }
        }
        return .accept
    }

    func judge(asking filters: [Filter], by client: ClientContext) async -> Verdict {
        for policy in ask {
            let verdict = await policy(filters, client)
            if verdict != .accept { return verdict }
        }
        return .accept
    }

    func allowsSeeing(_ event: Event, by client: ClientContext) -> Bool {
        see.allSatisfy { $0(event, client) }
    }
}
