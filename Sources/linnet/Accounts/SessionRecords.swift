import AsyncPrimitives
import Foundation
import Logging
import NostrCore
import NostrStore
import WebUI

/// Keeps the sessions of browsers in the program's own records, under hashes from which no cookie can be made.
struct SessionRecords: SessionKeeping {
    let records: any RecordStore
    let log: Logger
    /// Changes come one after the other: one that reads first must not write back what another took away.
    private let gate = SerialGate()

    private static let table = "sessions"

    init(records: any RecordStore, log: Logger) {
        self.records = records
        self.log = log
    }

    /// A session as it lies on disk.
    private struct StoredSession: Codable {
        let openedAt: Int64
        let account: String?

        var session: KeptSession {
            // A key that cannot be read is no account.
            KeptSession(openedAt: Timestamp(seconds: openedAt), account: account.flatMap { try? PublicKey(hex: $0) })
        }
    }

    func session(under hash: String) async -> KeptSession? {
        await reading { try await records.value(hash, in: Self.table).flatMap(stored)?.session } ?? nil
    }

    func keep(_ session: KeptSession, under hash: String) async {
        await changing {
            let new = StoredSession(openedAt: session.openedAt.seconds, account: session.account?.hex)
            let others = try await all().filter { $0.hash != hash }.sorted { $0.stored.openedAt > $1.stored.openedAt }
            try await records.apply(
                others.dropFirst(KeptSession.most - 1).map { .remove(table: Self.table, key: $0.hash) }
                    + [.put(table: Self.table, key: hash, value: [UInt8](try JSONEncoder().encode(new)))])
        }
    }

    func forget(_ hash: String) async {
        await changing { try await records.remove(hash, in: Self.table) }
    }

    func leave(_ account: PublicKey) async {
        await changing {
            for (hash, stored) in try await all() where stored.account == account.hex {
                let closed = StoredSession(openedAt: stored.openedAt, account: nil)
                try await records.put([UInt8](try JSONEncoder().encode(closed)), for: hash, in: Self.table)
            }
        }
    }

    private func all() async throws -> [(hash: String, stored: StoredSession)] {
        try await records.records(in: Self.table).compactMap { record in
            stored(record.value).map { (record.key, $0) }
        }
    }

    /// One that cannot be read costs a login and no other session.
    private func stored(_ bytes: [UInt8]) -> StoredSession? {
        do { return try JSONDecoder().decode(StoredSession.self, from: Data(bytes)) } catch {
            log.warning("a session of a browser could not be read")
            return nil
        }
    }

    private func changing(_ body: () async throws -> Void) async {
        await gate.run { await reading(body) }
    }

    /// Does something with the records; what fails costs a login, and is said in the log.
    @discardableResult
    private func reading<Value>(_ body: () async throws -> Value) async -> Value? {
        do { return try await body() } catch {
            log.warning("the sessions of browsers could not be read or kept")
            return nil
        }
    }
}
