public import NostrCore
public import NostrNIPs
public import NostrRelay

/// One account's signer as its screens and commands see it: everything a person has to do with it.
///
/// Put together from a protocol for each need, so that a screen asks for no more than it uses.
/// Every failure it throws is a ``SigningServiceError``.
public protocol SigningService: RequestDeciding, DirectRequestAnswering, AppKeeping, AppPairingService,
    SignerSettingsKeeping, PassphraseAskingService, ActivityReading
{}

/// What belongs to one account's signer.
public protocol AccountSigning: Sendable {
    /// Whose.
    var account: PublicKey { get }
    /// What happens from now on.
    func changes() async -> AsyncStream<SigningChange>
}

/// The requests that wait for the person.
public protocol RequestDeciding: AccountSigning {
    /// What waits for the person, oldest first.
    func waiting() async throws -> [WaitingRequest]
    /// How much waits and from whom; asked for by every page, so nothing is decrypted for it and no relay is asked.
    func backlog() async throws -> SigningBacklog
    /// Decides requests; each that needs a second step is left alone unless `knowingLoss` is set.
    ///
    /// - Returns: those that were decided and answered.
    func decide(_ ids: [EventID], _ verdict: RequestVerdict, knowingLoss: Bool) async throws -> [EventID]
    /// Publishes the version in force again, as the newest, instead of signing what waits; the request is refused.
    func restore(insteadOf id: EventID) async throws
}

/// Requests that come another way than by relays.
public protocol DirectRequestAnswering: AccountSigning {
    /// Answers a request from a caller who waits; the same policy decides.
    ///
    /// An app that is not known yet is asked about, and paired by the person's yes.
    ///
    /// - Parameter deadline: how long the person has; after it the answer is ``DirectAnswer/refused(_:)`` for
    ///   ``Rule/unanswered``.
    func answer(
        _ request: RemoteRequest, from app: RequestingApp, claims: ClientMetadata, deadline: Duration
    ) async throws -> DirectAnswer
}

/// The apps that are paired.
public protocol AppKeeping: AccountSigning {
    /// All apps, the one seen last first.
    func clients() async throws -> [SignerClient]
    /// One app.
    func client(_ app: RequestingApp) async throws -> SignerClient?
    /// Changes what its owner says of an app: name, trust, grants, limits.
    func update(_ client: SignerClient) async throws
    /// Unpairs an app; it may not do anything any more.
    func revoke(_ app: RequestingApp) async throws
}

/// Pairing with apps, both ways.
public protocol AppPairingService: AccountSigning {
    /// The token that lets the next app in.
    func invitation() async throws -> SignerInvitation
    /// Makes a new one; the one before lets no app in any more.
    ///
    /// - Parameter trust: how far the app that comes with it is trusted; the token made after it gives medium trust again.
    func renewInvitation(trust: TrustLevel) async throws -> SignerInvitation
    /// Pairs with the app that made a token, and answers it until it is heard of or the deadline.
    func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) async throws -> AppPairing
}

/// What holds for all apps, and how it goes at the signer's relays.
public protocol SignerSettingsKeeping: AccountSigning {
    /// What holds for all apps.
    func settings() async throws -> SignerSettings
    /// Changes that.
    func setSettings(_ settings: SignerSettings) async throws
    /// How each relay that requests come by is doing.
    func relays() async throws -> [SignerRelayReport]
}

/// Asking for the passphrase of the account's key again, where ``SignerSettings/asksForPassphrase`` wants that.
///
/// Which act needs it is found out when the act is done, from what holds then; an act that needs it and has none throws
/// ``SigningServiceError/Code/passphraseNeeded`` and changes nothing.
public protocol PassphraseAskingService: AccountSigning {
    /// Whether it asks, or could.
    func passphraseAsking() async throws -> PassphraseAsking
    /// The same signer for a person who typed this; their acts that need it have it checked.
    func typing(_ passphrase: TypedPassphrase?) -> any SigningService
}

/// What the signer did.
public protocol ActivityReading: AccountSigning {
    /// Lines of the log, newest first.
    func activity(_ query: ActivityQuery) async throws -> [ActivityEntry]
}

extension RequestDeciding {
    /// Read from what waits; a service that can count without reading does better.
    public func backlog() async throws -> SigningBacklog {
        SigningBacklog(clients: try await waiting().map(\.client))
    }
}

/// How much waits for the person, for a badge and a notification.
public struct SigningBacklog: Hashable, Sendable {
    /// How many requests wait.
    public var requests: Int
    /// What the apps are called that ask, each once, the one that waits longest first.
    public var titles: [String]

    /// So many requests of these apps.
    public init(requests: Int = 0, titles: [String] = []) {
        self.requests = requests
        self.titles = titles
    }

