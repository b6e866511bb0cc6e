internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What one does oneself in circles.
extension CircleKeeper {
    /// Founds a circle of one.
    ///
    /// - Throws: ``CircleError`` for a name that is too long or no relay.
    func found(_ name: String, about: String, relays: [RelayURL]) async throws -> (CircleID, [CircleEffect]) {
        try await turns.take {
            let opened = try current()
            let now = self.now()
            let data = GroupData(
                nostrGroupID: drawBytes32(), name: name, description: about, admins: [account],
                relays: relays)
            let group = try inWords {
                let own = try profile.newKeyPackage(for: account, now: now, using: &random)
                return try MarmotGroup(
                    founding: data, with: own, invited: [], profile: profile, policy: policy, using: &random)
            }
            let session = GroupSession(group, now: now, hasFreshKeys: true)
            let id = try await seat(session, in: opened, clearing: [])
            return (id, [.session(.subscribe, in: id), .changed(id)])
        }
    }

    /// Keeps a circle that we have just founded or joined.
    func seat(
        _ session: GroupSession, in opened: Opened, by entry: GroupEntry? = nil, clearing: [RecordChange],
        _ body: (inout Opened) -> Void = { _ in }
    ) async throws -> CircleID {
        var session = session
        guard let id = CircleID(session.groupID) else { throw CircleError.unusable }
        let data = session.roster.data
        var record = opened.seats[id]?.record ?? CircleRecord(id, name: data.name, joinedAt: now())
        record.standing = .member
        record.entry = entry
        record.name = data.name
        record.relays = data.relays
        let seat = Seat(id: id, record: record, session: session)
        // What is left of a former session must not be read as part of this one.
        var changes = clearing + [opened.records.removeAll(in: CircleTable.sessions, group: id.hex)]
        changes += try opened.records.changes(of: &session, id)
        changes.append(try opened.records.put(try record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
        let kept = Seat(id: id, record: seat.record, session: session)
        try await keep(changes) {
            $0.seats[id] = kept
            $0.damaged.remove(id)
            body(&$0)
        }
        return id
    }

    /// Says something; returns once it is durable.
    ///
    /// - Parameter isOffered: whether its event is kept and offered until a relay takes it; who sends it otherwise does
    ///   not need it any more when that fails.
    func say(
        _ draft: EventDraft, in id: CircleID, isOffered: Bool = true
    ) async throws -> (Rumor, Event, [CircleEffect]) {
        try await turns.take {
            let opened = try current()
            var seat = try seat(id)
            guard var session = seat.session else { throw CircleError.notMember }
            guard !seat.record.standing.isOver else { throw CircleError.isEnding }
            let now = self.now()
            let place = (epoch: session.epoch, generation: session.nextGeneration)
            let (event, rumor) = try inWords { try session.send(draft, now: now, using: &random) }
            var step = CircleStep(opened.records, id, now: now, account: account)
            try step.show(rumor, at: place, &seat.record, session, event: event.id)
            if isOffered { try step.offer(event) }
            if !step.places.isEmpty { _ = try await follow(&step, seat) }
            step.changes += try opened.records.changes(of: &session, id)
            step.changes.append(
                try opened.records.put(try seat.record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
            seat.session = session
            let kept = seat
            try await keep(step.changes) { $0.seats[id] = kept }
            shelf.put(step.lines, in: id)
            return (rumor, event, step.tasks + [.changed(id)])
        }
    }

    /// Changes the group, now or as soon as the change before is through.
    func change(_ id: CircleID, _ change: GroupChange, clearing: [RecordChange] = []) async throws -> [CircleEffect] {
        try await turns.take {
            guard !(try seat(id).record.standing.isOver) else { throw CircleError.isEnding }
            return try await step(id, clearing: clearing) { session, now, random in
                try inWords { try session.change(change, now: now, using: &random) }
            }
        }
    }

    /// Asks the others to let us go.
    func leave(_ id: CircleID) async throws -> [CircleEffect] {
        try await turns.take {
            let opened = try current()
            var seat = try seat(id)
            guard var session = seat.session else { throw CircleError.notMember }
            let now = self.now()
            let event = try inWords { try session.leave(now: now, using: &random) }
            var step = CircleStep(opened.records, id, now: now, account: account)
            try step.offer(event)
            seat.record.standing = .leaving
            seat.session = session
            step.changes += try opened.records.changes(of: &session, id)
            step.changes.append(
                try opened.records.put(try seat.record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
            seat.session = session
            let kept = seat
            try await keep(step.changes) { $0.seats[id] = kept }
            return step.tasks + [.changed(id)]
        }
    }

    /// Leaves a circle in which nobody else is: its keys go, its lines stay.
    func abandon(_ id: CircleID) async throws -> [CircleEffect] {
        try await turns.take {
            var seat = try seat(id)
            let records = try current().records
            seat.record.standing = .left
            seat.session = nil
            let kept = seat
            let change = try records.put(try seat.record.recordBytes(), at: .init(CircleTable.circles, id.hex))
            try await keep(records.removePrivateParts(of: id) + [change]) {
                $0.seats[id] = kept
                $0.watches[id] = nil
            }
            return [.session(.subscribe, in: id), .changed(id)]
        }
    }

    /// Takes everything of a circle off this machine.
    func forget(_ id: CircleID) async throws -> [CircleEffect] {
        try await turns.take {
            _ = try seat(id)
            return try await wipe(id)
        }
    }

    /// Changes what a person decided about a circle.
    func decide(_ id: CircleID, _ body: @Sendable (inout CircleRecord) -> Void) async throws -> [CircleEffect] {
        try await turns.take {
            var seat = try seat(id)
            body(&seat.record)
            let kept = seat
            let records = try current().records
            try await keep([try records.put(try seat.record.recordBytes(), at: .init(CircleTable.circles, id.hex))]) {
                $0.seats[id] = kept
            }
            return [.changed(id)]
        }
    }
}

extension CircleStep {
    /// The event is durable before anybody is offered it.
    mutating func offer(_ event: Event) throws {
        changes.append(
            try records.put(event.json, at: .init(CircleTable.outgoing, group: id.hex, event.id.hex)))
        tasks.append(.session(.offer(event), in: id))
    }
}

extension CircleError {
    static let unusable = CircleError(.unusable, "This invitation cannot be used; ask for a new one.")
}

/// Does work of Marmot, whose refusals become sentences for a person.
func inWords<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as MarmotError { throw CircleError(error) }
}
