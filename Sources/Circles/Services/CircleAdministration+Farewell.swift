internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore

/// Going from all circles at once, before an account is taken off this machine: its leaf would stay in them, and the
/// others would go on encrypting for a key that nobody has any more.
extension CircleAdministration {
    /// How often it is looked at how far that is.
    private static let look: Duration = .milliseconds(200)

    /// The names of circles with others in them of which we are the only admin: they would be left without one.
    public func circlesWithoutSuccessor() async throws -> [String] {
        try await membershipsWithOthers().filter { $0.1.roster.presentAdmins == [account.publicKey] }
            .map { $0.1.roster.data.name }.sorted()
    }

    /// Asks the others in all circles to let us go, as an admin after having stepped down.
    ///
    /// - Parameter patience: how long relays have to take that.
    /// - Returns: whether a relay of each circle did.
    public func leaveAll(within patience: Duration) async throws -> Bool {
        let isDone = try await withDeadline(patience, on: account.time.clock) {
            let own = self.account.publicKey
            for (id, session) in try await self.membershipsWithOthers() where session.roster.isAdmin(own) {
                await self.work.plan(try await self.store.change(id, .stepDown))
            }
            var left: Set<CircleID> = []
            while true {
                let rest = try await self.membershipsWithOthers().filter { !left.contains($0.0) }
                // An admin is let go by nobody; stepping down takes until a relay gave the change back.
                for (id, session) in rest where !session.roster.isAdmin(own) {
                    try await self.leave(id)
                    left.insert(id)
                }
                var unsent = rest.count { !left.contains($0.0) }
                for id in left { unsent += await self.work.outbox.unsent(of: id) }
                if unsent == 0 { return true }
                try await self.account.time.clock.sleep(for: Self.look)
            }
        }
        return isDone ?? false
    }

    private func membershipsWithOthers() async throws -> [(CircleID, GroupSession)] {
        try await store.current().circles.values.compactMap { circle in
            guard circle.record.standing == .member, let session = circle.session, session.isMember,
                session.roster.people.count > 1
            else { return nil }
            return (circle.id, session)
        }
    }
}
