internal import GRDB
internal import NostrCore
internal import Synchronization

/// The short numbers the database knows public keys by.
final class AuthorNumbers: Sendable {
    /// How many are remembered; then all are forgotten, which costs a look-up each.
    private static let capacity = 100_000

    /// From so many keys on, what was found for all of them together is remembered; fewer are looked up faster than they
    /// would push the follows of somebody out.
    private static let many = 256
    /// For so many sets of keys: as many as there are people at home here, whose follows are asked for page by page.
    private static let mostSets = 8
    /// After so many commits that made numbers the file is asked for those that are missing.
    ///
    /// What is made here is known at once, but another program may make some, too. Asked each time, a page of somebody
    /// who follows thousands that wrote nothing yet would ask for each of them while notes come in.
    private static let mostUnasked = 200

    private struct State {
        var known: [PublicKey: Int64] = [:]
        /// What was found for sets of keys, the one used last at the end.
        var sets: [KnownSet] = []
        /// How often numbers were committed, so that keys that had none are looked for again.
        var made = 0
        /// Whether some are made and not committed.
        var isMaking = false
        /// How often all was forgotten: what was found before is not to be remembered.
        var forgotten = 0
        /// How often ``known`` was emptied because it was full.
        var emptied = 0
    }

    /// The numbers of many keys together.
    private struct KnownSet {
        let keys: Set<PublicKey>
        var numbers: [Int64]
        /// Those without a number, as of a moment.
        var missing: [PublicKey]
        var made: Int
        /// When the file itself was asked for those that are missing, counted as ``State/made``, and what was known then.
        var asked = -1
        var emptied = 0
    }

    private let state = Mutex(State())

    /// The number of a key, made when it is new.
    func number(of key: PublicKey, in db: Database) throws -> Int64 {
        if let number = try find(key, in: db) { return number }
        let number = try insert(key, in: db)
        state.withLock { $0.isMaking = true }
        remember(number, of: key)
        return number
    }

    /// The number of a key; `nil` for one the database has no event of.
    ///
    /// A reader may be told a number that is not committed yet: it then finds no event of that author, which is true.
    func find(_ key: PublicKey, in db: Database) throws -> Int64? {
        if let number = state.withLock({ $0.known[key] }) { return number }
        guard let number = try select(key, in: db) else { return nil }
        remember(number, of: key)
        return number
    }

    /// The numbers of those of some keys that the database has events of.
    ///
    /// The same many keys are asked for with each page of a home: looking them up one by one would be most of its time.
    func find(_ keys: Set<PublicKey>, in db: Database) throws -> [Int64] {
        guard keys.count >= Self.many else { return try look(for: Array(keys), in: db).numbers }
        let (sets, made, forgotten, emptied) = state.withLock { ($0.sets, $0.made, $0.forgotten, $0.emptied) }
        // Mostly the very same set, which is seen at once.
        var found = sets.last { $0.keys == keys } ?? KnownSet(keys: keys, numbers: [], missing: Array(keys), made: -1)
        // What was emptied while somebody looked may have held one that was missing to them.
        let isEmptied = found.emptied != emptied && !found.missing.isEmpty
        guard found.made != made || isEmptied else { return found.numbers }
        if !found.missing.isEmpty {
            let isToAsk = found.asked < 0 || isEmptied || made - found.asked >= Self.mostUnasked
            let (numbers, missing) = try look(for: found.missing, in: isToAsk ? db : nil)
            (found.numbers, found.missing) = (found.numbers + numbers, missing)
            if isToAsk { (found.asked, found.emptied) = (made, emptied) }
        }
        found.made = made
        remember(found, since: forgotten)
        return found.numbers
    }

    /// Looks for numbers in memory and, where one is named, in the file.
    private func look(for keys: [PublicKey], in db: Database?) throws -> (numbers: [Int64], missing: [PublicKey]) {
        var missing: [PublicKey] = []
        var numbers = state.withLock { state in
            keys.compactMap { key in
                if let number = state.known[key] { return number }
                missing.append(key)
                return nil
            }
        }
        guard let db else { return (numbers, missing) }
        var unknown: [PublicKey] = []
        for key in missing {
            if let number = try find(key, in: db) { numbers.append(number) } else { unknown.append(key) }
        }
        return (numbers, unknown)
    }

    private func remember(_ found: KnownSet, since forgotten: Int) {
        state.withLock { state in
            guard state.forgotten == forgotten else { return }
            state.sets.removeAll { $0.keys == found.keys }
            if state.sets.count >= Self.mostSets { state.sets.removeFirst() }
            state.sets.append(found)
        }
    }

    /// What was made is committed.
    func didCommit() {
        state.withLock { state in
            if state.isMaking { state.made += 1 }
            state.isMaking = false
        }
    }

    /// Forgets all: a transaction that may have made some was rolled back.
    func forget() {
        state.withLock { $0 = State(made: $0.made, forgotten: $0.forgotten + 1) }
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
        state.withLock { state in
            if state.known.count >= Self.capacity {
                state.known.removeAll()
                state.emptied += 1
            }
            state.known[key] = number
        }
    }
}
