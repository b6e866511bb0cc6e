internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What the account itself does in circles.
extension CircleStore {
    /// Founds a circle of one, at relays that the person chose.
    ///
    /// - Throws: ``CircleError`` for a name that is too long or no relay.
    func create(_ name: String, about: String, relays: [RelayURL]) async throws -> (CircleID, [CircleEffect]) {
        try await gate.run {
            let state = try current()
            let now = self.now()
            let data = GroupData(
                nostrGroupID: drawBytes32(), name: name, description: about, admins: [account],
                relays: relays)
            let group = try throughMarmot {
                let own = try profile.newKeyPackage(for: account, now: now, using: &random)
                return try MarmotGroup(
                    founding: data, with: own, invited: [], profile: profile, policy: policy, using: &random)
            }
            let session = GroupSession(group, now: now, hasFreshKeys: true)
            let id = try await add(session, in: state, typed: relays, clearing: [])
            return (id, [.session(.subscribe, in: id), .changed(id)])
        }
    }

    /// Keeps a circle that we have just founded or joined.
    func add(
        _ session: GroupSession, in state: State, by entry: GroupEntry? = nil, typed: [RelayURL] = [],
        clearing: [RecordChange],
        _ body: (inout State) -> Void = { _ in }
    ) async throws -> CircleID {
        var session = session
        guard let id = CircleID(session.groupID) else { throw CircleError.unusable }
        let data = session.roster.data
        var record = state.circles[id]?.record ?? CircleRecord(id, name: data.name, joinedAt: now())
        record.standing = .member
        record.entry = entry
        record.name = data.name
        record.relays = data.relays
        if !typed.isEmpty { record.typedRelays = typed.map(\.text) }
        let circle = Circle(id: id, record: record, session: session)
        // What is left of a former session must not be read as part of this one.
        var changes = clearing + [state.records.removeAll(in: CircleTable.sessions, group: id.hex)]
        changes += try state.records.changes(of: &session, id)
        changes.append(try state.records.put(try record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
        let kept = Circle(id: id, record: circle.record, session: session)
        try await save(changes) {
            $0.circles[id] = kept
            $0.damaged.remove(id)
            body(&$0)
        }
        return id
    }

    /// Says something; returns once it is durable.
    ///
    /// - Parameter isOffered: whether its event is kept and offered until a relay takes it; who sends it otherwise does
    ///   not need it any more when that fails.
    /// - Parameter epoch: in which what the draft names was sealed.
    /// - Parameter clearing: becomes durable with it.
    /// - Throws: ``EpochPassed`` if the circle is in another one.
    func send(
        _ draft: EventDraft, in id: CircleID, isOffered: Bool = true, sealedIn epoch: UInt64? = nil,
        clearing: [RecordChange] = []
    ) async throws -> (Rumor, Event, [CircleEffect]) {
        try await gate.run {
            let state = try current()
            var circle = try find(id)
            guard var session = circle.session else { throw CircleError.notMember }
            guard !circle.record.standing.isOver else { throw CircleError(.isEnding) }
            guard epoch == nil || epoch == session.epoch else { throw EpochPassed() }
            let now = self.now()
            let place = (epoch: session.epoch, generation: session.nextGeneration)
            let (event, rumor) = try throughMarmot { try session.send(draft, now: now, using: &random) }
            var step = CircleStep(state.records, id, now: now, account: account)
            try step.show(rumor, at: place, &circle.record, session, event: event.id)
            if isOffered { try step.offer(event) }
            if !step.places.isEmpty { _ = try await follow(&step, circle) }
            step.changes += try state.records.changes(of: &session, id)
            step.changes.append(
                try state.records.put(try circle.record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
            circle.session = session
            let kept = circle
            let index = try await index(&step)
            try await save(step.changes + clearing) { $0.circles[id] = kept }
            didSave(step.lines, index, of: id)
            return (rumor, event, step.tasks + [.changed(id)])
        }
    }

    /// Changes the group, now or as soon as the change before is through.
    func change(_ id: CircleID, _ change: GroupChange, clearing: [RecordChange] = []) async throws -> [CircleEffect] {
        try await gate.run {
            guard !(try find(id).record.standing.isOver) else { throw CircleError(.isEnding) }
            return try await step(id, clearing: clearing) { session, now, random in
                try throughMarmot { try session.change(change, now: now, using: &random) }
            }
        }
    }

    /// Renews our keys this often from now on.
    func setRenewal(days: Int, in id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            var circle = try find(id)
            guard circle.session != nil else { throw CircleError.notMember }
            circle.record.renewalDays = min(max(days, 1), 30)
            circle.session?.renewal = circle.record.renewal
            let kept = circle
            try await save([
                try current().records.put(try kept.record.recordBytes(), at: .init(CircleTable.circles, id.hex))
            ]) { $0.circles[id] = kept }
            return [.changed(id)]
        }
    }

    /// Asks the others to let us go.
    func leave(_ id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            let state = try current()
            var circle = try find(id)
            guard var session = circle.session else { throw CircleError.notMember }
            let now = self.now()
            let event = try throughMarmot { try session.leave(now: now, using: &random) }
            var step = CircleStep(state.records, id, now: now, account: account)
            try step.offer(event)
            circle.record.standing = .leaving
            circle.session = session
            step.changes += try state.records.changes(of: &session, id)
            step.changes.append(
                try state.records.put(try circle.record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
            circle.session = session
            let kept = circle
            try await save(step.changes) { $0.circles[id] = kept }
            return step.tasks + [.changed(id)]
        }
    }

    /// Leaves a circle in which nobody else is: its keys go, its lines stay.
    func abandon(_ id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            var circle = try find(id)
            let records = try current().records
            circle.record.standing = .left
            circle.session = nil
            let kept = circle
            let change = try records.put(try circle.record.recordBytes(), at: .init(CircleTable.circles, id.hex))
            try await save(records.removePrivateParts(of: id) + [change]) {
                $0.circles[id] = kept
                $0.watches[id] = nil
            }
            return [.session(.subscribe, in: id), .changed(id)]
        }
    }

    /// Takes everything of a circle off this machine.
    func forget(_ id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            _ = try find(id)
            return try await wipe(id)
        }
    }

    /// Changes what a person decided about a circle.
    func update(_ id: CircleID, _ body: @Sendable (inout CircleRecord) -> Void) async throws -> [CircleEffect] {
        try await gate.run {
            var circle = try find(id)
            body(&circle.record)
            let kept = circle
            let records = try current().records
            try await save([try records.put(try circle.record.recordBytes(), at: .init(CircleTable.circles, id.hex))]) {
                $0.circles[id] = kept
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
