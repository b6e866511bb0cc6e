internal import AsyncPrimitives
internal import Marmot
public import NostrClient
public import NostrCore

/// Changing a circle, leaving it, ending it, and mending it.
///
/// Every call returns once what it did is durable; it throws ``CircleError`` or what an account throws.
public final class CircleAdministration: Sendable {
    /// How far back relays are asked when a person wants everything once more.
    private static let resyncLookback: Duration = .seconds(30 * 86_400)

    let account: AccountContext
    let store: CircleStore
    let work: CircleWork
    private let sharing: PlaceSharing

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, sharing: PlaceSharing) {
        (account, self.store, self.work, self.sharing) = (context.account, store, work, sharing)
    }

    /// Changes what the circle says of itself, and who is an admin.
    public func edit(_ id: CircleID, _ edit: CircleEdit) async throws {
        let name = edit.name?.trimmingWhiteSpace()
        guard name?.isEmpty != true else { throw CircleError(.noName) }
        var change = GroupEdit()
        (change.name, change.description, change.relays) = (name, edit.about, edit.relays)
        (change.promoted, change.demoted) = (edit.promoted, edit.demoted)
        let stepsDown = edit.demoted == [account.publicKey]
        await work.plan(try await store.change(id, stepsDown ? .stepDown : .edit(change)))
    }

    /// Makes somebody else an admin in our place, with one change of the group; then we can leave.
    public func handOver(_ id: CircleID, to person: PublicKey) async throws {
        var change = GroupEdit()
        (change.promoted, change.demoted) = ([person], [account.publicKey])
        await work.plan(try await store.change(id, .edit(change)))
    }

    /// After how many days our keys in it are renewed.
    public func renewalDays(of id: CircleID) async throws -> Int {
        try await store.member(of: id).0.record.renewalDays ?? CircleRecord.usualRenewalDays
    }

    /// Renews our keys in it after so many days from now on; held in 1 to 30.
    public func setRenewal(days: Int, in id: CircleID) async throws {
        await work.plan(try await store.setRenewal(days: days, in: id))
    }

    /// Removes people.
    public func remove(_ people: Set<PublicKey>, from id: CircleID) async throws {
        await work.plan(try await store.change(id, .remove(people)))
    }

    /// Asks the others to let us go; an admin steps down first.
    public func leave(_ id: CircleID) async throws {
        let (_, session) = try await store.member(of: id)
        // Who is alone has nobody to ask.
        guard session.roster.people.count > 1 else {
            await work.plan(try await store.abandon(id))
            return account.changes.send(.circles)
        }
        await work.plan(try await store.leave(id))
    }

    /// Ends a circle for everybody, as one of its admins, and wipes it here; anybody else leaves and wipes it.
    ///
    /// It returns once that is durable. An admin's circle is wiped after relays have the commit that removes everybody
    /// else; what others were told before stays with them.
    public func end(_ id: CircleID) async throws {
        try await sharing.forget(id) { await work.plan(try await store.end(id)) }
        account.changes.send(.circles)
    }

    /// Takes everything of a circle off this machine.
    public func forget(_ id: CircleID) async throws {
        // The others are not told yet that it ends.
        guard try await store.current().circles[id]?.record.standing != .ending else { throw CircleError(.isEnding) }
        try await sharing.forget(id) { await work.plan(try await store.forget(id)) }
        account.changes.send(.circles)
    }

    /// Asks relays for everything once more, and an admin to let us in again if that does not help.
    public func resync(_ id: CircleID) async throws {
        let (_, session) = try await store.member(of: id)
        let since = account.time.now() - Self.resyncLookback
        await work.plan([.session(.refetch(since: since, everywhere: true), in: id)])
        if session.isApart { await work.plan([.session(.askReadmission, in: id)]) }
    }
}
