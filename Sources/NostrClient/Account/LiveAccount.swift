package import AsyncPrimitives
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

    nonisolated let signer: (any EventSigner)?
    /// What needs no unlocked key.
    public nonisolated let services: AccountServices
    /// Where people of conversations that are looked at receive messages.
    nonisolated let inboxRequests: PendingRequests<ChatRoom>
    /// The times the account is unlocked.
    nonisolated let lifetime = UnlockedLifetime()
    private nonisolated let factories: [UnlockedServiceFactory]

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
    /// Rings when a gift wrap came that carries no message.
    package nonisolated let arrivals = Doorbell()

    /// Counts changes of the lists the account acts on, and of its lock.
    var ownListsState = 1
    /// Which of these states was read last.
    var ownListsRead = 0
    var privateReadings: [EventID: PrivateReading] = [:]
    var recentEdits: [RecentEdit] = []
    var draftsGathered: Set<RelayURL> = []
    var draftsSeen: Set<EventID> = []
    var mail: MailDesk

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
        log: Logger = Logger(label: "linnet.account"), unlocked factories: [UnlockedServiceFactory] = []
    ) {
        self.init(
            AccountContext(
                publicKey: publicKey, store: store, records: records, versions: versions, network: network,
                configuration: configuration, time: time, random: RandomSource(randomness), log: log),
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
        inboxRequests = PendingRequests(context.changes)
        mailbox = Mailbox(account: context.publicKey)
        mail = MailDesk(patience: context.configuration.patience)
        services.gossip.ring(listsSignal)
        services.gossip.ring(attending)
        services.mutes.renew { [weak self] in await self?.readOwnLists() }
    }

    public func changes() async -> AsyncStream<AccountChange> {
        context.changes.listen()
    }

    /// Reads from disk what the account knew when it last ran; does nothing the second time.
    func load() async throws {
        try await services.home.load()
    }

    // MARK: - The key comes and goes

    /// What the account can do while it is unlocked; `nil` while it is locked.
    public nonisolated var unlocked: UnlockedAccount? { lifetime.current }

    /// The account's key can be used from now on: opens the vault, and whatever waited for it.
    ///
    /// Returns once all that is open, whoever began it. Does nothing when it is; a key that turns out to be locked
    /// after all changes nothing.
    public func keyDidUnlock() async {
        await openingVault.take {
            guard await openVault(), let sealed else { return }
            ownListsDidChange()
            feed.send(.lists)
            await mailDidUnlock(sealed)
            feed.send(.messaging)
            arrivals.ring()
        }
    }

    /// A signer elsewhere answers again: does what it could not be asked for meanwhile.
    public func signerDidReturn() async {
        guard sealed != nil else { return await keyDidUnlock() }
        do {
            try await openWaiting()
        } catch {
            report("messages that waited for the signer could not be kept", error)
        }
        feed.send(.messaging)
    }

    /// The account's key is gone: everything that was decrypted is forgotten.
    public func keyDidLock() async {
        await lifetime.lock()
        draftsGathered = []
        forgetPrivateParts()
        await mailDidLock()
        feed.send(.messaging)
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
            if lifetime.vault == .damaged { feed.send(.messaging) }
            return isOpen
        } catch let failure as SigningFailure {
            context.log.info("the vault stays closed", metadata: ["why": "\(failure)"])
        } catch {
            report("the vault does not open", error)
        }
        return false
    }

    private nonisolated func openedVault(by signer: any EventSigner) async throws -> SealedRecords? {
        do { return try await Vault.open(context, by: signer) } catch {
            // Nothing was found out; the next call finds it closed.
            if error is SigningFailure || error is CancellationError { throw error }
            report("the vault does not open", error)
            return nil
        }
    }

    private nonisolated func unlocked(
        with sealed: SealedRecords, _ signer: any EventSigner
    ) async -> UnlockedAccount {
        let unlocked = UnlockedContext(
            account: context, signer: signer, sealed: sealed, gossip: gossip,
            publishing: services.publishing, replaceable: replaceable, mail: self, people: services.people)
        var services: [any UnlockedService] = []
        for make in factories {
            do { services.append(try await make(unlocked)) } catch { report("a service could not be opened", error) }
        }
        return UnlockedAccount(unlocked, services: services)
    }
}
