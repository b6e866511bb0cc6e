public import NostrCore
public import NostrStore

/// The push registry in a PostgreSQL database, which any number of proxies share.
///
/// Every statement has a deadline, and a connection that broke is made again. Work whose commit was lost with its
/// connection runs again; all of it bears that.
public final class PostgresPushRegistry: PushRegistry {
    private let pool: PostgresPool

    /// Connects, and brings the database to this version's tables.
    ///
    /// - Parameters:
    ///   - address: a `postgres://` address or a list of libpq's keywords. What is not in it comes from libpq's own
    ///     environment variables and files, the password too. The address is kept in memory only.
    ///   - connections: how many statements run at once.
    ///   - deadline: how long one of them may take, connecting included.
    /// - Throws: ``/NostrStore/StoreError``.
    public init(address: String, connections: Int = 4, deadline: Duration = .seconds(5)) async throws {
        pool = PostgresPool(address: address, connections: connections, deadline: deadline)
        try await pool.perform { try $0.migrate() }
    }

    /// Ends the connections once what they do is done.
    public func close() {
        pool.close()
    }

    public func register(_ device: PushDevice, quota: PushQuota) async throws {
        let (key, secret) = device.address.keys
        let identity = device.address.identity
        try await pool.perform { session in
            try session.transaction {
                let rows = try session.run(
                    """
                    INSERT INTO push_device (signer, identity, key, secret, seen) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (signer, identity) DO UPDATE SET key = excluded.key, secret = excluded.secret,
                        seen = excluded.seen
                    RETURNING xmax = 0
                    """, .key(device.signer), .text(identity), .bytes(key), .bytes(secret),
                    .int(device.lastSeen.seconds))
                // A row with no deleting transaction is a new one.
                guard rows.int(0, 0) == 1 else { return }
                try session.run(
                    """
                    DELETE FROM push_device WHERE signer = $1 AND identity IN (
                        SELECT identity FROM push_device WHERE signer = $1 AND identity <> $2
                        ORDER BY seen DESC, identity OFFSET $3)
                    """, .key(device.signer), .text(identity), .int(Int64(max(quota.devices - 1, 0))))
                try session.bumpRevision()
            }
        }
    }

    public func unregister(_ identity: String, of signer: PublicKey) async throws -> Bool {
        try await pool.perform { session in
            try session.transaction {
                try session.bumpRevision(
                    after: try session.run(
                        "DELETE FROM push_device WHERE signer = $1 AND identity = $2", .key(signer), .text(identity)))
            }
        }
    }

    public func prune(_ identity: String, seenBefore moment: Timestamp?) async throws {
        try await pool.perform { session in
            try session.transaction {
                _ = try session.bumpRevision(
                    after: try session.run(
                        "DELETE FROM push_device WHERE identity = $1 AND seen < $2", .text(identity),
                        .int(moment?.seconds ?? .max)))
            }
        }
    }

    public func devices(of signers: Set<PublicKey>) async throws -> [PublicKey: [PushDevice]] {
        guard !signers.isEmpty else { return [:] }
        return try await pool.perform { session in
            let rows = try session.run(
                "SELECT signer, identity, key, secret, seen FROM push_device WHERE signer = ANY($1)",
                .byteArrays(signers.map(\.bytes)))
            var found: [PublicKey: [PushDevice]] = [:]
            for row in 0..<rows.count {
                let address = PushAddress(
                    identity: rows.text(row, 1), key: rows.bytes(row, 2), secret: rows.bytes(row, 3))
                guard let address else { continue }
                let signer = try rows.key(row, 0)
                found[signer, default: []].append(
                    PushDevice(signer: signer, address: address, lastSeen: Timestamp(seconds: rows.int(row, 4))))
            }
            return found
        }
    }

    public func pair(_ pairing: PushPairing, quota: PushQuota, now: Timestamp) async throws -> PairingOutcome {
        try await pool.perform { session in
            try session.transaction { try session.pair(pairing, quota: quota, now: now) }
        }
    }

