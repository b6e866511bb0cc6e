public import AsyncPrimitives
public import Logging
public import NostrCore
internal import NostrNIPs
public import NostrRelay
public import NostrSigner
public import NostrStore

/// An account at work over a store, the relays and a key: the one ``Account`` that is no script of a test.
///
/// It does nothing itself but put services together, run them, and unlock and lock what needs the key; hence a class
/// without state of its own. Reads answer from the store; what they lack is asked of the relays in ``run()``, one
/// long-lived piece of work that a service group owns. Without it nothing touches the network but the changes of lists,
/// which must read the newest version first.
public final class LiveAccount: Account {
    public let publicKey: PublicKey
    public let canSign: Bool
    /// What needs no unlocked key.
    public let services: AccountServices

    /// Leads somebody in who is new.
    let leading: FirstRun
    /// The times the account is unlocked.
    let lifetime = UnlockedLifetime()
    private let signer: (any EventSigner)?
    private let factories: [UnlockedServiceFactory]
    /// One opening of the vault, with all that follows from it, after the other.
    private let opening = SerialGate()

    var context: AccountContext { services.context }

    /// Which relays nothing that works for the account may contact.
    public var blockedRelays: BlockedRelaysInForce { context.blocked }

    /// Takes what the account works with.
    ///
    /// - Parameters:
    ///   - publicKey: whose account.
    ///   - signer: what signs; `nil` for an account that only reads.
    ///   - store: the events, shared with other accounts.
    ///   - records: this account's own records; no other account writes here.
    ///   - versions: where every version of the account's profile and lists is kept; the same store as `store`.
    ///   - keyless: connections that no key answers for; without any, those of `network`.
    ///   - blocked: what all these connections look into before they are made; the account fills it from its list.
    ///   - names: fetches what domains say of their names; `nil` where none are asked.
    ///   - payees: fetches what places of payment say of themselves; `nil` where none are asked.
    ///   - pages: fetches the beginnings of pages of the web; `nil` where none are fetched.
    ///   - media: sends files to media servers and finds them there; `nil` where none are.
    ///   - blobs: fetches sealed files from where others say they lie; `nil` where none are fetched.
    ///   - uploads: where sealed files are put instead of on the account's media servers; `nil` for those.
    ///   - randomness: for the jitter between retries, the vault's key, and the keys and dates of gift wraps.
    ///   - factories: make the services of targets above each time the account unlocks.
    public convenience init(
        publicKey: PublicKey, signer: (any EventSigner)?, store: any EventStore, records: any RecordStore,
        versions: (any VersionStore)? = nil, network: any RelayNetwork, keyless: (any RelayNetwork)? = nil,
        blocked: BlockedRelaysInForce = BlockedRelaysInForce(), names: (any NamesFetching)? = nil,
        payees: (any PayeeFetching)? = nil, pages: (any PageFetching)? = nil, media: MediaAccess? = nil,
        blobs: (any SealedBlobFetching)? = nil, uploads: (any BlobUploading)? = nil,
        configuration: AccountConfiguration,
        time: Time<Timestamp>,
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        log: Logger = Logger(label: "linnet.account"), unlocked factories: [UnlockedServiceFactory] = []
    ) {
        self.init(
            AccountContext(
                publicKey: publicKey, store: store, records: records, versions: versions, network: network,
                keyless: keyless, blocked: blocked, names: names, payees: payees, pages: pages, media: media,
                blobs: blobs, uploads: uploads,
                configuration: configuration,
                time: time,
                random: RandomSource(randomness), log: log),
            signer: signer, unlocked: factories)
    }

    /// Puts an account together; nothing runs yet.
    ///
    /// - Parameters:
    ///   - signer: what signs; `nil` for an account that only reads.
    ///   - factories: make the services of targets above each time the account unlocks.
    public init(
        _ context: AccountContext, signer: (any EventSigner)?, unlocked factories: [UnlockedServiceFactory] = []
    ) {
        self.signer = signer
        self.factories = factories
        publicKey = context.publicKey
        canSign = signer != nil
        services = AccountServices(context, signer: signer)
        leading = FirstRun(
            context,
            FirstRun.Services(
                gossip: services.gossip, replaceable: services.replaceable, publishing: services.publishing,
                people: services.people, profile: services.profile, follows: services.follows,
                ownRelays: services.ownRelays, ownIsGathered: services.home.ownIsGathered))
    }

