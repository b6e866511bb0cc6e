internal import AsyncPrimitives
internal import Marmot
public import NostrClient
public import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// Coming into circles: making one, inviting, asking, and letting people in.
///
/// Every call returns once what it did is durable; it throws ``CircleError`` or what an account throws.
public final class CircleMembership: Sendable {
    /// The most relays our invitations name.
    private static let mostInviteRelays = 3

    private let context: UnlockedContext
    private let store: CircleStore
    private let work: CircleWork
    private let keyPackages: KeyPackages

    private var account: AccountContext { context.account }

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, keyPackages: KeyPackages) {
        (self.context, self.store, self.work, self.keyPackages) = (context, store, work, keyPackages)
    }

    /// Makes a circle of one.
    ///
    /// - Parameter relays: where its events go; none for where we write.
    public func create(_ name: String, about: String, relays: [RelayURL]) async throws -> CircleID {
        let name = name.trimmingWhiteSpace()
        guard !name.isEmpty else { throw CircleError(.noName) }
        let chosen = relays.isEmpty ? Array(context.gossip.router.ownWrite.prefix(3)) : relays
        guard !chosen.isEmpty else { throw CircleError.noRelay }
        let (id, effects) = try await store.create(name, about: about, relays: chosen)
        await work.plan(effects)
        keyPackages.due.ring()
        account.changes.send(.circles)
        return id
    }

    /// What lets others ask to join; only an admin can let them in.
    public func invite(to id: CircleID) async throws -> CircleInvite {
        let (_, session) = try await store.member(of: id)
        guard session.roster.isAdmin(account.publicKey) else { throw CircleError.notAdmin }
        // Where the request is to be sent: where we read our wraps.
        let own = context.mail?.ownRelays ?? []
        let relays = own.isEmpty ? session.roster.relayURLs : own
        guard
            let invite = CircleInvite(
                circle: id.bytes, inviter: account.publicKey, relays: Array(relays.prefix(Self.mostInviteRelays)),
                name: session.roster.data.name)
        else { throw CircleError.noRelay }
        return invite
    }

    /// Asks to join; we are in when an admin lets us in.
    public func ask(_ invite: CircleInvite, name: String?) async throws {
        let state = try await store.current()
        guard let id = CircleID(invite.circle), invite.inviter != account.publicKey else { throw CircleError.unusable }
        if state.circles[id]?.session?.isMember == true { throw CircleError(.alreadyMember) }
        guard let package = try await keyPackages.fresh() else { throw CircleError.noRelay }
        context.gossip.learn(hints: invite.relays, about: invite.inviter)
        let now = account.time.now()
        let asked = AskedRecord(
            circle: id.hex, inviter: invite.inviter.hex, relays: invite.relays.map(\.text), name: invite.name,
            askedAt: now.seconds)
        try await store.remember(asked, id)
        let rumor: Rumor
        do { rumor = try JoinRequest.rumor(for: id.bytes, with: package.event, name: name, now: now) } catch {
            throw CircleError(.badRequest(error))
        }
        try await context.openMail.send(rumor, to: invite.inviter, clearing: [], besides: invite.relays)
        account.changes.send(.circles)
    }

    /// Does not want to join any more.
    public func withdraw(_ id: CircleID) async throws {
        try await store.forgetAsked(id)
        account.changes.send(.circles)
    }

    /// Lets others put us into a circle unasked, by publishing a key package and where it is; we are asked then.
    public func becomeInvitable() async throws {
        guard try await keyPackages.fresh() != nil else { throw CircleError.noRelay }
        account.changes.send(.circles)
    }

    /// Lets people in who asked, or members in again who are out of step.
    public func admit(_ people: Set<PublicKey>, to id: CircleID) async throws {
        _ = try await store.member(of: id)
        await work.plan(try await store.admit(people, to: id))
        account.changes.send(.circles)
    }

    /// Lets people in whose key packages are looked up, without their having asked.
    public func add(_ people: Set<PublicKey>, to id: CircleID) async throws {
        _ = try await store.member(of: id)
        let packages = try await keyPackages.published(by: people)
        let lacking = people.subtracting(packages.keys)
        guard lacking.isEmpty else { throw CircleError(.noKeyPackage(lacking.count, of: people.count)) }
        await work.plan(try await store.change(id, .add(packages.sorted { $0.key < $1.key }.map(\.value))))
    }

    /// Takes people off the list of those who ask.
    public func refuse(_ people: Set<PublicKey>, at id: CircleID) async throws {
        await work.plan(try await store.refuse(people, at: id))
        account.changes.send(.circles)
    }

    /// Joins where somebody has let us in unasked.
    public func acceptInvitation(to id: CircleID) async throws {
        guard case .joined(_, let effects) = try await store.accept(id) else { throw CircleError.unusable }
        await work.plan(effects)
        keyPackages.due.ring()
        account.changes.send(.circles)
    }

    /// Does not; nobody is told.
    public func declineInvitation(to id: CircleID) async throws {
        try await store.decline(id)
        account.changes.send(.circles)
    }
}
