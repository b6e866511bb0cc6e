public import Logging
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
public import NostrSigner
public import NostrStore

/// An account at work over a store, the relays and a key.
///
/// Reads answer from the store; what they lack is put on a board of demands, and ``run()`` — one long-lived piece of
/// work that a service group owns — asks the relays for it. Without ``run()`` nothing touches the network but the
/// changes of lists, which must read the newest version first.
public actor LiveAccount: Account {
    public nonisolated let publicKey: PublicKey
    public nonisolated let canSign: Bool

    let store: any EventStore
    let records: any RecordStore
    let versions: (any VersionStore)?
    let network: any RelayNetwork
    let signer: (any EventSigner)?
    let configuration: AccountConfiguration
    let time: AccountTime
    let log: Logger

    let feed = ChangeFeed()
    let people = PersonCache()
    let demands = DemandBoard()
    let outgoing = Signal()
    let routing = Signal()
    let discovering = Signal()
    let changingLists = Turns()
    let openingVault = Turns()
    let readingLists = Turns()
    let listsSignal = Signal()
    /// Rings when the inbox relays or the key changed.
    let attending = Signal()
    /// Rings when the key has come.
    let unlocking = Signal()
    /// Rings when a message may be due.
    let mailing = Signal()
    let mailbox: Mailbox
    let circleKeeper: CircleKeeper
    /// Rings when something is to be done for a circle.
    let circleWork = Signal()
    /// Rings when there is a circle to listen to.
    let circleListening = Signal()
    /// Rings when an event of a circle may be due.
    let circleMailing = Signal()
    /// Rings when a new key package may be due.
    let keyPackageBell = Signal()
    /// One change of how the place is shared after the other.
    let sharingTurns = Turns()
    /// Rings when something may be to be done for it.
    let sharingBell = Signal()
    /// Rings when a position is of use more often or less, or from elsewhere.
    let sourceBell = Signal()

    var router: RelayRouter
    var queue = PublishQueue()
    var follows: [PublicKey] = []
    var followed: Set<PublicKey> = []
    var searchRelays: [RelayURL] = []
    var plan = ReadPlan()
    var ledger = CoverageLedger()
    var horizons: [TimelineSource: Horizon] = [:]
    var freshness = Freshness()
    var live: (any LiveSubscription)?
    var liveSince: Timestamp?
    var discovered: Set<PublicKey> = []
    var gathered: Set<PublicKey> = []
    var window: GatheringWindow?
    var resolving: Set<EventID> = []
    var isLoaded = false
    var works: [Int: WorkAtHand] = [:]
    var vault = VaultState.locked
    var vaultGeneration = 0
    var ownMutes = Mutes()
    var privateRelays: [RelayURL] = []
    /// Counts changes of the lists the account acts on, and of its lock.
    var ownListsState = 1
    /// Which of these states was read last.
    var ownListsRead = 0
    var privateReadings: [EventID: PrivateReading] = [:]
    var recentEdits: [RecentEdit] = []
    var draftsGathered: Set<RelayURL> = []
    var draftsSeen: Set<EventID> = []
    var mail: MailDesk
    var circleDesk: CircleDesk
    var sharingDesk = SharingDesk()
    var locationSource: (any LocationSource)?
    /// When trails were last looked through for what has grown too old.
    var trailsTended: Timestamp?
    private var random: any RandomNumberGenerator & Sendable

    /// Takes what the account works with.
    ///
    /// - Parameters:
    ///   - publicKey: whose account.
    ///   - signer: what signs; `nil` for an account that only reads.
    ///   - store: the events, shared with other accounts.
    ///   - records: this account's own records; no other account writes here.
    ///   - versions: where every version of one's own profile and lists is kept; the same store as `store`.
    ///   - randomness: for the jitter between retries, the vault's key, and the keys and dates of gift wraps.
    public init(
        publicKey: PublicKey, signer: (any EventSigner)?, store: any EventStore, records: any RecordStore,
        versions: (any VersionStore)? = nil, network: any RelayNetwork, configuration: AccountConfiguration,
        time: AccountTime,
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        log: Logger = Logger(label: "linnet.account")
    ) {
        self.publicKey = publicKey
        self.signer = signer
        canSign = signer != nil
        self.store = store
        self.records = records
        self.versions = versions
        self.network = network
        self.configuration = configuration
        self.time = time
        self.log = log
        random = randomness
        router = RelayRouter(account: publicKey, policy: configuration.routing)
        searchRelays = configuration.searchRelays
        mailbox = Mailbox(account: publicKey)
        mail = MailDesk(patience: configuration.patience)
        circleDesk = CircleDesk(patience: configuration.patience)
        circleKeeper = CircleKeeper(account: publicKey, now: time.now, randomness: randomness)
    }

    public func changes() async -> AsyncStream<AccountChange> {
        feed.listen()
    }

    /// Reads from disk what the account knew when it last ran; does nothing the second time.
    func load() async throws {
        guard !isLoaded else { return }
        // Before anything is saved: whatever comes from now on is a version.
        try await versions?.keepVersions(of: [publicKey])
        let saved = try await records.records(in: DeliveryRecord.table)
        let own = try await store.query([Filter(authors: [publicKey], kinds: Self.ownLists)])
        let horizon = try await records.value(Horizon.key, in: Horizon.table).flatMap(Horizon.init(record:))
        // Whoever was faster has loaded the same; a queue in use must not be replaced.
        guard !isLoaded else { return }
        queue = PublishQueue(decoded(saved), patience: configuration.patience)
        if let horizon { horizons[.home] = horizon }
        for event in own.reversed() { learn(from: event) }
        isLoaded = true
        try await learnRelayLists(of: followed)
    }

    /// Notes a failure that nobody waits for; never with content.
    func report(_ what: String, _ error: any Error) {
        // Being stopped is no failure.
        if error is CancellationError { return }
        log.error("\(what)", metadata: ["error": "\(error)"])
    }

    /// A number of 0..<1.
    func draw() -> Double {
        Self.draw(from: &random)
    }

    /// Fresh random bytes.
    func drawBytes(_ count: Int) -> [UInt8] {
        randomBytes(count, using: &random)
    }

    /// A seal to sign, its date moved into the past two days.
    func sealDraft(_ payload: String, now: Timestamp, expiration: Timestamp?) -> EventDraft {
        func draft(_ random: inout some RandomNumberGenerator) -> EventDraft {
            Seal.draft(payload, now: now, expiration: expiration, using: &random)
        }
        return draft(&random)
    }

    /// A seal in its wrap, under a key that is drawn for it and forgotten.
    func wrapped(
        _ seal: Event, for recipient: PublicKey, now: Timestamp, expiration: Timestamp?
    ) throws(PayloadError) -> Event {
        func wrap(_ random: inout some RandomNumberGenerator) throws(PayloadError) -> Event {
            try GiftWrap.wrap(seal, for: recipient, now: now, expiration: expiration, using: &random)
        }
        return try wrap(&random)
    }

    private static func draw(from random: inout some RandomNumberGenerator) -> Double {
        Double.random(in: 0..<1, using: &random)
    }

    private func decoded(_ saved: [Record]) -> [Delivery] {
        saved.compactMap { record in
            do {
                return try DeliveryRecord.decode(record.value)
            } catch {
                log.error("a queued event could not be read back", metadata: ["id": "\(record.key)"])
                return nil
            }
        }
    }
}
