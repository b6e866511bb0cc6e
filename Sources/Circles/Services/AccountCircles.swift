internal import AsyncPrimitives
internal import Marmot
public import NostrClient
public import NostrCore

/// The private circles of one account, while it is unlocked.
///
/// Everything is read from the encrypted vault on disk. What belongs together is a service of its own: ``reader`` for
/// what screens show, ``membership`` for coming in and letting in, ``messaging``,
/// ``pictures`` and ``files`` for what is said, ``sharing`` for our own place and ``guests`` for those it is shown to by
/// a link, ``places`` for those of others, and ``administration`` for the circle itself.
public final class AccountCircles: UnlockedService {
    /// What screens show.
    public let reader: CircleReader
    /// Coming in, and letting in.
    public let membership: CircleMembership
    /// What we say.
    public let messaging: CircleMessaging
    /// Pictures of members and circles.
    public let pictures: CirclePictures
    /// Sealed files that lie on media servers.
    public let files: CircleFiles
    /// Our own place.
    public let sharing: PlaceSharing
    /// Our own place, for guests without an account.
    public let guests: GuestSharing
    /// Others' places.
    public let places: MemberPlaces
    /// The circle itself: changing, leaving, ending, mending.
    public let administration: CircleAdministration

    let store: CircleStore
    let work: CircleWork
    let keyPackages: KeyPackages
    let mail: CircleMail
    private let verification: MemberVerification

    /// Makes the circles of each account that is unlocked.
    ///
    /// - Parameter source: from where the place of this machine is read.
    public static func factory(source: LocationSourceSetting = LocationSourceSetting()) -> UnlockedServiceFactory {
        { try await AccountCircles(opening: $0, source: source) }
    }

    /// Reads all circles; what was under way goes on once this runs.
    init(opening context: UnlockedContext, source: LocationSourceSetting) async throws {
        store = CircleStore(context.account)
        let outbox = CircleOutbox(context)
        work = CircleWork(context, store: store, outbox: outbox)
        keyPackages = KeyPackages(context, store: store)
        verification = MemberVerification(store: store, work: work, keyPackages: keyPackages)
        mail = CircleMail(context, store: store, work: work, keyPackages: keyPackages)
        sharing = PlaceSharing(context, store: store, work: work, source: source)
        guests = GuestSharing(context, store: store, sharing: sharing)
        membership = CircleMembership(context, store: store, work: work, keyPackages: keyPackages)
        messaging = CircleMessaging(context, store: store, work: work)
        pictures = CirclePictures(context, store: store, work: work, messaging: messaging)
        files = CircleFiles(context, store: store, work: work, messaging: messaging)
        places = MemberPlaces(context, store: store)
        reader = CircleReader(context, store: store, work: work, sharing: sharing)
        administration = CircleAdministration(context, store: store, work: work, sharing: sharing)
        try await sharing.load()
        try await guests.load()
        await work.plan(try await store.load(context.sealed))
        try await outbox.load(await store.circles.compactMapValues { $0.session?.roster.relayURLs })
        await work.subscribe()
        context.account.changes.send(.circles)
    }

    /// Works until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.work.run { await self.perform($0) } }
            group.addTask { await self.work.outbox.run() }
            group.addTask { await self.mail.run() }
            group.addTask { await self.keyPackages.run() }
            group.addTask { await self.sharing.run() }
            group.addTask { await self.guests.run() }
            group.addTask { await self.verification.run() }
            group.addTask { await self.files.run() }
        }
    }

    /// Forgets everything that was decrypted.
    public func wipe() async {
        await files.wipe()
        await store.wipe()
        await sharing.wipe()
        await guests.wipe()
        await work.wipe()
        work.account.changes.send(.circles)
    }

    /// What waits for the person's answer to a relay goes on.
    public func consentDidChange(for relay: RelayURL) async {
        await work.outbox.relayIsBack(relay)
    }

    /// What waited for the signer goes on.
    public func signerDidReturn() async {
        await work.outbox.signerDidReturn()
        await files.signerDidReturn()
    }

    private func perform(_ effect: CircleEffect) async {
        switch effect {
        case .sendWelcomes: await mail.sendWelcomes()
        case .sendPlace(let place, let number, let id):
            async let shown: Void = guests.show(place, in: id)
            await sharing.send(place, number: number, in: id)
            await shown
        case .noteBattery(let percent, let id): await places.noteBattery(percent, in: id)
        case .showPictures(let id): await pictures.showAgain(in: id)
        case .sendWord(let person, let epoch, let id): await mail.sendWord(to: person, epoch: epoch, of: id)
        case .verifyMembers(let id): await verification.look(at: id)
        case .session(.askReadmission, let id): await mail.askReadmission(to: id)
        case .session(.askMembers, let id): await askMembers(of: id)
        // The work on circles itself has done those.
        case .session, .wiped, .changed: break
        }
    }

    private func askMembers(of id: CircleID) async {
        do { try await messaging.send(in: id) { now, _ in CircleMessage.stepQuestion(now: now) } } catch {
            // Whoever left meanwhile has nothing to ask.
            if !(error is CircleError) { work.account.report("members could not be asked", error) }
        }
    }
}

extension Account {
    /// The account's private circles; nil while it is locked, and for one without a key.
    public var circles: AccountCircles? { unlocked?.service() }

    /// The account's private circles.
    ///
    /// - Throws: ``CircleError`` while it is locked, or by name where the vault or the circles in it cannot be read.
    public func openCircles() async throws(CircleError) -> AccountCircles {
        if let circles { return circles }
        if unlocked != nil { throw CircleError(.notRead) }
        throw await messagingState()?.vault == .damaged ? CircleError(.damagedVault) : .locked
    }
}
