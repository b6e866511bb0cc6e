internal import GRDB
public import NostrCore
public import NostrStore

/// The push registry in one SQLite file, which several proxies of one machine may share.
///
/// Registrations and pairings are on the disk before they are acknowledged. Claims are not flushed one by one: one that
/// a power failure takes wakes a device twice at worst, and waiting for the disk would make every wake late.
public final class SQLitePushRegistry: PushRegistry {
    private let database: OpenDatabase
    private let writer: GroupCommit<Database, any Sendable>
    private let claims: OpenDatabase
    private let claimer: GroupCommit<Database, Set<EventID>>

    /// Opens the registry, or makes it when there is no file.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - options: how much memory and room it may take.
    /// - Throws: ``/NostrStore/StoreError``; a damaged or newer file is left untouched.
    public init(path: String, options: DatabaseOptions = DatabaseOptions()) throws {
        // What a person unregisters is gone.
        var options = options
        options.overwritesDeleted = true
        database = try openDatabase(at: path, options: options, migrator: pushMigrator())
        writer = GroupCommit(database, begin: { $0 })
        claims = try openDatabase(at: path, options: options, migrator: pushMigrator())
        do {
            try claims.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        } catch {
            throw claims.failure(error)
        }
        claimer = GroupCommit(claims, begin: { $0 })
    }

    /// Writes everything into the one file and lets go of it.
    ///
    /// - Throws: ``/NostrStore/StoreError``; nothing is lost even then.
    public func close() throws {
        try claims.close()
        try database.close()
    }

    public func register(_ device: PushDevice, quota: PushQuota) async throws {
        try await write { try PushRows.register(device, quota: quota, in: $0) }
    }

    public func unregister(_ identity: String, of signer: PublicKey) async throws -> Bool {
        try await write { db in
            try db.execute(
                literal: "DELETE FROM device WHERE signer = \(signer.bytes.blob) AND identity = \(identity)")
            return try PushRows.noteChange(db)
        }
    }

    public func prune(_ identity: String, seenBefore moment: Timestamp?) async throws {
        try await write { db in
            let bound = moment?.seconds ?? .max
            try db.execute(literal: "DELETE FROM device WHERE identity = \(identity) AND seen < \(bound)")
            _ = try PushRows.noteChange(db)
        }
    }

    public func devices(of signers: Set<PublicKey>) async throws -> [PublicKey: [PushDevice]] {
        try await read { db in
            let select = try HotStatement(db, "SELECT identity, key, secret, seen FROM device WHERE signer = ?")
            var found: [PublicKey: [PushDevice]] = [:]
            for signer in signers {
                let devices = try PushRows.devices(of: signer, select)
                if !devices.isEmpty { found[signer] = devices }
            }
            return found
        }
    }

    public func pair(_ pairing: PushPairing, quota: PushQuota, now: Timestamp) async throws -> PairingOutcome {
        // A pairing over the quota leaves nothing behind: it is refused before anything is written.
        try await write { try PushRows.pair(pairing, quota: quota, now: now, in: $0) }
    }

    public func unpair(_ client: PublicKey, of signer: PublicKey) async throws -> Bool {
        try await write { db in
            let (signer, client) = (signer.bytes.blob, client.bytes.blob)
            try db.execute(literal: "DELETE FROM pairing_relay WHERE signer = \(signer) AND client = \(client)")
            try db.execute(literal: "DELETE FROM pairing WHERE signer = \(signer) AND client = \(client)")
            return try PushRows.noteChange(db)
        }
    }

    public func clients(of signers: Set<PublicKey>) async throws -> [PublicKey: Set<PublicKey>] {
        try await read { db in
            let select = try HotStatement(db, "SELECT client FROM pairing WHERE signer = ?")
            var found: [PublicKey: Set<PublicKey>] = [:]
            for signer in signers {
                select.reset()
                select.bind(blob: signer.bytes, at: 1)
                while try select.step() {
                    found[signer, default: []].insert(PublicKey(try Bytes32(stored: select.blob(0))))
                }
            }
            select.reset()
            return found
        }
    }

    public func watchedRelays() async throws -> [RelayURL: WatchedRelay] {
        try await read { try PushRows.watchedRelays($0) }
    }

    public func noteDeliveries(over relays: Set<RelayURL>, at moment: Timestamp) async throws {
        try await write { try PushRows.noteDeliveries(over: relays, at: moment, in: $0) }
    }

    public func revision() async throws -> Int64 {
        try await read { try Int64.fetchOne($0, sql: "SELECT number FROM revision") ?? 0 }
    }

    public func claim(
        _ ids: [EventID], for claim: PushClaim, until expiry: Timestamp
    ) async throws -> Set<EventID> {
        guard !ids.isEmpty else { return [] }
        return try await claimer.perform { db in
            let insert = try HotStatement(db, "INSERT OR IGNORE INTO claim (purpose, id, expiry) VALUES (?, ?, ?)")
            var won: Set<EventID> = []
            for id in ids {
                insert.bind(Int64(claim.rawValue), at: 1)
                insert.bind(blob: id.bytes, at: 2)
                insert.bind(expiry.seconds, at: 3)
                try insert.run()
                if db.changesCount > 0 { won.insert(id) }
            }
            return won
        }
    }

    public func dropClaims(expiredBy moment: Timestamp) async throws {
        _ = try await claimer.perform { db in
            try db.execute(literal: "DELETE FROM claim WHERE expiry <= \(moment.seconds)")
            return []
        }
    }

    public func dropUnseen(since moment: Timestamp) async throws -> Int {
        try await write { try PushRows.dropUnseen(since: moment, in: $0) }
    }

    public func counts() async throws -> PushCounts {
        try await read { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            return PushCounts(
                devices: try count("SELECT count(*) FROM device"),
                signers: try count("SELECT count(DISTINCT signer) FROM device"),
                pairings: try count("SELECT count(*) FROM pairing"))
        }
    }

    private func write<T: Sendable>(_ work: @escaping @Sendable (Database) throws -> T) async throws -> T {
        let answer = try await writer.perform { try work($0) }
        guard let answer = answer as? T else { preconditionFailure("a request is given its own answer") }
        return answer
    }

    private func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await database.read(body)
    }
}
