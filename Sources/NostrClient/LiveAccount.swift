internal import Location
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
    /// The times the account is unlocked.
    nonisolated let lifetime = UnlockedLifetime()
    private nonisolated let factories: [UnlockedServiceFactory]

    let openingVault = Turns()
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

    var circleDesk: CircleDesk
    var sharingDesk = SharingDesk()
    var locationSource: (any LocationSource)?
    /// When trails were last looked through for what has grown too old.
    var trailsTended: Timestamp?

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
        self.init(
            AccountContext(
                publicKey: publicKey, store: store, records: records, versions: versions, network: network,
                configuration: configuration, time: time, random: RandomSource(randomness), log: log),
            signer: signer)
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
        circleDesk = CircleDesk(patience: context.configuration.patience)
        circleKeeper = CircleKeeper(
            account: context.publicKey, now: context.time.now, randomness: context.random.generator)
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
            await services.lists.didChange()
            feed.send(.lists)
            feed.send(.messaging)
            await observeCircleMail()
            await circlesDidUnlock(sealed)
        }
    }

    /// A signer elsewhere answers again: does what it could not be asked for meanwhile.
    public func signerDidReturn() async {
        guard sealed != nil else { return await keyDidUnlock() }
        do {
            try await services.inbox.readWaiting()
        } catch {
            report("messages that waited for the signer could not be kept", error)
        }
        feed.send(.messaging)
    }

    /// The account's key is gone: everything that was decrypted is forgotten.
    public func keyDidLock() async {
        await lifetime.lock()
        await services.lists.forgetPrivateParts()
        await circlesDidLock()
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
        var unlocked = UnlockedContext(
            account: context, signer: signer, sealed: sealed, gossip: gossip,
            publishing: self.services.publishing, replaceable: replaceable, mail: nil)
        var services: [any UnlockedService] = [Drafts(unlocked, lists: self.services.lists)]
        do {
            let messages = try await DirectMessages(unlocked, self.services)
            await messages.open()
            unlocked.mail = messages
            services.append(messages)
        } catch {
            report("messages could not be read from disk", error)
        }
        for make in factories {
            do { services.append(try await make(unlocked)) } catch { report("a service could not be opened", error) }
        }
        return UnlockedAccount(unlocked, services: services)
    }
}
