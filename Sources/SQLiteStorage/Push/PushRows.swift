internal import Foundation
internal import GRDB
internal import NostrCore
internal import NostrStore

/// The rows of a push registry, inside a transaction.
enum PushRows {
    static func register(_ device: PushDevice, quota: PushQuota, in db: Database) throws {
        let (signer, identity) = (device.signer.bytes.blob, device.address.identity)
        let (key, secret) = device.address.keys
        let isKnown =
            try SQLRequest<Bool>(literal: "SELECT 1 FROM device WHERE signer = \(signer) AND identity = \(identity)")
            .fetchOne(db) ?? false
        try db.execute(
            literal: """
                INSERT INTO device (signer, identity, key, secret, seen)
                VALUES (\(signer), \(identity), \(key), \(secret), \(device.lastSeen.seconds))
                ON CONFLICT (signer, identity) DO UPDATE SET key = excluded.key, secret = excluded.secret,
                    seen = excluded.seen
                """)
        guard !isKnown else { return }
        try bumpRevision(db)
        try db.execute(
            literal: """
                DELETE FROM device WHERE signer = \(signer) AND identity IN (
                    SELECT identity FROM device WHERE signer = \(signer) AND identity <> \(identity)
                    ORDER BY seen DESC, identity LIMIT -1 OFFSET \(max(quota.devices - 1, 0)))
                """)
    }

    static func devices(of signer: PublicKey, _ select: HotStatement) throws -> [PushDevice] {
        select.reset()
        defer { select.reset() }
        select.bind(blob: signer.bytes, at: 1)
        var devices: [PushDevice] = []
        while try select.step() {
            guard
                let address = PushAddress(
                    identity: select.text(0), key: select.blob(1), secret: select.blob(2))
            else { continue }
            devices.append(
                PushDevice(signer: signer, address: address, lastSeen: Timestamp(seconds: select.int(3))))
        }
        return devices
    }

    static func pair(_ pairing: PushPairing, quota: PushQuota, now: Timestamp, in db: Database) throws -> PairingOutcome
    {
        let (signer, client) = (pairing.signer.bytes.blob, pairing.client.bytes.blob)
        let others =
            try SQLRequest<Int>(
                literal: "SELECT count(*) FROM pairing WHERE signer = \(signer) AND client <> \(client)"
            ).fetchOne(db) ?? 0
        let isKnown =
            try SQLRequest<Bool>(literal: "SELECT 1 FROM pairing WHERE signer = \(signer) AND client = \(client)")
            .fetchOne(db) ?? false
        if !isKnown, others >= quota.clients { return .tooManyClients(limit: quota.clients, used: others) }
        if try novelRelays(of: pairing, in: db) > quota.novelRelays {
            return .tooManyNovelRelays(limit: quota.novelRelays)
        }
        try db.execute(
            literal: """
                INSERT INTO pairing (signer, client, since, network)
                VALUES (\(signer), \(client), \(now.seconds), \(pairing.network.map { Int64($0.rawValue) }))
                ON CONFLICT DO UPDATE SET network = excluded.network
                """)
        try db.execute(literal: "DELETE FROM pairing_relay WHERE signer = \(signer) AND client = \(client)")
        for relay in pairing.relays.sorted() {
            try db.execute(
                literal: """
                    INSERT INTO pairing_relay (signer, client, relay) VALUES (\(signer), \(client), \(relay.text))
                    """)
        }
        try bumpRevision(db)
        return .paired
    }

    /// How many relays of the signer nobody else would be paired on, with this pairing.
    private static func novelRelays(of pairing: PushPairing, in db: Database) throws -> Int {
        let (signer, client) = (pairing.signer.bytes.blob, pairing.client.bytes.blob)
        let kept = try SQLRequest<String>(
            literal: "SELECT DISTINCT relay FROM pairing_relay WHERE signer = \(signer) AND client <> \(client)"
        ).fetchAll(db)
        return try Set(kept).union(pairing.relays.map(\.text)).count { relay in
            let known = try SQLRequest<Bool>(
                literal: "SELECT 1 FROM pairing_relay WHERE relay = \(relay) AND signer <> \(signer) LIMIT 1"
            ).fetchOne(db)
            return known == nil
        }
    }

    static func dropUnseen(since moment: Timestamp, in db: Database) throws -> Int {
        try db.execute(literal: "DELETE FROM device WHERE seen < \(moment.seconds)")
        let dropped = db.changesCount
        try db.execute(
            literal: """
                DELETE FROM pairing WHERE since < \(moment.seconds)
                    AND NOT EXISTS (SELECT 1 FROM device WHERE device.signer = pairing.signer)
                """)
        try db.execute(
            sql: """
                DELETE FROM pairing_relay WHERE NOT EXISTS (
                    SELECT 1 FROM pairing
                    WHERE pairing.signer = pairing_relay.signer AND pairing.client = pairing_relay.client)
                """)
        try db.execute(literal: "DELETE FROM delivery WHERE last < \(moment.seconds)")
        if dropped > 0 { try bumpRevision(db) }
        return dropped
    }

    static func watchedRelays(_ db: Database) throws -> [RelayURL: WatchedRelay] {
        let select = try HotStatement(
            db,
            """
            SELECT DISTINCT relay, signer, coalesce(network, -1) FROM pairing_relay NATURAL JOIN pairing
            WHERE EXISTS (SELECT 1 FROM device WHERE device.signer = pairing_relay.signer)
            """)
        defer { select.reset() }
        var watched: [RelayURL: WatchedRelay] = [:]
        while try select.step() {
            // An address this version no longer takes is not watched; the pairing stays.
            guard let relay = try? RelayURL(select.text(0)) else { continue }
            let network = UInt16(exactly: select.int(2)).map { PushNetworkID(rawValue: $0) }
            watched[relay, default: WatchedRelay()].add(
                PublicKey(try Bytes32(stored: select.blob(1))), from: network)
        }
        for row in try Row.fetchAll(db, sql: "SELECT relay, first, last FROM delivery") {
            let (first, last): (Int64, Int64) = (row["first"], row["last"])
            guard let relay = try? RelayURL(row["relay"] as String), first <= last else { continue }
            watched[relay]?.delivered = Timestamp(seconds: first)...Timestamp(seconds: last)
        }
        return watched
    }

    static func noteDeliveries(over relays: Set<RelayURL>, at moment: Timestamp, in db: Database) throws {
        for relay in relays.sorted() {
            try db.execute(
                literal: """
                    INSERT INTO delivery (relay, first, last)
                    VALUES (\(relay.text), \(moment.seconds), \(moment.seconds))
                    ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)
                    """)
        }
    }

    /// Notes that the last statement changed something, if it did.
    static func noteChange(_ db: Database) throws -> Bool {
        guard db.changesCount > 0 else { return false }
        try bumpRevision(db)
        return true
    }

    static func bumpRevision(_ db: Database) throws {
        try db.execute(sql: "UPDATE revision SET number = number + 1")
    }
}

extension Bytes32 {
    /// As SQLite keeps them.
    var blob: Data { Data(array) }

    /// Reads what we wrote.
    ///
    /// - Throws: a database error when it is something else.
    init(stored bytes: [UInt8]) throws {
        guard let value = try? Bytes32(bytes.span) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no 32 bytes")
        }
        self = value
    }
}

extension PushAddress {
    /// The receiver's key and secret; empty for Apple's devices.
    var keys: (Data, Data) {
        switch self {
        case .apns: (Data(), Data())
        case .webPush(let to), .unifiedPush(let to): (Data(to.publicKey), Data(to.secret))
        }
    }
}
