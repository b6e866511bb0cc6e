internal import NostrCore
public import NostrNIPs

/// What an account's records keep of the relays it blocks, for the time in which its lists cannot be read.
///
/// Programs that act for the account without its events, as one that a push wakes, read it too. Shape: table
/// `blocked-relays`; key `salt` the salt, every other key a digest in hex, without a value.
public struct BlockedRelayRecords: Sendable {
    private static let table = "blocked-relays"
    private static let saltKey = "salt"

    private let records: any RecordStore

    /// Reads and writes the records of one account.
    public init(_ records: any RecordStore) {
        self.records = records
    }

    /// What was blocked last.
    ///
    /// - Throws: ``StoreError``.
    public func load() async throws -> BlockedRelays {
        var salt: [UInt8] = []
        var digests: Set<[UInt8]> = []
        for record in try await records.records(in: Self.table) {
            if record.key == Self.saltKey {
                salt = record.value
            } else if let digest = try? decodeHex(record.key, byteCount: 32) {
                // Another key would be no digest, and blocks nothing.
                digests.insert(digest)
            }
        }
        return BlockedRelays([], marks: BlockedRelays.Marks(salt: salt, digests: digests))
    }

    /// Keeps what is blocked now, in one commit.
    ///
    /// - Throws: ``StoreError``; what was kept before is there still.
    public func save(_ marks: BlockedRelays.Marks) async throws {
        var changes: [RecordChange] = [
            .removeAll(table: Self.table, prefix: ""),
            .put(table: Self.table, key: Self.saltKey, value: marks.salt),
        ]
        changes += marks.digests.map { .put(table: Self.table, key: encodeHex($0), value: []) }
        try await records.apply(changes)
    }
}
