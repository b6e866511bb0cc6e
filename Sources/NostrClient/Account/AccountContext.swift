public import AsyncPrimitives
public import Logging
public import NostrCore
package import NostrNIPs
public import NostrRelay
public import NostrStore

/// What every service of an account works with.
///
/// An account is a façade over services. A service is an actor (or a class over one lock, where all it keeps is
/// knowledge that others read without waiting) that owns only its own state. The contract:
/// - It is given this context, and of other services only those below it in the order of folders:
///   `Account` < `Gossip` < `Publishing` < `Lists` < `People` < `Zaps` < `Polls` < `Notifications`, `LiveStreams`,
///   `Timeline`, `Reactions`, `Articles`, `Apps`, and beside them `Previews`, `Media` and above that `Gifs`; for what needs the key
///   `Vault` < `DirectMessages`, `Drafts`. The façade and ``UnlockedAccount`` put them together and stand above all.
/// - It tells others nothing by calling up: what changed goes through ``changes``.
/// - Long work is its `run()`, which ends when cancelled; the façade runs it in its task group.
/// - It loads its own records when first needed (`load()`), once.
/// - It draws from ``random`` and waits with ``time`` only, so that tests decide both.
/// - What needs the key is an ``UnlockedService``: made when the account unlocks, cancelled, wiped and dropped when it
///   locks. It never asks whether the account is unlocked: it exists only then.
///
/// One property for each thing that services are given; none of them is made here.
public struct AccountContext: Sendable {
    /// Whose account.
    public let publicKey: PublicKey
    /// The events, shared with other accounts.
    public let store: any EventStore
    /// This account's own records; no other account writes here.
    public let records: any RecordStore
    /// Where every version of the account's own profile and lists is kept; the same store as ``store``.
    public let versions: (any VersionStore)?
    /// The relays.
    public let network: any RelayNetwork
    /// The relays again, over connections that no key answers for: for questions that are to say nothing of who asks.
    package let keyless: any RelayNetwork
    /// Which relays none of the account's connections goes to.
    public let blocked: BlockedRelaysInForce
    /// What domains say of their names; `nil` where none are asked.
    public let names: (any NamesFetching)?
    /// What places of payment say of themselves; `nil` where none are asked.
    public let payees: (any PayeeFetching)?
    /// The beginnings of pages of the web; `nil` where none are fetched.
    public let pages: (any PageFetching)?
    /// What sends files to media servers and finds them there; `nil` where none are.
    public let media: MediaAccess?
    /// Files at addresses that others wrote; `nil` where none are fetched.
    public let blobs: (any SealedBlobFetching)?
    /// Where sealed files are put instead of on the account's media servers; `nil` for those.
    public let uploads: (any BlobUploading)?
    /// What no event says.
    public let configuration: AccountConfiguration
    /// Which kinds stand on home.
    let homeKinds: HomeKinds
    /// A clock to wait with, and the date.
    public let time: Time<Timestamp>
    /// For jitter, keys and dates that are drawn.
    public let random: RandomSource
    /// What happens, told to screens.
    public let changes: Broadcast<AccountChange>
    /// Never with content.
    public let log: Logger

    /// Joins what an account stands on.
    ///
    /// - Parameters:
    ///   - keyless: connections that no key answers for; without any, those of the account.
    ///   - blocked: what all these connections look into before they are made; the account fills it from its list.
    public init(
        publicKey: PublicKey, store: any EventStore, records: any RecordStore, versions: (any VersionStore)? = nil,
        network: any RelayNetwork, keyless: (any RelayNetwork)? = nil,
        blocked: BlockedRelaysInForce = BlockedRelaysInForce(), names: (any NamesFetching)? = nil,
        payees: (any PayeeFetching)? = nil, pages: (any PageFetching)? = nil,
        media: MediaAccess? = nil, blobs: (any SealedBlobFetching)? = nil, uploads: (any BlobUploading)? = nil,
        configuration: AccountConfiguration,
        time: Time<Timestamp>, random: RandomSource = RandomSource(), log: Logger = Logger(label: "linnet.account")
    ) {
        self.publicKey = publicKey
        self.store = store
        self.records = records
        self.versions = versions
        self.network = network
        self.keyless = keyless ?? network
        self.blocked = blocked
        self.names = names
        self.payees = payees
        self.pages = pages
        self.media = media
        self.blobs = blobs
        self.uploads = uploads
        self.configuration = configuration
        homeKinds = HomeKinds(configuration.homeKinds, records: records)
        self.time = time
        self.random = random
        self.log = log
        changes = Broadcast<AccountChange>(missed: .missed)
    }

    /// Logs a failure that nobody waits for; never with content.
    package func report(_ what: String, _ error: any Error) {
        // Being stopped is no failure.
        if error is CancellationError { return }
        log.error("\(what)", metadata: ["error": "\(error)"])
    }

    /// The address of something of the account's own; kinds of which a person has one take no identifier.
    package func ownAddress(_ kind: Kind, _ identifier: String = "") -> EventAddress {
        EventAddress(
            kind: kind, author: publicKey, identifier: kind.retention == .addressable ? identifier : "")
    }

    /// The version of an address in force here.
    package func storedVersion(at address: EventAddress) async throws -> Event? {
        try await store.query([address.filter]).first { $0.address == address }
    }
}

extension EventAddress {
    /// A question for the version in force; what it brings may be of a sibling with an empty identifier.
    var filter: Filter {
        guard kind.retention == .addressable, !identifier.isEmpty else {
            return Filter(authors: [author], kinds: [kind], limit: kind.retention == .addressable ? nil : 1)
        }
        return Filter(authors: [author], kinds: [kind], tags: ["d": [identifier]], limit: 1)
    }
}
