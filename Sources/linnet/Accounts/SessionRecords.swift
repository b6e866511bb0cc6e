import Foundation
import Logging
import NostrCore
import NostrStore
import WebUI

/// Keeps the sessions of browsers in the program's own records, under hashes from which no cookie can be made.
struct SessionRecords: SessionKeeping {
    let records: any RecordStore
    let log: Logger

    private static let table = "sessions"
    /// As many as there can be; older ones go.
    private static let most = 64

    private struct Line: Codable {
        let openedAt: Int64
        let account: String?

        var session: KeptSession {
            // A key that cannot be read is no account.
            KeptSession(openedAt: Timestamp(seconds: openedAt), account: account.flatMap { try? PublicKey(hex: $0) })
        }
    }

    func session(under hash: String) async -> KeptSession? {
        await reading { try await records.value(hash, in: Self.table).map(Self.line)?.session } ?? nil
    }

    func keep(_ session: KeptSession, under hash: String) async {
        await reading {
            let line = Line(openedAt: session.openedAt.seconds, account: session.account?.hex)
            let others = try await all().filter { $0.hash != hash }.sorted { $0.line.openedAt > $1.line.openedAt }
            try await records.apply(
                others.dropFirst(Self.most - 1).map { .remove(table: Self.table, key: $0.hash) }
                    + [.put(table: Self.table, key: hash, value: [UInt8](try JSONEncoder().encode(line)))])
        }
    }

    func forget(_ hash: String) async {
        await reading { try await records.remove(hash, in: Self.table) }
    }

    func leave(_ account: PublicKey) async {
        await reading {
            for (hash, line) in try await all() where line.account == account.hex {
                let closed = Line(openedAt: line.openedAt, account: nil)
                try await records.put([UInt8](try JSONEncoder().encode(closed)), for: hash, in: Self.table)
            }
        }
    }

    private func all() async throws -> [(hash: String, line: Line)] {
        try await records.records(in: Self.table).map { ($0.key, try Self.line($0.value)) }
    }

    private static func line(_ bytes: [UInt8]) throws -> Line { try JSONDecoder().decode(Line.self, from: Data(bytes)) }

    /// Does something with the records; what fails costs a login, and is said in the log.
    @discardableResult
    private func reading<Value>(_ body: () async throws -> Value) async -> Value? {
        do { return try await body() } catch {
            log.warning("the sessions of browsers could not be read or kept")
            return nil
        }
    }
}