    public func changes() async -> AsyncStream<AccountChange> {
        context.changes.listen()
    }

    /// Reads from disk what the account knew when it last ran; does nothing the second time.
    func load() async throws {
        try await services.home.load()
    }

    // MARK: - The key comes and goes

    public var unlocked: UnlockedAccount? { lifetime.current }

    /// The account's key can be used from now on: opens the vault, and whatever waited for it.
    ///
    /// Returns once all that is open, whoever began it. Does nothing when it is; a key that turns out to be locked
    /// after all changes nothing.
    public func keyDidUnlock() async {
        await opening.run {
            guard await openVault(), unlocked != nil else { return }
            await services.lists.didChange()
            context.changes.send(.lists)
            await openUnsignedNotes()
            await answerAllowedRelays()
            context.changes.send(.messaging)
        }
        await services.unsigned.signerDidReturn()
        await services.files.signerDidReturn()
    }

    private func openUnsignedNotes() async {
        guard let unlocked else { return }
        do {
            try await services.unsigned.vaultDidOpen(
                unlocked.context.sealed, drafts: unlocked.service(Drafts.self))
        } catch {
            context.report("notes that wait for their signer could not be read", error)
        }
        // Locked meanwhile, perhaps before anything was read.
        if self.unlocked !== unlocked { await services.unsigned.vaultDidClose() }
    }

    /// The signer was locked or unlocked: pages that show it are told.
    ///
    /// What follows for the account is done by ``keyDidUnlock()`` and ``keyDidLock()``.
    public nonisolated func lockDidChange() {
        context.changes.send(.lock)
    }

    /// A signer elsewhere answers again: does what it could not be asked for meanwhile.
    public func signerDidReturn() async {
        guard unlocked != nil else { return await keyDidUnlock() }
        do {
            try await services.inbox.readWaiting()
        } catch {
            context.report("messages that waited for the signer could not be kept", error)
        }
        await answerAllowedRelays()
        await services.unsigned.signerDidReturn()
        await services.files.signerDidReturn()
        context.changes.send(.messaging)
    }

    /// The account's key is gone: everything that was decrypted is forgotten.
    public func keyDidLock() async {
        await lifetime.lock()
        await services.lists.forgetPrivateParts()
        await services.unsigned.vaultDidClose()
        context.changes.send(.messaging)
    }

    /// Opens the vault, or makes it the first time; returns whether it has just been opened.
    private func openVault() async -> Bool {
        guard let signer else { return false }
        do {
            let isOpen = try await lifetime.unlock {
                try await openedVault(by: signer)
            } _: {
                await unlocked(with: $0, signer)
            }
            if lifetime.vault == .damaged { context.changes.send(.messaging) }
            return isOpen
        } catch let failure as SigningFailure {
            context.log.info("the vault stays closed", metadata: ["why": "\(failure)"])
        } catch {
            context.report("the vault does not open", error)
        }
        return false
    }

    private func openedVault(by signer: any EventSigner) async throws -> SealedRecords? {
        do { return try await Vault.open(context, by: signer) } catch {
            // Nothing was found out; the next call finds it closed.
            if error is SigningFailure || error is CancellationError { throw error }
            context.report("the vault does not open", error)
            return nil
        }
    }

    private func unlocked(with sealed: SealedRecords, _ signer: any EventSigner) async -> UnlockedAccount {
        var unlocked = UnlockedContext(
            account: context, signer: signer, sealed: sealed, gossip: services.gossip,
            publishing: services.publishing, replaceable: services.replaceable, people: services.people,
            mutes: services.mutes, mail: nil)
        unlocked.uploads = context.uploads
        if unlocked.uploads == nil, context.media != nil { unlocked.uploads = services.files }
        var opened: [any UnlockedService] = [
            Drafts(unlocked, lists: services.lists), GifHost(unlocked, gifs: services.gifs),
        ]
        do {
            let messages = try await DirectMessages(
                unlocked, inbox: services.inbox, delivery: services.delivery, lists: services.lists)
            await messages.open()
            unlocked.mail = messages
            opened.append(messages)
        } catch {
            context.report("messages could not be read from disk", error)
        }
        for make in factories {
            do { opened.append(try await make(unlocked)) } catch {
                context.report("a service could not be opened", error)
            }
        }
        return UnlockedAccount(unlocked, services: opened)
    }
}

