internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// Ending a circle for everybody, and taking all of it off this machine.
///
/// An admin's circle is wiped only once the commit that removes everybody else is on a relay, was merged by its echo,
/// and relays were asked once more for a commit that comes before it: until then the intent rests with the record, so
/// that it is carried out whenever the program ends in between. Who is removed meanwhile, as by another admin who ends
/// the circle at the same time, has it wiped there and then: it is over for them either way.
extension CircleStore {
    /// How long a relay has to say that it knows of no commit before ours; then the circle is wiped all the same.
    static let endingPatience: Duration = .seconds(60)
    /// How far back relays are asked for such a commit.
    private static let endingLookback: Duration = .seconds(900)

    /// Ends a circle: for everybody if the account is an admin, else for the account alone.
    func end(_ id: CircleID) async throws -> [CircleEffect] {
        try await gate.run {
            let circle = try find(id)
            if circle.record.standing == .ending { return [] }
            // Who is out of it, or alone in it, has nobody to tell.
            guard let session = circle.session, session.roster.people.count > 1 else { return try await wipe(id) }
            let records = try current().records
            if session.roster.isAdmin(account) {
                let places = records.removeAll(in: CircleTable.sharing, group: id.hex)
                return try await step(id, clearing: [places], standing: .ending) { session, now, random in
                    try throughMarmot { try session.change(.removeOthers, now: now, using: &random) }
                }
            }
            return try await vanish(circle, records)
        }
    }

    /// Wipes what can be read, and keeps what is needed to ask the others until somebody lets us go.
    private func vanish(_ circle: Circle, _ records: SealedRecords) async throws -> [CircleEffect] {
        guard circle.record.standing != .vanishing, var session = circle.session else { return [] }
        let now = self.now()
        var step = CircleStep(records, circle.id, now: now, account: account)
        step.changes = records.removeContents(of: circle.id)
        try step.offer(try throughMarmot { try session.leave(now: now, using: &random) })
        var record = CircleRecord(
            circle.id, name: circle.record.name, joinedAt: Timestamp(seconds: circle.record.joinedAt))
        (record.standing, record.relays) = (.vanishing, circle.record.relays)
        // Relays that only the person's own choice lets us reach are to hear that we go.
        record.typedRelays = circle.record.typedRelays
        step.changes += try records.changes(of: &session, circle.id)
        step.changes.append(try records.put(try record.recordBytes(), at: .init(CircleTable.circles, circle.id.hex)))
        let kept = Circle(id: circle.id, record: record, session: session)
        try await save(step.changes) {
            $0.circles[circle.id] = kept
            $0.requests[circle.id] = nil
            $0.watches[circle.id] = nil
        }
        forgetLines(of: circle.id)
        return [.wiped(circle.id)] + step.tasks + [.changed(circle.id)]
    }

    /// Takes everything of a circle off this machine; for who has the turn.
    ///
    /// - Parameter clearing: becomes durable with it.
    func wipe(_ id: CircleID, clearing: [RecordChange] = []) async throws -> [CircleEffect] {
        try await save(clearing + (try await current().records.removeEverything(of: id))) {
            $0.circles[id] = nil
            $0.requests[id] = nil
            $0.watches[id] = nil
            $0.keptWelcomes[id] = nil
            $0.damaged.remove(id)
            $0.asked[id] = nil
            $0.invitations[id] = nil
        }
        forgetLines(of: id)
        return [.wiped(id), .session(.subscribe, in: id), .changed(id)]
    }

    /// After a step: wipes what is over, and makes a removal again that no relay took.
    func goOnEnding(_ id: CircleID, isCaughtUp: Bool) async throws -> [CircleEffect] {
        guard let circle = try current().circles[id] else { return [] }
        switch circle.record.standing {
        case .ending:
            guard let ended = circle.record.endedAt else { return try await endAgain(circle) }
            let isLate = now() >= Timestamp(seconds: ended) + Self.endingPatience
            return isCaughtUp || isLate ? try await wipe(id) : []
        default: return []
        }
    }

    private func endAgain(_ circle: Circle) async throws -> [CircleEffect] {
        guard let session = circle.session, !session.isUnderWay(.removeOthers) else { return [] }
        return try await step(circle.id) { session, now, random in
            try throughMarmot { try session.change(.removeOthers, now: now, using: &random) }
        }
    }

    /// Whether time alone ends a circle.
    func isEndingDue(_ circle: Circle, now: Timestamp) -> Bool {
        guard circle.record.standing == .ending, let session = circle.session else { return false }
        guard let ended = circle.record.endedAt else { return !session.isUnderWay(.removeOthers) }
        return now >= Timestamp(seconds: ended) + Self.endingPatience
    }

    /// What relays are to be asked for once we are alone.
    static func lastLook(_ id: CircleID, now: Timestamp) -> CircleEffect {
        .session(.refetch(since: now - endingLookback, everywhere: true), in: id)
    }
}

extension CircleStep {
    /// Says how far the end of a circle has come after a step.
    mutating func judgeEnding(_ record: inout CircleRecord, _ session: GroupSession) {
        switch record.standing {
        case .ending:
            let isAlone = session.roster.people == [account]
            if isAlone, record.endedAt == nil {
                (record.endedAt, isShown) = (now.seconds, true)
                tasks.append(CircleStore.lastLook(id, now: now))
            }
            guard !isAlone else { return }
            // Somebody else's commit came before: ours is made again by the session.
            if record.endedAt != nil { (record.endedAt, isShown) = (nil, true) }
            let isAdmin = session.roster.isAdmin(account)
            if !isAdmin || (isRefused && !session.isUnderWay(.removeOthers)) { fallBack(&record) }
        case .vanishing:
            // Somebody made us an admin meanwhile; nobody is let go who is one.
            if session.isMember, !session.isLeaving { fallBack(&record) }
        default: break
        }
    }

    private mutating func fallBack(_ record: inout CircleRecord) {
        (record.standing, isShown) = (.member, true)
        record.troubles.append(.init(notice: GroupNotice.commitNotMerged.rawValue, at: now.seconds))
    }
}

extension CircleRecord.Standing {
    /// Whether the account is in the circle, so that there is a session.
    var isInside: Bool {
        switch self {
        case .member, .leaving, .ending, .vanishing: true
        case .left, .removed, .replaced: false
        }
    }

    /// Whether the account is done with it: nothing is said or changed any more.
    var isOver: Bool { self == .ending || self == .vanishing }
}

extension CircleSummary.Standing {
    /// Whether the account is in the circle.
    var isInside: Bool { ![.left, .removed, .damaged].contains(self) }
}
