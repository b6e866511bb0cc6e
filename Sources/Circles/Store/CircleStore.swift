internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// One circle, open.
struct Circle: Sendable {
    let id: CircleID
    var record: CircleRecord
    /// Nothing once we are not in it any more.
    var session: GroupSession?
}

/// The circles of one account where they rest, and what happens to them while the account is unlocked.
///
/// It opens no socket: every step makes durable what it changed, all at once, and then gives what is to be done outside
/// as ``CircleEffect``s. Steps of all circles are taken one after the other.
/// It has a file for each thing that happens to circles (joining, changing, ending, places, requests …): all of them
/// read and replace the same records, and none may come between another's reading and writing.
actor CircleStore {
    struct State {
        let records: SealedRecords
        var circles: [CircleID: Circle] = [:]
        var keyPackages: [KeptKeyPackage] = []
        /// The key package that is offered now: of two of one second the one that nobody has used.
        var newestKeyPackage: KeptKeyPackage? {
            keyPackages.max {
                ($0.event.createdAt, $0.usedAt == nil ? 1 : 0) < ($1.event.createdAt, $1.usedAt == nil ? 1 : 0)
            }
        }
        var requests: [CircleID: [RequestRecord]] = [:]
        var asked: [CircleID: AskedRecord] = [:]
        var invitations: [CircleID: InvitationRecord] = [:]
        /// Welcomes to circles we are in, the oldest first; see ``CircleTable/keptWelcomes``.
        var keptWelcomes: [CircleID: [Rumor]] = [:]
        /// What is watched of others' places.
        var watches: [CircleID: WatchRecord] = [:]
        /// Circles whose records do not read.
        var damaged: Set<CircleID> = []
    }

    let account: PublicKey
    let profile = GenerationB()
    let now: @Sendable () -> Timestamp
    let gate = SerialGate()
    var random: RandomSource.Generator
    /// Nothing before it was loaded, and once it was wiped.
    var state: State?
    private var isWiped = false
    var lineCache = LineCache()
    /// Indexes of the circles that were looked at or changed; the one used last is the last.
    var lineIndexes: [(circle: CircleID, index: SealedIndex)] = []

    init(_ account: AccountContext) {
        (self.account, now, random) = (account.publicKey, account.time.now, account.random.generator)
    }

    func drawBytes32() -> Bytes32 {
        // 32 bytes always make one.
        (try? Bytes32(randomBytes(32, using: &random).span)) ?? Bytes32()
    }

    var policy: MarmotPolicy { MarmotPolicy(profile, clock: now) }

    // MARK: - Opening

    /// Reads all circles; what was under way goes on.
    ///
    /// - Returns: what is to be done.
    func load(_ records: SealedRecords) async throws -> [CircleEffect] {
        try await gate.run {
            guard state == nil, !isWiped, try await open(records) else { return [] }
            let owing = circles.values.filter { $0.record.members.owesPictures == true }.map(\.id)
            let tasks = try await restart()
            return tasks + owing.filter { circles[$0] != nil }.map { .showPictures($0) } + [.sendWelcomes]
        }
    }

    /// Reads everything; `false` where it was wiped meanwhile.
    ///
    /// A step of its own: while its copy lived, the first change would copy all circles.
    private func open(_ records: SealedRecords) async throws -> Bool {
        var found = State(records: records)
        try await loadJoining(&found)
        for case let record? in try await records.values(in: CircleTable.watches, { WatchRecord.record($0) }) {
            CircleID(hex: record.circle).map { found.watches[$0] = record }
        }
        try await loadMail(&found)
        try await openSessions(&found)
        guard !isWiped else { return false }
        state = found
        return true
    }

    /// Records that do not read are left out, where nothing else is lost by it.
    private func loadJoining(_ state: inout State) async throws {
        let records = state.records
        for case let record? in try await records.values(in: CircleTable.circles, { CircleRecord.record($0) }) {
            guard let id = record.circle else { continue }
            state.circles[id] = Circle(id: id, record: record)
        }
        state.keyPackages = try await records.values(in: CircleTable.keyPackages) { KeptKeyPackage(bytes: $0) }
            .compactMap(\.self)
        for case let record? in try await records.values(in: CircleTable.asked, { AskedRecord.record($0) }) {
            CircleID(hex: record.circle).map { state.asked[$0] = record }
        }
        for case let record? in try await records.values(in: CircleTable.invitations, { InvitationRecord.record($0) }) {
            CircleID(hex: record.circle).map { state.invitations[$0] = record }
        }
    }

    /// What others wrote to us about circles we are in.
    private func loadMail(_ state: inout State) async throws {
        let groups = state.circles.keys.map(\.hex)
        let welcomes = try await state.records.values(in: CircleTable.keptWelcomes, groups: groups) {
            // It was read before it was kept.
            try? Rumor(json: String(decoding: $0, as: UTF8.self))
        }
        let requests = try await state.records.values(in: CircleTable.requests, groups: groups) {
            RequestRecord.record($0)
        }
        for id in state.circles.keys {
            state.keptWelcomes[id] = (welcomes[id.hex] ?? []).compactMap(\.self).sorted { $0.createdAt < $1.createdAt }
            state.requests[id] = (requests[id.hex] ?? []).compactMap(\.self)
        }
    }

    /// How many sessions are put together at once, while the next is read.
    private static let sessionsAtOnce = 4

    private func openSessions(_ state: inout State) async throws {
        let (records, profile, policy) = (state.records, profile, policy)
        let inside = state.circles.values.filter(\.record.standing.isInside).map(\.id)
        let sessions = try await withThrowingTaskGroup(of: (CircleID, GroupSession?).self) { group in
            var sessions: [CircleID: GroupSession?] = [:]
            for (number, id) in inside.enumerated() {
                // One after the other: each reading at once would have a connection with memory of its own.
                let parts = try await records.parts(of: id)
                if number >= Self.sessionsAtOnce, let (done, session) = try await group.next() {
                    sessions.updateValue(session, forKey: done)
                }
                group.addTask { (id, Self.session(of: parts ?? [:], profile, policy)) }
            }
            for try await (done, session) in group { sessions.updateValue(session, forKey: done) }
            return sessions
        }
        for (id, session) in sessions {
            state.circles[id]?.session = session
            if session == nil { state.damaged.insert(id) }
        }
    }

    /// A session of its parts; nil where they do not read.
    private static func session(
        of parts: [SessionPart: [UInt8]], _ profile: GenerationB, _ policy: MarmotPolicy
    ) -> GroupSession? {
        guard !parts.isEmpty else { return nil }
        do { return try GroupSession(parts, profile: profile, policy: policy) } catch { return nil }
    }

    /// Forgets everything that was decrypted, for good.
    func wipe() {
        (isWiped, state) = (true, nil)
        lineCache.clear()
        lineIndexes = []
    }

    /// What is known.
    ///
    /// - Throws: ``CircleError/locked`` for a caller who held on to it after it was wiped.
    func current() throws(CircleError) -> State {
        guard let state else { throw .locked }
        return state
    }

    func find(_ id: CircleID) throws(CircleError) -> Circle {
        guard let circle = try current().circles[id] else { throw .unknownCircle }
        return circle
    }

    /// A circle we are in.
    func member(of id: CircleID) throws(CircleError) -> (Circle, GroupSession) {
        let circle = try find(id)
        guard let session = circle.session else {
            throw try current().damaged.contains(id) ? .damaged : .notMember
        }
        return (circle, session)
    }

    /// Makes changes durable, and then known.
    func save(_ changes: [RecordChange], _ body: (inout State) -> Void) async throws {
        try await current().records.apply(changes)
        guard var known = state else { throw CircleError.locked }
        // Nobody else holds it while it changes: else all circles would be copied.
        state = nil
        body(&known)
        state = known
    }
}
