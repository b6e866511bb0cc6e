internal import Marmot
internal import NostrCore
internal import NostrStore

/// Steps of a session, made durable with what they brought.
extension CircleKeeper {
    /// Tells a circle what happened.
    func tell(_ id: CircleID, _ input: SessionInput) async throws -> [CircleEffect] {
        try await turns.take { try await unguardedStep(id, input) }
    }

    /// Tells a circle of several events, all made durable at once.
    func hear(_ events: [Event], in id: CircleID) async throws -> [CircleEffect] {
        try await turns.take {
            let tasks = try await step(id) { session, now, random in
                var effects: [SessionEffect] = []
                for event in events { effects += session.receive(.event(event), now: now, using: &random) }
                return effects
            }
            return tasks + (try await lookAtSpares(id))
        }
    }

    /// For who has the turn already.
    func unguardedStep(_ id: CircleID, _ input: SessionInput) async throws -> [CircleEffect] {
        guard try seat(id).session != nil else { return [] }
        let tasks = try await step(id) { session, now, random in session.receive(input, now: now, using: &random) }
        if case .caughtUp = input { return tasks + (try await goOnBurning(id, isCaughtUp: true)) }
        return tasks + (try await goOnBurning(id, isCaughtUp: false))
    }

    /// Takes a step on a copy, makes it durable, and only then takes the copy for the circle.
    ///
    /// - Parameters:
    ///   - clearing: becomes durable with it.
    ///   - standing: how one stands to the circle from now on; nil for as before.
    ///   - body: says what is to be done.
    func step(
        _ id: CircleID, clearing: [RecordChange] = [], standing: CircleRecord.Standing? = nil,
        _ body: (inout GroupSession, Timestamp, inout KeeperRandom) throws -> [SessionEffect]
    ) async throws -> [CircleEffect] {
        guard let made = try await prepare(id, standing: standing, body) else {
            return try await wipe(id, clearing: clearing)
        }
        try await keep(clearing + made.changes) { $0.take(made) }
        shelf.put(made.lines, in: id)
        return made.tasks
    }

    /// Tells all circles that the program starts.
    ///
    /// They become durable together: one after the other, each would wait for the disk.
    func restart() async throws -> [CircleEffect] {
        var made: [PreparedStep] = []
        var tasks: [CircleEffect] = []
        for seat in seats.values where seat.session != nil {
            let step = try await prepare(seat.id) { session, now, random in
                session.receive(.restarted, now: now, using: &random)
            }
            if let step { made.append(step) } else { tasks += try await wipe(seat.id) }
        }
        let steps = made
        try await keep(steps.flatMap(\.changes)) { opened in
            for step in steps { opened.take(step) }
        }
        for step in steps { shelf.put(step.lines, in: step.seat.id) }
        tasks += steps.flatMap(\.tasks)
        for step in steps { tasks += try await goOnBurning(step.seat.id, isCaughtUp: false) }
        return tasks
    }

    /// Takes a step on a copy, of which nothing counts before it is durable; nil if all of the circle is to be wiped.
    private func prepare(
        _ id: CircleID, standing: CircleRecord.Standing? = nil,
        _ body: (inout GroupSession, Timestamp, inout KeeperRandom) throws -> [SessionEffect]
    ) async throws -> PreparedStep? {
        let opened = try current()
        var seat = try seat(id)
        guard var session = seat.session else { throw CircleError.notMember }
        let now = self.now()
        var effects = try body(&session, now, &random)
        var step = CircleStep(opened.records, id, now: now, account: account)
        if let standing { (seat.record.standing, step.isShown) = (standing, true) }
        var next = 0
        while next < effects.count {
            if let answer = try step.apply(effects[next], &seat.record, session) {
                effects += session.receive(answer, now: now, using: &random)
            }
            next += 1
        }
        if let epoch = step.astrayAfter {
            let astray = try await linesAstray(in: id, after: epoch, opened.records)
            step.lines = astray + step.lines
            step.changes =
                try astray.map {
                    try opened.records.put(
                        try $0.recordBytes(), at: .init(CircleTable.lines, group: id.hex, $0.id))
                } + step.changes
            if seat.record.pictures?.isEmpty == false { seat.record.owesPictures = true }
            step.isShown = true
        }
        if seat.record.standing.isOver, !session.isMember { return nil }
        step.judgeEnding(&seat.record, session)
        var watched: WatchRecord?
        if seat.record.standing == .removed || seat.record.standing == .left {
            // Keys of a group we are not in are of no use, and nobody must find them.
            step.changes += opened.records.removePrivateParts(of: id)
            seat.session = nil
        } else {
            if !step.places.isEmpty || !step.gone.isEmpty {
                var kept = seat
                kept.session = session
                watched = try await follow(&step, kept)
            }
            step.changes += try opened.records.changes(of: &session, id)
            seat.session = session
        }
        if seat.record.owesPictures == true, seat.session?.isCaughtUp == true { step.tasks.append(.showPictures(id)) }
        if step.isShown {
            step.changes.append(
                try opened.records.put(try seat.record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
            step.tasks.append(.changed(id))
        }
        return PreparedStep(seat: seat, watch: watched, lines: step.lines, changes: step.changes, tasks: step.tasks)
    }

    /// Lines that not everybody has say so from now on.
    private func linesAstray(
        in id: CircleID, after epoch: UInt64, _ records: SealedRecords
    ) async throws -> [CircleLineRecord] {
        let lines = try await records.values(in: CircleTable.lines, group: id.hex) { CircleLineRecord.record($0) }
        return lines.compactMap(\.self).filter { $0.epoch > epoch && !$0.isAstray }.map { line in
            var line = line
            line.isAstray = true
            return line
        }
    }
}

/// What a step of one circle comes to.
private struct PreparedStep {
    let seat: CircleKeeper.Seat
    /// What is watched of places from now on, if that changed.
    let watch: WatchRecord?
    /// Lines that are new, or new in their place.
    let lines: [CircleLineRecord]
    /// What is to become durable.
    let changes: [RecordChange]
    /// What is to be done after.
    let tasks: [CircleEffect]
}

extension CircleKeeper.Opened {
    /// Goes where a step leads that is durable.
    fileprivate mutating func take(_ step: PreparedStep) {
        let id = step.seat.id
        seats[id] = step.seat
        if step.seat.session == nil { watches[id] = nil } else if let watch = step.watch { watches[id] = watch }
    }
}