// MARK: - What screens reach

extension LiveAccount {
    public var timeline: any TimelineReading { services.timeline }
    public var people: any PeopleReading { services.people }
    public var streams: (any LiveStreaming)? { services.streams }
    public var publishing: any NotePublishing { services.publishing }
    public var polls: (any Polling)? { services.polls }
    public var reactions: (any ReactionKeeping)? { services.reactions }
    public var trends: (any TrendReading)? { services.trends }
    public var reports: (any ReportReading)? { services.reports }
    public var apps: (any AppOffering)? { services.apps }
    public var mining: any WorkControl { services.publishing.mining }
    public var profile: any ProfileEditing { services.profile }
    public var follows: any Following { services.follows }
    public var articles: (any ArticleKeeping)? { services.articles }
    public var showcases: (any ShowcaseReading)? { services.timeline }
    public var ownRelays: any OwnRelayKeeping { services.ownRelays }
    public var firstRun: (any FirstRunKeeping)? { leading }
    public var notifications: (any NotificationReading)? { services.notifications }
    public var network: any NetworkReporting {
        // Each page asks, and all services together are dear to keep.
        let (publishing, delivery) = (services.publishing, services.delivery)
        return NetworkReports(
            services.context, gossip: services.gossip, people: services.people, home: services.home,
            inbound: services.inbound
        ) {
            await publishing.waiting + delivery.waiting
        }
    }

    public var previews: (any LinkPreviewing)? { context.pages == nil ? nil : services.previews }
    public var files: (any FileKeeping)? { context.media == nil ? nil : services.files }
    public var gifs: (any GifFinding)? { context.media == nil ? nil : services.gifs }
    public var gifHost: (any GifHosting)? { context.media == nil ? nil : unlocked?.service(GifHost.self) }
    public var pictures: (any PictureCaching)? { context.media == nil ? nil : services.pictures }
    public var recordings: (any RecordingPlaying)? { context.media?.parts == nil ? nil : services.recordings }
    public var lists: (any ListKeeping)? { canSign ? services.lists : nil }
    public var copies: (any CopyRemoving)? {
        canSign ? StoredCopies(services.context, mutes: services.mutes, people: services.people) : nil
    }
    public var unsigned: (any UnsignedNoteKeeping)? { canSign ? services.unsigned : nil }
    public var history: (any VersionHistory)? {
        History(
            context, publishing: services.publishing, replaceable: services.replaceable, lists: services.lists)
    }
    public var messages: (any Messaging)? { unlocked?.service(DirectMessages.self) }
    public var drafts: (any DraftKeeping)? { unlocked?.service(Drafts.self) }

    public func messagingState() async -> MessagingState? {
        guard canSign else { return nil }
        let unread = await unlocked?.service(DirectMessages.self)?.unread()
        let vault: MessagingState.Vault =
            switch lifetime.vault {
            case .locked: .locked
            case .opening: .opening
            case .open: unread == nil ? .opening : .open
            case .damaged: .damaged
            }
        return MessagingState(
            vault: vault, inbox: services.gossip.inbox, caughtUp: await services.inbox.caughtUp,
            rejected: await services.inbox.rejected, unread: unread?.known ?? 0,
            unreadRequests: unread?.requests ?? 0)
    }

    public func setInbox(_ relays: [RelayURL]) async throws -> Event {
        let list = InboxList(
            context, gossip: services.gossip, publishing: services.publishing, replaceable: services.replaceable)
        return try await list.set(relays)
    }

    /// What this or another program of the person keeps under a name (NIP-78, kind 30078), decrypted; `nil` without one.
    public func appData(_ identifier: String) async throws -> String? { try await services.lists.appData(identifier) }

    /// Keeps something under a name on the account's own relays, encrypted.
    public func setAppData(_ identifier: String, _ text: String) async throws -> Event {
        try await services.lists.setAppData(identifier, text)
    }

    /// Puts a relay on, or takes it off, the list of relays that are never contacted (NIP-51, kind 10006).
    public func setBlocked(_ relay: RelayURL, _ blocked: Bool) async throws -> Event {
        try await services.lists.setBlocked(relay, blocked)
    }
}
