public import AsyncPrimitives
public import Logging
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import Synchronization

/// One account's signer: listens on relays, decides by one ``Policy``, asks the person where it must, and answers.
///
/// A thin driver: what happens to a request is decided by the values of the pipeline (`SigningStep`); the actor performs
/// their work and hands them the outcomes. What must not be lost is in its ``SignerRecords`` before anybody is answered: a
/// request that was admitted is answered after a crash of the program too, and not signed twice by it. ``run()`` owns all
/// its tasks.
/// It has eight files, since ``SigningService`` asks much of one signer and all of it is about the same few values: what is
/// driven, run and resumed, what the person decides and proves, who is paired, and what holds for all apps.
/// Source: NIP-46.
public actor LiveSigner {
    /// Whose.
    public nonisolated let account: PublicKey
    let environment: SignerEnvironment
    let sender: AnswerSender
    var state = SignerState()
    /// Whether the records have been read into ``state``.
    var isLoaded = false
    /// What a crash left admitted and unanswered, until it is worked through.
    var unfinished: [AdmittedRequest] = []
    /// How each relay that is listened to is doing.
    var listening: [RelayURL: ListeningFigures] = [:]
    /// Callers of links that wait for the answer.
    var callers: [EventID: AsyncStream<DirectAnswer>.Continuation] = [:]
    /// How often the passphrase was typed wrong.
    var tries = PassphraseTries()
    private var random: any RandomNumberGenerator & Sendable
    nonisolated let watchers = Broadcast<SigningChange>(capacity: 256)
    /// Work for ``run()`` with no caller waiting; each request and each thing a person does adds one at most.
    nonisolated let jobs: (stream: AsyncStream<SignerJob>, continuation: AsyncStream<SignerJob>.Continuation)
    nonisolated let relayChanges: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// A signer that does nothing until it runs.
    ///
    /// - Parameters:
    ///   - signer: holds the account's key; it may be locked.
    ///   - versions: what of the account is published, to say what a signature would change.
    ///   - passphrases: checks the passphrase of the account's key where it is asked for again; without it such acts are
    ///     refused.
    ///   - time: measures all waits, and gives the date.
    ///   - minute: the minute of the day, local time, 0..<1440.
    ///   - random: makes secrets.
    public init(
        signer: any EventSigner, records: any SignerRecords, network: any SignerNetwork,
        versions: any PublishedVersions = NoPublishedVersions(), passphrases: (any PassphraseChecking)? = nil,
        configuration: SignerConfiguration = SignerConfiguration(), time: Time<Timestamp>,
        minute: @escaping @Sendable () -> Int,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        account = signer.publicKey
        environment = SignerEnvironment(
            key: TimedKey(signer: signer, clock: time.clock, deadline: configuration.deadlines.key), records: records,
            network: network, versions: versions, configuration: configuration, time: time,
            minute: minute, logger: logger,
            passphrases: passphrases)
        sender = AnswerSender(environment)
        self.random = random
        jobs = AsyncStream.makeStream(of: SignerJob.self)
        relayChanges = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    var records: any SignerRecords { environment.records }
    var logger: Logger { environment.logger }

    /// Tries again what waited for the key.
    public nonisolated func keyDidUnlock() {
        jobs.continuation.yield(.unlocked)
    }

    /// What happens from now on.
    public func changes() async -> AsyncStream<SigningChange> { watchers.listen() }

    /// Has screens read again what they show.
    func announce(_ changes: SigningChange...) {
        for change in changes { watchers.send(change) }
    }

    /// A fresh secret or id: 16 random bytes in hex.
    func newSecret() -> String {
        encodeHex(randomBytes(16, using: &random))
    }

    /// Processes one event that came, by a relay or a push, to its end: checks it, decides, does it, and sends the answer.
    ///
    /// For a process that does not ``run()`` the signer: it was woken for one request.
    public func process(_ event: UnverifiedEvent, receivedFrom relay: RelayURL?) async -> ProcessedRequest {
        let verified: VerifiedRequest
        do throws(RequestRejection) {
            verified = try VerifiedRequest(
                ReceivedRequest(event: event, relay: relay, moment: environment.time.now()), for: account)
        } catch {
            return .dropped(error)
        }
        guard await load() else { return .failed }
        switch await drive(.receive(verified, &state)) {
        case .dropped(let why): return .dropped(why)
        case .answer(let answer): return .answered(delivered: await deliver(answer))
        case .waiting: return .waiting
        case .known: return .known
        case .failed, .locked: return .failed
        }
    }
}

/// What became of an event that came.
public enum ProcessedRequest: Hashable, Sendable {
    /// It is no request to be answered.
    case dropped(RequestRejection)
    /// It was answered; whether a relay took the answer.
    case answered(delivered: Bool)
    /// It waits for the person, or for the key.
    case waiting
    /// Another copy of it is being worked on, or it was answered before.
    case known
    /// It could not be kept or done; the app asks again.
    case failed
}

/// What ``LiveSigner/run()`` does besides listening.
enum SignerJob: Sendable {
    /// Bring an answer to its app.
    case deliver(OutgoingAnswer)
    /// Answer an app's token until it is heard of.
    case handshake(TokenHandshake)
    /// The key is there again.
    case unlocked
    /// What waits may be allowed by now.
    case reconsider
    /// Keep what is known of an app.
    case keep(RequestingApp)
}

/// How a relay that requests come by is doing since the start.
struct ListeningFigures: Hashable, Sendable {
    var isLive = false
    var problem: RelayEnding?
    var lastRequest: Timestamp?
    var requests = 0
}
