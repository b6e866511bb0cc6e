public import NostrCore
public import NostrNIPs

/// How far an app is trusted where nothing was said about a request of its kind.
public enum TrustLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Everything is done at once, protected kinds too.
    case full
    /// Everything but protected kinds is done at once.
    case medium
    /// Everything that uses the key is asked about: signing, encrypting and decrypting.
    case low

    /// Whether one is less than the other.
    public static func < (left: TrustLevel, right: TrustLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .full: 2
        }
    }
}

/// A choice that was made for one permission of one app, and stays as chosen.
public struct Grant: Hashable, Sendable {
    /// What was chosen.
    public enum Verdict: String, Hashable, Sendable {
        case allow, refuse, ask
    }

    /// About what; `sign_event` without a kind is about every kind that has no grant of its own.
    public var permission: RemotePermission
    /// For which place, where the permission is about one; `nil` for all.
    public var audience: Audience?
    /// What was chosen.
    public var verdict: Verdict
    /// Until when it holds; `nil` for always.
    public var expires: Timestamp?
    /// How often per hour it is given at once; above it the person is asked.
    public var perHour: Int?
    /// When it was chosen.
    public var made: Timestamp

    /// A choice made at a moment; without an end it holds until another is made, without a limit for any number of requests.
    public init(
        _ permission: RemotePermission, _ verdict: Verdict, for audience: Audience? = nil, expires: Timestamp? = nil,
        perHour: Int? = nil, made: Timestamp
    ) {
        self.permission = permission
        self.audience = audience
        self.verdict = verdict
        self.expires = expires
        self.perHour = perHour
        self.made = made
    }
}

/// A part of the day in minutes since midnight, local time; it may go past midnight.
///
/// Outside it the person is asked.
public struct DayHours: Hashable, Sendable {
    /// The first minute, 0..<1440.
    public var from: Int
    /// The first minute no longer in it, 0..<1440.
    public var until: Int

    /// Minutes out of range are brought into the day.
    public init(from: Int, until: Int) {
        self.from = min(max(from, 0), 1439)
        self.until = min(max(until, 0), 1439)
    }

    /// Whether a minute of the day is in it; the same beginning and end is the whole day.
    public func contains(_ minute: Int) -> Bool {
        from == until || (from < until ? (from..<until).contains(minute) : minute >= from || minute < until)
    }
}

/// One app that is paired with one account, and what it may.
public struct SignerClient: Hashable, Sendable, Identifiable {
    /// Who asks.
    public let app: RequestingApp
    /// For which account.
    public let account: PublicKey
    /// What it says of itself; shown as a claim.
    public var claims: ClientMetadata
    /// What its owner calls it; `nil` until they do.
    public var name: String?
    /// How far it is trusted.
    public var trust: TrustLevel
    /// Choices for single permissions.
    public var grants: [Grant]
    /// What it asked to be allowed when it was paired or connected, granted or not.
    public var requested: [RemotePermission]
    /// Where it listens, and where answers go besides the relay a request came by.
    public var relays: [RelayURL]
    /// How often per hour it may use the key without being asked about; `nil` for no limit.
    public var perHour: Int?
    /// When it may use the key without being asked about; `nil` for always.
    public var hours: DayHours?
    /// `connect` is answered with `ack` instead of the secret, for apps that know nothing else.
    public var answersAck: Bool
    /// It sent a text above 65 535 bytes once, so that it reads NIP-44's long form.
    public var readsLongForm: Bool
    /// When it was paired.
    public var connected: Timestamp
    /// When it last asked for anything.
    public var lastSeen: Timestamp?
    /// How many requests it made.
    public var requests: Int

    /// One app may be paired with several accounts.
    public struct ID: Hashable, Sendable {
        /// Who asks.
        public let app: RequestingApp
        /// For which account.
        public let account: PublicKey

        /// An app at one account.
        public init(app: RequestingApp, account: PublicKey) {
            self.app = app
            self.account = account
        }
    }

    public var id: ID { ID(app: app, account: account) }

    /// A new app of medium trust, which claimed nothing and was granted nothing.
    public init(app: RequestingApp, account: PublicKey, connected: Timestamp) {
        self.app = app
        self.account = account
        self.connected = connected
        claims = ClientMetadata()
        trust = .medium
        grants = []
        requested = []
        relays = []
        answersAck = false
        readsLongForm = false
        requests = 0
    }

    /// What to call it: the owner's name for it, else its claim, else a part of its key or where its answers go.
    public var title: String {
        if let name, !name.isEmpty { return name }
        if let claimed = claims.name { return claimed }
        switch app {
        case .remote(let key): return "app " + key.hex.prefix(8)
        case .link(let destination): return destination
        case .anonymousLink: return "clipboard"
        }
    }

    /// Whether ``title`` is only the app's own claim.
    public var isTitleClaimed: Bool { (name ?? "").isEmpty && claims.name != nil }
}
