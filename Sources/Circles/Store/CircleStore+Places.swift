internal import AsyncPrimitives
internal import Location
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrSigner
internal import NostrStore

/// Others' places: who comes where, whose battery is low, and where members have been.
extension CircleStore {
    /// A place that a member told.
    struct ToldPlace: Sendable {
        let person: PublicKey
        let fix: Fix
        /// Whether it is the newest known of them.
        let isNewest: Bool
    }

    /// What is watched in a circle.
    func watch(of id: CircleID) throws(CircleError) -> WatchRecord {
        let state = try current()
        guard state.circles[id] != nil else { throw .unknownCircle }
        return state.watches[id] ?? WatchRecord(id, owner: account)
    }

    /// Follows the places that a step brought, and forgets those who went.
    ///
    /// - Returns: what is watched from now on; the step has the changes that make it durable.
    func follow(_ step: inout CircleStep, _ circle: Circle) async throws -> WatchRecord? {
        let state = try current()
        var watched = state.watches[step.id] ?? WatchRecord(step.id, owner: account)
        let before = watched
        for told in step.places where told.person != account {
            watched.receive(told.fix, of: told.person, isNewest: told.isNewest, now: step.now)
        }
        let places = step.places.filter { !step.gone.contains($0.person) }
        if let days = watched.trailDays { step.changes += try await trails(adding: places, days: days, step) }
        if !step.gone.isEmpty, let people = circle.session?.roster.people {
            watched.keep(people)
            step.changes += try await trails(droppedIn: step.id, state.records) { record in
                step.gone.contains { $0.hex == record.person }
            }
        }
        guard watched != before else { return nil }
        step.changes.append(try state.records.put(try watched.recordBytes(), at: WatchRecord.address(of: step.id)))
        return watched
    }

    private func trails(adding places: [ToldPlace], days: Int, _ step: CircleStep) async throws -> [RecordChange] {
        struct Day: Hashable {
            let person: String
            let day: Int64
        }
        let told = Dictionary(grouping: places) { told in
            Day(person: told.person.hex, day: TrailRecord.day(of: told.fix.dated(noLaterThan: step.now).moment))
        }
        var changes: [RecordChange] = []
        for (day, places) in told {
            let address = TrailRecord.address(of: day.person, day: day.day, in: step.id)
            let kept = try await trail(at: address, step.records)
            var record = kept ?? TrailRecord(person: day.person, day: day.day, trail: Trail(days: days))
            record.trail.keep(days: days, now: step.now)
            for told in places { record.trail.add(told.fix, now: step.now) }
            // What comes so late that it is not kept makes no record.
            guard !record.trail.points.isEmpty else { continue }
            changes.append(try step.records.put(try record.recordBytes(), at: address))
        }
        return changes
    }

    /// A day that is damaged is none: it must not hold up what is said.
    private func trail(at address: SealedRecords.Address, _ records: SealedRecords) async throws -> TrailRecord? {
        do {
            return try await records.value(address).flatMap { TrailRecord.record($0) }
        } catch is SealingKey.Failure {
            return nil
        }
    }

    /// The changes that drop some of the trails.
    private func trails(
        droppedIn id: CircleID, _ records: SealedRecords, _ isDropped: (TrailRecord) -> Bool
    ) async throws -> [RecordChange] {
        let found = try await records.values(in: CircleTable.trails, group: id.hex) { TrailRecord.record($0) }
        return found.compactMap(\.self).filter { isDropped($0) }.map { record in
            records.remove(TrailRecord.address(of: record.person, day: record.day, in: id))
        }
    }

    // MARK: - What a person asks for

    /// Changes what is watched in a circle.
    ///
    /// - Parameter further: becomes durable with it.
    func changeWatch(
        _ id: CircleID, further: @Sendable (SealedRecords) -> [RecordChange] = { _ in [] },
        _ change: @Sendable (inout WatchRecord, Circle) throws -> Void
    ) async throws {
        try await gate.run {
            var watched = try watch(of: id)
            try change(&watched, try find(id))
            let (kept, records) = (watched, try current().records)
            try await save(
                further(records) + [try records.put(try kept.recordBytes(), at: WatchRecord.address(of: id))]
            ) { $0.watches[id] = kept }
        }
    }

    /// Where a member has been, of the days that are kept; nil where none are.
    func trail(of person: PublicKey, in id: CircleID) async throws -> Trail? {
        guard let days = try watch(of: id).trailDays else { return nil }
        let (now, records) = (now(), try current().records)
        let today = TrailRecord.day(of: now)
        var whole = Trail(days: days)
        for day in today - Int64(days)...today {
            let address = TrailRecord.address(of: person.hex, day: day, in: id)
            guard let record = try await trail(at: address, records) else { continue }
            for fix in record.trail.points { whole.add(fix, now: now) }
        }
        return whole
    }

    /// Takes trails off the disk that are older than they are to be kept, also of members who are silent.
    func forgetOldTrails() async throws {
        try await gate.run {
            let state = try current()
            let now = now()
            for (id, watched) in state.watches {
                guard let days = watched.trailDays else { continue }
                let oldest = TrailRecord.day(of: now - .seconds(Int64(days) * 86_400))
                let changes = try await trails(droppedIn: id, state.records) { $0.day < oldest }
                try await save(changes) { _ in }
            }
        }
    }
}