    /// Counts.
    ///
    /// - Parameter clients: the app of each request that waits, oldest first.
    public init(clients: [SignerClient]) {
        var seen: Set<SignerClient.ID> = []
        self.init(
            requests: clients.count, titles: clients.filter { seen.insert($0.id).inserted }.map(\.title))
    }
}

/// What becomes of a request whose app waits for it.
public enum DirectAnswer: Hashable, Sendable {
    /// The result as the method has it; for `sign_event` also the event.
    case done(String, Event?)
    /// It was refused, by this rule.
    case refused(Rule)
    /// It cannot be done; the sentence says why.
    case failed(String)
}

/// The token that lets the next app in, and what it gives.
public struct SignerInvitation: Hashable, Sendable {
    /// The token.
    public var uri: BunkerURI
    /// How far the app that comes with it is trusted.
    public var trust: TrustLevel

    /// A token that gives this trust.
    public init(uri: BunkerURI, trust: TrustLevel) {
        self.uri = uri
        self.trust = trust
    }
}

/// How pairing with an app's token went.
public struct AppPairing: Hashable, Sendable {
    /// The app.
    public var client: SignerClient
    /// Relays that took the answer.
    public var told: [RelayURL]
    /// Whether the app has been heard of since.
    public var isHeardOf: Bool

    /// A pairing that was tried.
    public init(client: SignerClient, told: [RelayURL], isHeardOf: Bool) {
        self.client = client
        self.told = told
        self.isHeardOf = isHeardOf
    }
}

/// How one relay of a signer is doing.
public struct SignerRelayReport: Hashable, Sendable, Identifiable {
    /// How it stands.
    public enum State: Hashable, Sendable {
        case listening, connecting
        /// Not reachable.
        case failing(Problem)
    }

    /// Why a relay is not reachable.
    public enum Problem: Hashable, Sendable {
        /// It ended the subscription, or never answered it.
        case ended(RelayEnding)
        /// There is no connection; what went wrong last.
        case unreachable(RelayProblem)
    }

    /// Which relay.
    public var relay: RelayURL
    /// How it stands.
    public var state: State
    /// Whether it is one of the signer's own; otherwise an app brought it.
    public var isOwn: Bool
    /// Which apps use it.
    public var apps: [RequestingApp]
    /// When the last request came by it.
    public var lastRequest: Timestamp?
    /// Requests that came by it first, and answers it took and refused, since the start.
    public var requests: Int, answersTaken: Int, answersRefused: Int

    public var id: RelayURL { relay }

    /// A relay as it is doing now.
    public init(
        relay: RelayURL, state: State, isOwn: Bool, apps: [RequestingApp], lastRequest: Timestamp?, requests: Int,
        answersTaken: Int, answersRefused: Int
    ) {
        self.relay = relay
        self.state = state
        self.isOwn = isOwn
        self.apps = apps
        self.lastRequest = lastRequest
        self.requests = requests
        self.answersTaken = answersTaken
        self.answersRefused = answersRefused
    }
}

/// Something changed; read again what is shown.
public enum SigningChange: Hashable, Sendable {
    /// A request began to wait, or waits no longer.
    case waiting
    /// An app came, went or changed.
    case clients
    /// A line came to the log.
    case activity
    /// A relay came or went.
    case relays
    /// Settings or the invitation changed.
    case settings
}

/// Why the signer could not do what it was asked.
public struct SigningServiceError: Error, Hashable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The account has to be unlocked first.
        case locked
        /// The request waits no longer.
        case unknownRequest
        /// The app is not paired.
        case unknownApp
        /// The signer has no relay where apps can reach it.
        case noRelays
        /// An app's token names no relay.
        case noRelaysInToken
        /// The version in force could not be published again.
        case notReached
        /// Saying yes would lose much, so it takes a second, explicit step.
        case needsSecondStep
        /// No version in force is known here.
        case nothingToRestore
        /// The key did not sign the version in force again.
        case cannotSign
        /// The key cannot be used now, though it is not locked.
        case keyUnusable
        /// The records cannot be read.
        case recordsUnreadable
        /// The records cannot be changed now.
        case recordsUnusable
        /// The passphrase of the account's key has to be typed with this.
        case passphraseNeeded
        /// It was another one.
        case wrongPassphrase
        /// Too many wrong ones were typed; ``SigningServiceError/wait`` says how long none is looked at.
        case tooManyTries
        /// The key rests without a passphrase, so that none can be asked for.
        case noPassphrase
    }

    /// What went wrong.
    public let code: Code
    /// How long to wait before it can help to try again, where that is known.
    public let wait: Duration?

    /// An error.
    public init(_ code: Code, wait: Duration? = nil) {
        self.code = code
        self.wait = wait
    }
}