    public func unpair(_ client: PublicKey, of signer: PublicKey) async throws -> Bool {
        try await pool.perform { session in
            try session.transaction {
                try session.bumpRevision(
                    after: try session.run(
                        "DELETE FROM push_pairing WHERE signer = $1 AND client = $2", .key(signer), .key(client)))
            }
        }
    }

    public func clients(of signers: Set<PublicKey>) async throws -> [PublicKey: Set<PublicKey>] {
        guard !signers.isEmpty else { return [:] }
        return try await pool.perform { session in
            let rows = try session.run(
                "SELECT signer, client FROM push_pairing WHERE signer = ANY($1)", .byteArrays(signers.map(\.bytes)))
            var found: [PublicKey: Set<PublicKey>] = [:]
            for row in 0..<rows.count { found[try rows.key(row, 0), default: []].insert(try rows.key(row, 1)) }
            return found
        }
    }

    public func watchedRelays() async throws -> [RelayURL: WatchedRelay] {
        try await pool.perform { try $0.watchedRelays() }
    }

    public func noteDeliveries(over relays: Set<RelayURL>, at moment: Timestamp) async throws {
        guard !relays.isEmpty else { return }
        try await pool.perform { session in
            // In one order for all, so that two proxies never wait for each other.
            _ = try session.run(
                """
                INSERT INTO push_delivery (relay, first, last) SELECT relay, $1, $1 FROM unnest($2) AS relay
                ON CONFLICT (relay) DO UPDATE SET first = least(push_delivery.first, excluded.first),
                    last = greatest(push_delivery.last, excluded.last)
                """, .int(moment.seconds), .texts(relays.map(\.text).sorted()))
        }
    }

    public func revision() async throws -> Int64 {
        try await pool.perform { try $0.run("SELECT number FROM push_revision").int(0, 0) }
    }

    public func claim(
        _ ids: [EventID], for claim: PushClaim, until expiry: Timestamp
    ) async throws -> Set<EventID> {
        guard !ids.isEmpty else { return [] }
        // In one order for all, so that two claims never wait for each other.
        let sorted = Set(ids).sorted().map(\.bytes)
        // Tells our own claim from another's when its commit was lost and it runs again.
        let claimant = Int64.random(in: .min ... .max)
        return try await pool.perform { session in
            let rows = try session.run(
                """
                INSERT INTO push_claim (purpose, id, expiry, claimant)
                SELECT $1, id, $2, $3 FROM unnest($4) AS id
                ON CONFLICT (purpose, id) DO UPDATE SET claimant = excluded.claimant
                    WHERE push_claim.claimant = excluded.claimant
                RETURNING id
                """, .int(Int64(claim.rawValue)), .int(expiry.seconds), .int(claimant), .byteArrays(sorted))
            return Set(try (0..<rows.count).map { EventID(try rows.key($0, 0).bytes) })
        }
    }

    public func dropClaims(expiredBy moment: Timestamp) async throws {
        try await pool.perform { session in
            _ = try session.run("DELETE FROM push_claim WHERE expiry <= $1", .int(moment.seconds))
        }
    }

    public func dropUnseen(since moment: Timestamp) async throws -> Int {
        try await pool.perform { session in
            try session.transaction {
                let dropped = try session.run("DELETE FROM push_device WHERE seen < $1", .int(moment.seconds))
                try session.run(
                    """
                    DELETE FROM push_pairing WHERE since < $1
                        AND NOT EXISTS (SELECT 1 FROM push_device WHERE push_device.signer = push_pairing.signer)
                    """, .int(moment.seconds))
                try session.run("DELETE FROM push_delivery WHERE last < $1", .int(moment.seconds))
                if dropped.affected > 0 { try session.bumpRevision() }
                return dropped.affected
            }
        }
    }

    public func counts() async throws -> PushCounts {
        try await pool.perform { session in
            let rows = try session.run(
                """
                SELECT (SELECT count(*) FROM push_device), (SELECT count(DISTINCT signer) FROM push_device),
                    (SELECT count(*) FROM push_pairing)
                """)
            return PushCounts(
                devices: Int(rows.int(0, 0)), signers: Int(rows.int(0, 1)), pairings: Int(rows.int(0, 2)))
        }
    }
}

