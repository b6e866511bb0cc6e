internal import GRDB
internal import MLS
internal import NostrCore
internal import NostrSigner

/// The rows of groups and keys, inside a transaction.
///
/// A sealed value starts with the identity that its blinded name stands for, and opens only in its own row.
struct MLSRows {
    enum Kind: Int64 {
        case keyPackage = 1
        case preSharedKey = 2
    }

    let db: Database
    let key: SealingKey

    // MARK: - Groups

    func groups() throws -> [[UInt8]] {
        let select = try HotStatement(db, "SELECT name, id FROM mls_group ORDER BY name")
        defer { select.reset() }
        var ids: [[UInt8]] = []
        while try select.step() { ids.append(try open(select.blob(1), ["group", select.string(0)])) }
        return ids
    }

    func revision(of group: [UInt8]) throws -> UInt64? {
        let select = try HotStatement(db, "SELECT revision FROM mls_group WHERE name = ?")
        defer { select.reset() }
        select.bind(text: name(of: group), at: 1)
        return try select.step() ? UInt64(bitPattern: select.int(0)) : nil
    }

    func parts(of group: [UInt8]) throws -> [GroupPart: [UInt8]] {
        let owner = name(of: group)
        let select = try HotStatement(db, "SELECT name, value FROM mls_part WHERE owner = ?")
        defer { select.reset() }
        select.bind(text: owner, at: 1)
        var parts: [GroupPart: [UInt8]] = [:]
        while try select.step() {
            let (identity, value) = try openNamed(select.blob(1), ["part", owner, select.string(0)])
            // What we sealed is a part; anything else is damaged.
            guard let part = try? GroupPart(bytes: identity) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            parts[part] = value
        }
        return parts
    }

    func setRevision(_ revision: UInt64, of group: [UInt8]) throws {
        let row = try HotStatement(
            db, "INSERT INTO mls_group VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET revision = ?3")
        let name = name(of: group)
        row.bind(text: name, at: 1)
        row.bind(blob: try key.seal(group, as: Self.place(["group", name])), at: 2)
        row.bind(Int64(bitPattern: revision), at: 3)
        try row.run()
    }

    func put(_ part: GroupPart, _ value: [UInt8], of group: [UInt8]) throws {
        let (owner, name) = (name(of: group), blinded(part))
        let row = try HotStatement(db, "INSERT OR REPLACE INTO mls_part (owner, name, value) VALUES (?, ?, ?)")
        row.bind(text: owner, at: 1)
        row.bind(text: name, at: 2)
        row.bind(blob: try seal(part.encoded, value, ["part", owner, name]), at: 3)
        try row.run()
    }

    func remove(_ part: GroupPart, of group: [UInt8]) throws {
        let row = try HotStatement(db, "DELETE FROM mls_part WHERE owner = ? AND name = ?")
        row.bind(text: name(of: group), at: 1)
        row.bind(text: blinded(part), at: 2)
        try row.run()
    }

    func remove(_ group: [UInt8]) throws {
        for statement in ["DELETE FROM mls_part WHERE owner = ?", "DELETE FROM mls_group WHERE name = ?"] {
            let row = try HotStatement(db, statement)
            row.bind(text: name(of: group), at: 1)
            try row.run()
        }
    }

    // MARK: - Keys

    func keys(_ kind: Kind) throws -> [(identity: [UInt8], value: [UInt8])] {
        let select = try HotStatement(db, "SELECT name, value FROM mls_key WHERE kind = ? ORDER BY name")
        defer { select.reset() }
        select.bind(kind.rawValue, at: 1)
        var keys: [(identity: [UInt8], value: [UInt8])] = []
        while try select.step() {
            keys.append(try openNamed(select.blob(1), ["key", "\(kind.rawValue)", select.string(0)]))
        }
        return keys
    }

    func key(_ kind: Kind, _ identity: [UInt8]) throws -> [UInt8]? {
        let name = blinded(kind, identity)
        let select = try HotStatement(db, "SELECT value FROM mls_key WHERE kind = ? AND name = ?")
        defer { select.reset() }
        select.bind(kind.rawValue, at: 1)
        select.bind(text: name, at: 2)
        return try select.step() ? openNamed(select.blob(0), ["key", "\(kind.rawValue)", name]).value : nil
    }

    func put(_ kind: Kind, _ identity: [UInt8], _ value: [UInt8]) throws {
        let name = blinded(kind, identity)
        let row = try HotStatement(db, "INSERT OR REPLACE INTO mls_key (kind, name, value) VALUES (?, ?, ?)")
        row.bind(kind.rawValue, at: 1)
        row.bind(text: name, at: 2)
        row.bind(blob: try seal(identity, value, ["key", "\(kind.rawValue)", name]), at: 3)
        try row.run()
    }

    func remove(_ kind: Kind, _ identity: [UInt8]) throws {
        let row = try HotStatement(db, "DELETE FROM mls_key WHERE kind = ? AND name = ?")
        row.bind(kind.rawValue, at: 1)
        row.bind(text: blinded(kind, identity), at: 2)
        try row.run()
    }

    // MARK: - Names and seals

    private func name(of group: [UInt8]) -> String { key.blind("mls group \(encodeHex(group))") }
    private func blinded(_ part: GroupPart) -> String { key.blind("mls part \(encodeHex(part.encoded))") }
    private func blinded(_ kind: Kind, _ identity: [UInt8]) -> String {
        key.blind("mls key \(kind.rawValue) \(encodeHex(identity))")
    }

    private static func place(_ row: [String]) -> String { "mls " + row.joined(separator: " ") }

    private func seal(_ identity: [UInt8], _ value: [UInt8], _ row: [String]) throws -> [UInt8] {
        let count = UInt32(identity.count)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        return try key.seal(length + identity + value, as: Self.place(row))
    }

    private func openNamed(_ sealed: [UInt8], _ row: [String]) throws -> (identity: [UInt8], value: [UInt8]) {
        let opened = try open(sealed, row)
        let count = opened.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard opened.count >= 4, opened.count - 4 >= count else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return (Array(opened[4..<4 + count]), Array(opened[(4 + count)...]))
    }

    private func open(_ sealed: [UInt8], _ row: [String]) throws -> [UInt8] {
        do {
            return try key.open(sealed, as: Self.place(row))
        } catch {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "it does not open with this key")
        }
    }
}
