internal import Marmot
public import NostrCore
internal import NostrStore

/// Circles as screens see them: changing, leaving and mending.
extension LiveAccount {
    public func edit(_ id: CircleID, _ edit: CircleEdit) async throws {
        let name = edit.name?.trimmingWhiteSpace()
        guard name?.isEmpty != true else { throw CircleError(.empty, "Give the circle a name.") }
        var change = GroupEdit()
        (change.name, change.description, change.relays) = (name, edit.about, edit.relays)
        (change.promoted, change.demoted) = (edit.promoted, edit.demoted)
        plan(try await circleKeeper.change(id, edit.demoted == [publicKey] ? .stepDown : .edit(change)))
    }

    public func remove(_ people: Set<PublicKey>, from id: CircleID) async throws {
        plan(try await circleKeeper.change(id, .remove(people)))
    }

    public func leave(_ id: CircleID) async throws {
        let seat = try await member(of: id)
        let people = seat.session?.roster.people ?? []
        // Who is alone has nobody to ask.
        guard people.count > 1 else {
            plan(try await circleKeeper.abandon(id))
            return feed.send(.circles)
        }
        plan(try await circleKeeper.leave(id))
    }

    public func burn(_ id: CircleID) async throws {
        _ = try await openedCircles()
        try await forgetSharing(in: id) { plan(try await circleKeeper.burn(id)) }
        feed.send(.circles)
    }

    public func forgetCircle(_ id: CircleID) async throws {
        // The others are not told yet that it ends.
        guard try await openedCircles().seats[id]?.record.standing != .ending else { throw CircleError.isEnding }
        try await forgetSharing(in: id) { plan(try await circleKeeper.forget(id)) }
        feed.send(.circles)
    }

    public func resync(_ id: CircleID) async throws {
        let seat = try await member(of: id)
        let since = time.now() - .seconds(30 * 86_400)
        plan([.session(.refetch(since: since, everywhere: true), in: id)])
        if seat.session?.isApart == true { plan([.session(.askReadmission, in: id)]) }
    }

    public func markRead(_ id: CircleID) async throws {
        guard let seat = try await openedCircles().seats[id], seat.record.unread > 0 else { return }
        plan(try await circleKeeper.decide(id) { $0.unread = 0 })
        feed.send(.circles)
    }
}
