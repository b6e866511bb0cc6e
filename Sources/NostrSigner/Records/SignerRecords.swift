public import NostrCore
public import NostrNIPs

/// What a signer keeps: apps, choices, secrets, requests it has seen, requests that wait, and the log.
///
/// What a person chose is on the disk when a call returns; what was asked and done is in the records by then and outlives
/// the program, though not always a loss of power (`docs/decisions/0010-signer-records.md`). Every implementation passes the one contract suite
/// (`NostrTesting/SignerRecordsContract.swift`). One set of records serves several accounts.
public protocol SignerRecords: Sendable {
    // Apps
    /// All apps of an account, the one seen last first.
    func clients(of account: PublicKey) async throws -> [SignerClient]
    /// One app.
    func client(_ id: SignerClient.ID) async throws -> SignerClient?
    /// Keeps an app as it is now.
    func save(_ client: SignerClient) async throws
    /// Forgets an app with its choices and its waiting requests; its lines in the log stay.
    func remove(_ id: SignerClient.ID) async throws

    // Settings
    /// What holds for all apps of an account; the defaults where nothing was set.
    func settings(of account: PublicKey) async throws -> SignerSettings
    /// Keeps settings.
    func save(_ settings: SignerSettings, of account: PublicKey) async throws
    /// The secret that lets the next app in, sealed by the account's own key; `nil` when there is none.
    func secret(of account: PublicKey) async throws -> String?
    /// Sets it.
    func setSecret(_ secret: String?, of account: PublicKey) async throws

    // Requests
    /// Takes in one request, once: tells whether it is new or what became of it before.
    ///
    /// A request is one by its event's id, and by its app with the id the app gave it and what it asks: apps that count
    /// their ids anew ask another question under an old id. One that was taken in before it could be read has an empty
    /// id; it is new once more when it comes with its id, unless its app had the same answered under another event.
    ///
    /// - Throws: ``SignerRecordsError/tooManyWaiting`` for a new request that cannot be read, above the numbers of
    ///   ``SignerRecordsLimits``: it will wait for the key, so it is counted before it is kept; then nothing is kept.
    func admit(_ request: AdmittedRequest) async throws -> Admission
    /// Notes the answer of an admitted request, its line in the log and that the app was seen, in one step; a waiting
    /// request waits no longer.
    ///
    /// - Parameter answer: the encrypted content of the response, which is sent again to an app that asks again; `nil` when
    ///   nothing was sent.
    func settle(_ request: AdmittedRequest, answer: String?, activity: ActivityEntry) async throws
    /// Notes that an admitted request waits for the person, and its line in the log.
    ///
    /// - Throws: ``SignerRecordsError/tooManyWaiting``, above the numbers of ``SignerRecordsLimits``; then nothing is noted.
    func wait(_ request: AdmittedRequest, why rule: Rule, activity: ActivityEntry) async throws
    /// Requests that wait, oldest first, as they came.
    func waiting(of account: PublicKey) async throws -> [KeptRequest]
    /// Requests that were admitted but neither settled nor waiting: what a crash left; oldest first.
    func unfinished(of account: PublicKey) async throws -> [KeptRequest]
    /// How often an app used the key since a moment: requests that were done, of one permission or of all.
    func uses(of id: SignerClient.ID, permission: RemotePermission?, since: Timestamp) async throws -> Int
    /// Forgets requests that were settled before a moment; those that wait stay.
    func forgetRequests(before: Timestamp) async throws

    // Log
    /// Adds a line that belongs to no request: a pairing, a change of trust.
    func note(_ entry: ActivityEntry) async throws
    /// Lines of the log, newest first.
    func activity(of account: PublicKey, _ query: ActivityQuery) async throws -> [ActivityEntry]
    /// Keeps an account's log within bounds: lines before a moment go, and the oldest above a number.
    func trimActivity(of account: PublicKey, before: Timestamp, keeping: Int) async throws

    /// Forgets everything of an account, its log too.
    func removeAll(of account: PublicKey) async throws
}

/// One request on its way through a signer.
public struct AdmittedRequest: Hashable, Sendable {
    /// The event it came in; for a link, made from the link.
    public var event: EventID
    /// Whose signer.
    public var account: PublicKey
    /// Who asks.
    public var app: RequestingApp
    /// The id the app gave it; empty while the request could not be read, because the key is locked.
    public var id: String
    /// What is asked, in short: SHA-256 of method and parameters, in hex; empty while the request could not be read.
    public var digest: String
    /// What must be allowed for it; `nil` for an unknown method.
    public var permission: RemotePermission?
    /// The request as it came, still encrypted where it was: the event's JSON, or the link's text sealed by its caller.
    public var raw: String
    /// The relay it came by, where the answer goes.
    public var relay: RelayURL?
    /// When it came.
    public var received: Timestamp

    /// A request as records keep it.
    public init(
        event: EventID, account: PublicKey, app: RequestingApp, id: String, digest: String,
        permission: RemotePermission?, raw: String, relay: RelayURL?, received: Timestamp
    ) {
        self.event = event
        self.account = account
        self.app = app
        self.id = id
        self.digest = digest
        self.permission = permission
        self.raw = raw
        self.relay = relay
        self.received = received
    }
}

/// What a signer knows of a request that has just come.
public enum Admission: Hashable, Sendable {
    /// It is new and is ours to answer.
    case new
    /// Somebody is at it.
    case underWay
    /// It waits for the person.
    case waiting
    /// It was answered with this encrypted content; `nil` when it was settled without an answer.
    case answered(String?)
}

/// A request that was kept.
public struct KeptRequest: Hashable, Sendable {
    /// What was asked, as it was admitted.
    public var request: AdmittedRequest
    /// Why it waits; `nil` when it does not.
    public var rule: Rule?

    /// A request, and why it waits.
    public init(_ request: AdmittedRequest, rule: Rule?) {
        self.request = request
        self.rule = rule
    }
}

/// How much records keep.
public enum SignerRecordsLimits {
    /// How many requests of one account may wait.
    public static let waiting = 300
    /// How many requests of one app may wait; an inbox full of messages to decrypt is one question to the person.
    public static let waitingPerApp = 60
}

/// Why records could not be kept, besides what the disk or the file says: that error comes as the store threw it.
public enum SignerRecordsError: Error, Hashable, Sendable {
    /// The app, or all apps together, have as many requests waiting as are kept.
    case tooManyWaiting
}
