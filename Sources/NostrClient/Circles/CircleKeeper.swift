internal import Location
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// The circles of one account where they rest, and what happens to them while the vault is open.
///
/// It opens no socket: every step makes durable what it changed, all at once, and then gives what is to be done outside
/// as ``CircleEffect``s. Steps of all circles are taken one after the other.
actor CircleKeeper {
    /// One circle, open.
    struct Seat: Sendable {
        let id: CircleID
        var record: CircleRecord
        /// Nothing once we are not in it any more.
        var session: GroupSession?
    }

    struct Opened {
        let records: SealedRecords
        var seats: [CircleID: Seat] = [:]
        var keyPackages: [KeptKeyPackage] = []
        var requests: [CircleID: [RequestRecord]] = [:]
        var asked: [CircleID: AskedRecord] = [:]
        var invitations: [CircleID: InvitationRecord] = [:]
        /// Welcomes to circles we are in, the oldest first; see ``CircleTable/spares``.
        var spares: [CircleID: [Rumor]] = [:]
        /// What is watched of others' places.
        var watches: [CircleID: WatchRecord] = [:]
        /// Circles whose records do not read.
        var damaged: Set<CircleID> = []
    }

    let account: PublicKey
    let profile = GenerationB()
    let now: @Sendable () -> Timestamp
    let turns = Turns()
    var random: KeeperRandom
    /// Grows when the vault is locked: what was begun before must not come back after.
    private(set) var generation = 0
    var opened: Opened?
    var shelf = LineShelf()

    init(
        account: PublicKey, now: @escaping @Sendable () -> Timestamp,
        randomness: any RandomNumberGenerator & Sendable
    ) {
        (self.account, self.now, random) = (account, now, KeeperRandom(source: randomness))
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
    func unlock(_ records: SealedRecords) async throws -> [CircleEffect] {
        try await turns.take {
            guard opened == nil else { return [] }
            let generation = self.generation
            var opened = Opened(records: records)
            // Records that do not read are counted, where something is lost by it.
            for case let record? in try await records.values(in: CircleTable.circles, { CircleRecord.record($0) }) {
                guard let id = record.circle else { continue }
                opened.seats[id] = Seat(id: id, record: record)
            }
            opened.keyPackages = try await records.values(in: CircleTable.keyPackages) { KeptKeyPackage(bytes: $0) }
                .compactMap(\.self)
            for case let record? in try await records.values(in: CircleTable.asked, { AskedRecord.record($0) }) {
                CircleID(hex: record.circle).map { opened.asked[$0] = record }
            }
            for case let record? in try await records.values(
                in: CircleTable.invitations, { InvitationRecord.record($0) })
            { CircleID(hex: record.circle).map { opened.invitations[$0] = record } }
            for case let record? in try await records.values(in: CircleTable.watches, { WatchRecord.record($0) }) {
                CircleID(hex: record.circle).map { opened.watches[$0] = record }
            }
            for id in Array(opened.seats.keys) {
                opened.spares[id] = try await records.values(in: CircleTable.spares, group: id.hex) {
                    // It was read before it was kept.
                    try? Rumor(json: String(decoding: $0, as: UTF8.self))
                }.compactMap(\.self).sorted { $0.createdAt < $1.createdAt }
                opened.requests[id] = try await records.values(in: CircleTable.requests, group: id.hex) {
                    RequestRecord.record($0)
                }.compactMap(\.self)
                try await open(id, &opened)
            }
            guard generation == self.generation else { return [] }
            self.opened = opened
            var tasks = try await restart()
            for (id, seat) in opened.seats where seat.record.owesPictures == true && self.opened?.seats[id] != nil {
                tasks.append(.showPictures(id))
            }
            return tasks + [.sendWelcomes]
        }
    }

    private func open(_ id: CircleID, _ opened: inout Opened) async throws {
        guard opened.seats[id]?.record.standing.isInside == true else { return }
        do {
            guard let parts = try await opened.records.parts(of: id), !parts.isEmpty else { throw CircleError.damaged }
            opened.seats[id]?.session = try GroupSession(parts, profile: profile, policy: policy)
        } catch is MarmotError {
            opened.damaged.insert(id)
        } catch is CircleError {
            opened.damaged.insert(id)
        }
    }

    /// Forgets everything that was decrypted.
    func lock() {
        generation += 1
        opened = nil
        shelf.clear()
    }

    /// What is open.
    ///
    /// - Throws: ``CircleError/locked``.
    func current() throws(CircleError) -> Opened {
        guard let opened else { throw .locked }
        return opened
    }

    func seat(_ id: CircleID) throws(CircleError) -> Seat {
        guard let seat = try current().seats[id] else { throw .unknownCircle }
        return seat
    }

    /// Makes changes durable that belong to no session.
    func keep(_ changes: [RecordChange], _ body: (inout Opened) -> Void) async throws {
        let generation = self.generation
        try await current().records.apply(changes)
        guard generation == self.generation, opened != nil else { throw CircleError.locked }
        if var opened {
            body(&opened)
            self.opened = opened
        }
    }
}

extension CircleError {
    static let damaged = CircleError(
        .damaged, "This circle cannot be read on this machine any more; ask an admin to let you in again.")
}

/// Where a keeper draws from.
struct KeeperRandom: RandomNumberGenerator, Sendable {
    var source: any RandomNumberGenerator & Sendable

    mutating func next() -> UInt64 { source.next() }
}
