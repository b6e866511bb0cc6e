/// A small durable table of named values, for what is no event: the publish queue, receipts, settings of an account.
///
/// Shape: a table name and a key name one value of bytes; their meaning belongs to whoever writes them. Keys are
/// ordered and compared by their UTF-8 bytes. Every record store passes the one contract suite
/// (`NostrTesting/RecordStoreContract.swift`).
public protocol RecordStore: Sendable {
    /// The value of a key, or `nil`.
    ///
    /// - Throws: ``StoreError``.
    func value(_ key: String, in table: String) async throws -> [UInt8]?

    /// The records of a table whose keys start with a prefix (all, when it is empty), in the order of their keys.
    ///
    /// - Throws: ``StoreError``.
    func records(in table: String, prefix: String) async throws -> [Record]

    /// The values of several keys as they are at one moment, in the order asked for; `nil` where there is none.
    ///
    /// - Throws: ``StoreError``.
    func values(of keys: [String], in table: String) async throws -> [[UInt8]?]

    /// Up to `limit` records whose keys start with a prefix and come after a key, in the order of their keys.
    ///
    /// For going through more than should be in memory at once; what is written meanwhile may or may not be seen.
    ///
    /// - Throws: ``StoreError``.
    func records(in table: String, prefix: String, after key: String?, limit: Int) async throws -> [Record]

    /// Makes all changes or none, in order; returns only after they are durable.
    ///
    /// - Throws: ``StoreError``; then nothing has changed.
    func apply(_ changes: [RecordChange]) async throws
}

/// A key with its value.
public struct Record: Hashable, Sendable {
    /// The key, unique in its table.
    public let key: String
    /// The value, exactly as it was put.
    public let value: [UInt8]

    /// A record as it is to be put, or was read.
    public init(key: String, value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// One change of a record store.
public enum RecordChange: Hashable, Sendable {
    /// Adds a record, or replaces its value.
    case put(table: String, key: String, value: [UInt8])
    /// Drops a record; nothing happens when there is none.
    case remove(table: String, key: String)
    /// Drops all records whose keys start with a prefix; an empty prefix empties the table.
    case removeAll(table: String, prefix: String)
}

extension RecordStore {
    /// Asks for one after the other.
    public func values(of keys: [String], in table: String) async throws -> [[UInt8]?] {
        var found: [[UInt8]?] = []
        for key in keys { found.append(try await value(key, in: table)) }
        return found
    }

    /// Takes them out of all that have the prefix.
    public func records(
        in table: String, prefix: String, after key: String?, limit: Int
    ) async throws -> [Record] {
        let all = try await records(in: table, prefix: prefix)
        guard let key else { return Array(all.prefix(limit)) }
        return Array(all.drop { !key.utf8.lexicographicallyPrecedes($0.key.utf8) }.prefix(limit))
    }

    /// Adds one record, or replaces its value.
    public func put(_ value: [UInt8], for key: String, in table: String) async throws {
        try await apply([.put(table: table, key: key, value: value)])
    }

    /// Drops one record; nothing happens when there is none.
    public func remove(_ key: String, in table: String) async throws {
        try await apply([.remove(table: table, key: key)])
    }

    /// All records of a table, in the order of their keys.
    public func records(in table: String) async throws -> [Record] {
        try await records(in: table, prefix: "")
    }
}