extension PostgresSession {
    /// Pairs inside a transaction, one at a time for each signer.
    fileprivate func pair(_ pairing: PushPairing, quota: PushQuota, now: Timestamp) throws -> PairingOutcome {
        let (signer, client) = (PostgresValue.key(pairing.signer), PostgresValue.key(pairing.client))
        let relays = PostgresValue.texts(pairing.relays.map(\.text).sorted())
        try run("SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))", signer)
        let known = try run(
            "SELECT count(*), count(*) FILTER (WHERE client = $2) FROM push_pairing WHERE signer = $1", signer, client)
        let used = Int(known.int(0, 0))
        if known.int(0, 1) == 0, used >= quota.clients { return .tooManyClients(limit: quota.clients, used: used) }
        let novel = try run(
            """
            SELECT count(*) FROM (
                SELECT relay FROM push_pairing_relay WHERE signer = $1 AND client <> $2
                UNION SELECT unnest($3)) AS mine
            WHERE NOT EXISTS (SELECT 1 FROM push_pairing_relay AS other
                WHERE other.relay = mine.relay AND other.signer <> $1)
            """, signer, client, relays)
        if novel.int(0, 0) > Int64(quota.novelRelays) { return .tooManyNovelRelays(limit: quota.novelRelays) }
        try run(
            """
            INSERT INTO push_pairing (signer, client, since, network) VALUES ($1, $2, $3, nullif($4, -1))
            ON CONFLICT (signer, client) DO UPDATE SET network = excluded.network
            """, signer, client, .int(now.seconds), .int(pairing.network.map { Int64($0.rawValue) } ?? -1))
        try run("DELETE FROM push_pairing_relay WHERE signer = $1 AND client = $2", signer, client)
        try run(
            "INSERT INTO push_pairing_relay (signer, client, relay) SELECT $1, $2, unnest($3)", signer, client, relays)
        try bumpRevision()
        return .paired
    }

    fileprivate func watchedRelays() throws -> [RelayURL: WatchedRelay] {
        let rows = try run(
            """
            SELECT DISTINCT relay, signer, coalesce(network, -1) FROM push_pairing_relay AS paired
            NATURAL JOIN push_pairing
            WHERE EXISTS (SELECT 1 FROM push_device WHERE push_device.signer = paired.signer)
            """)
        var watched: [RelayURL: WatchedRelay] = [:]
        for row in 0..<rows.count {
            // An address this version no longer takes is not watched; the pairing stays.
            guard let relay = try? RelayURL(rows.text(row, 0)) else { continue }
            let network = UInt16(exactly: rows.int(row, 2)).map { PushNetworkID(rawValue: $0) }
            watched[relay, default: WatchedRelay()].add(try rows.key(row, 1), from: network)
        }
        let delivered = try run("SELECT relay, first, last FROM push_delivery")
        for row in 0..<delivered.count {
            let (first, last) = (delivered.int(row, 1), delivered.int(row, 2))
            guard let relay = try? RelayURL(delivered.text(row, 0)), first <= last else { continue }
            watched[relay]?.delivered = Timestamp(seconds: first)...Timestamp(seconds: last)
        }
        return watched
    }

    /// Notes a change last in its transaction, because the row is locked from here to the commit.
    fileprivate func bumpRevision() throws {
        try run("UPDATE push_revision SET number = number + 1")
    }

    /// Notes a change if a statement made one; says whether it did.
    fileprivate func bumpRevision(after rows: PostgresRows) throws -> Bool {
        guard rows.affected > 0 else { return false }
        try bumpRevision()
        return true
    }
}

extension PushAddress {
    /// The receiver's key and secret; empty for Apple's devices.
    fileprivate var keys: ([UInt8], [UInt8]) {
        switch self {
        case .apns: ([], [])
        case .webPush(let to), .unifiedPush(let to): (to.publicKey, to.secret)
        }
    }
}
