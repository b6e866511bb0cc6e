internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// Steps of a session, made durable with what they brought.
extension CircleStore {
    /// Tells a circle what happened.
    func receive(_ input: SessionInput, in id: CircleID) async throws -> [CircleEffect] {
        try await gate.run { try await unguardedStep(id, input) }
    }

    /// Tells a circle of several events, all made durable at once.
    func receive(_ events: [Event], in id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            let tasks = try await step(id) { session, now, random in
                var effects: [SessionEffect] = []
                for event in events { effects += session.receive(.event(event), now: now, using: &random) }
                return effects
            }
            return tasks + (try await enterByKeptWelcome(id))
        }
    }

    /// Takes what members published of their leaves.
    func prove(by events: [Event], in id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            guard var session = try find(id).session else { return [] }
            // Most of them are news of nothing; then nothing is written.
            let news = events.filter { session.prove(by: $0) }
            guard !news.isEmpty else { return [] }
            let tasks = try await step(id) { session, _, _ in
                for event in news { _ = session.prove(by: event) }
                return []
            }
            return tasks + [.changed(id)]
        }
    }

    /// For who has the turn already.
    func unguardedStep(_ id: CircleID, _ input: SessionInput) async throws -> [CircleEffect] {
        guard try find(id).session != nil else { return [] }
        let tasks = try await step(id) { session, now, random in session.receive(input, now: now, using: &random) }
        if case .caughtUp = input { return tasks + (try await goOnEnding(id, isCaughtUp: true)) }
        return tasks + (try await goOnEnding(id, isCaughtUp: false))
    }

    /// Takes a step on a copy, makes it durable, and only then takes the copy for the circle.
    ///
    /// - Parameters:
    ///   - clearing: becomes durable with it.
    ///   - standing: how one stands to the circle from now on; nil for as before.
    ///   - body: says what is to be done.
    func step(
        _ id: CircleID, clearing: [RecordChange] = [], standing: CircleRecord.Standing? = nil,
        _ body: (inout GroupSession, Timestamp, inout RandomSource.Generator) throws -> [SessionEffect]
    ) async throws -> [CircleEffect] {
        guard let made = try await prepare(id, standing: standing, body) else {
            return try await wipe(id, clearing: clearing)
        }
        try await save(clearing + made.changes) { $0.apply(made) }
        didSave(made.lines, made.index, of: id)
        return made.tasks
    }

    /// Tells all circles that the program starts.
    ///
    /// They become durable together: one after the other, each would wait for the disk.
    func restart() async throws -> [CircleEffect] {
        var made: [PreparedStep] = []
        var tasks: [CircleEffect] = []
        for circle in circles.values where circle.session != nil {
            let step = try await prepare(circle.id) { session, now, random in
                session.receive(.restarted, now: now, using: &random)
            }
            if let step { made.append(step) } else { tasks += try await wipe(circle.id) }
        }
        let steps = made
        try await save(steps.flatMap(\.changes)) { state in
            for step in steps { state.apply(step) }
        }
        for step in steps { didSave(step.lines, step.index, of: step.circle.id) }
        tasks += steps.flatMap(\.tasks)
        for step in steps { tasks += try await goOnEnding(step.circle.id, isCaughtUp: false) }
        return tasks
    }

    /// Takes a step on a copy, of which nothing counts before it is durable; nil if all of the circle is to be wiped.
    private func prepare(
        _ id: CircleID, standing: CircleRecord.Standing? = nil,
        _ body: (inout GroupSession, Timestamp, inout RandomSource.Generator) throws -> [SessionEffect]
    ) async throws -> PreparedStep? {
        let state = try current()
        var circle = try find(id)
        guard var session = circle.session else { throw CircleError.notMember }
        let now = self.now()
        session.published = state.newestKeyPackage?.own
        session.renewal = circle.record.renewal
        let effects = try body(&session, now, &random)
        var step = CircleStep(state.records, id, now: now, account: account)
        if let standing { (circle.record.standing, step.isShown) = (standing, true) }
        try apply(effects, to: &step, &circle.record, &session)
        try await markAstray(&step, &circle.record)
        if circle.record.standing.isOver, !session.isMember { return nil }
        step.judgeEnding(&circle.record, session)
        var watched: WatchRecord?
        if circle.record.standing == .removed || circle.record.standing == .left {
            // Keys of a group we are not in are of no use, and nobody must find them.
            step.changes += state.records.removePrivateParts(of: id)
            circle.session = nil
        } else {
            if !step.places.isEmpty || !step.gone.isEmpty {
                var kept = circle
                kept.session = session
                watched = try await follow(&step, kept)
            }
            step.changes += try state.records.changes(of: &session, id)
            circle.session = session
        }
        try step.finish(circle)
        let index = try await index(&step)
        return PreparedStep(
            circle: circle, watch: watched, lines: step.lines, index: index, changes: step.changes, tasks: step.tasks)
    }

    /// Applies effects one after the other, and what follows from the session's answers to them.
    private func apply(
        _ effects: [SessionEffect], to step: inout CircleStep, _ record: inout CircleRecord,
        _ session: inout GroupSession
    ) throws {
        var effects = effects
        var next = 0
        while next < effects.count {
            if let answer = try step.apply(effects[next], &record, session) {
                effects += session.receive(answer, now: step.now, using: &random)
            }
            next += 1
        }
    }

    /// Lines that not everybody has say so from now on, where the circle went back to an earlier epoch.
    private func markAstray(_ step: inout CircleStep, _ record: inout CircleRecord) async throws {
        guard let epoch = step.astrayAfter else { return }
        let (id, records) = (step.id, step.records)
        let lines = try await records.values(in: CircleTable.lines, group: id.hex) { CircleLineRecord.record($0) }
        let astray = lines.compactMap(\.self).filter { $0.epoch > epoch && !$0.isAstray }.map { line in
            var line = line
            line.isAstray = true
            return line
        }
        step.lines = astray + step.lines
        step.changes =
            try astray.map {
                try records.put(try $0.recordBytes(), at: .init(CircleTable.lines, group: id.hex, $0.id))
            } + step.changes
        if record.members.pictures?.isEmpty == false { record.members.owesPictures = true }
        step.isShown = true
    }
}

/// What a step of one circle comes to.
private struct PreparedStep {
    let circle: Circle
    /// What is watched of places from now on, if that changed.
    let watch: WatchRecord?
    /// Lines that are new, or new in their place.
    let lines: [CircleLineRecord]
    /// The index with them in it; nil where there are none.
    let index: CircleStore.IndexedLines?
    /// What is to become durable.
    let changes: [RecordChange]
    /// What is to be done after.
    let tasks: [CircleEffect]
}

extension CircleStore.State {
    /// Goes where a step leads that is durable.
    fileprivate mutating func apply(_ step: PreparedStep) {
        let id = step.circle.id
        circles[id] = step.circle
        if step.circle.session == nil { watches[id] = nil } else if let watch = step.watch { watches[id] = watch }
    }
}

extension CircleStep {
    /// Keeps the circle's own record where it changed, and asks for what is owed.
    fileprivate mutating func finish(_ circle: Circle) throws {
        if circle.record.members.owesPictures == true, circle.session?.isCaughtUp == true {
            tasks.append(.showPictures(id))
        }
        guard isShown else { return }
        changes.append(try records.put(try circle.record.recordBytes(), at: .init(CircleTable.circles, id.hex)))
        tasks.append(.changed(id))
    }
}
