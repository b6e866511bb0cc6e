internal import GRDB
internal import NostrCore
internal import Synchronization

/// The short numbers the database knows public keys by.
final class AuthorNumbers: Sendable {
    /// How many are remembered; then all are forgotten, which costs a look-up each.
    private static let capacity = 100_000

    private let known = Mutex<[PublicKey: Int64]>([:])

    /// The number of a key, made when it is new.
    func number(of key: PublicKey, in db: Database) throws -> Int64 {
        if let number = try find(key, in: db) { return number }
        let number = try insert(key, in: db)
        remember(number, of: key)
        return number
    }

    /// The number of a key; `nil` for one the database has no event of.
    ///
    /// A reader may be told a number that is not committed yet: it then finds no event of that author, which is true.
    func find(_ key: PublicKey, in db: Database) throws -> Int64? {
        if let number = known.withLock({ $0[key] }) { return number }
        guard let number = try select(key, in: db) else { return nil }
        remember(number, of: key)
        return number
    }

    /// The numbers of those of some keys that the database has events of.
    func find(_ keys: Set<PublicKey>, in db: Database) throws -> [Int64] {
        var missing: [PublicKey] = []
        var numbers = known.withLock { known in
            keys.compactMap { key in
                if let number = known[key] { return number }
                missing.append(key)
                return nil
            }
        }
        for key in missing {
            if let number = try find(key, in: db) { numbers.append(number) }
        }
        return numbers
    }

    /// Forgets all: a transaction that may have made some was rolled back.
    func forget() {
        known.withLock { $0.removeAll() }
    }

    private func select(_ key: PublicKey, in db: Database) throws -> Int64? {
        let select = try HotStatement(db, "SELECT number FROM author WHERE pubkey = ?")
        defer { select.reset() }
        select.bind(blob: key.bytes, at: 1)
        return try select.step() ? select.int(0) : nil
    }

    private func insert(_ key: PublicKey, in db: Database) throws -> Int64 {
        let insert = try HotStatement(db, "INSERT INTO author (pubkey) VALUES (?)")
        insert.bind(blob: key.bytes, at: 1)
        try insert.run()
        return db.lastInsertedRowID
    }

    private func remember(_ number: Int64, of key: PublicKey) {
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[key] = number
        }
    }
}
