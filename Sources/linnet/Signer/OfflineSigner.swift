import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import SQLiteStorage
import Synchronization

/// What can be told of signers while none runs: from their records alone.
struct OfflineSigner: Sendable {
    private let records: SQLiteSignerRecords
    private let accounts: [PublicKey]

    /// Opens the records; `nil` where there are none, since nothing was ever signed for anybody.
    init?(_ directory: DataDirectory, account: PublicKey?) async throws {
        guard FileManager.default.fileExists(atPath: directory.signer) else { return nil }
        let records = try SQLiteSignerRecords(path: directory.signer)
        self.records = records
        accounts = if let account { [account] } else { try await records.accounts() }
    }

    /// Prints the requests that wait.
    func list() async throws {
        for account in accounts {
            for kept in try await records.waiting(of: account) {
                let client = try await records.client(SignerClient.ID(app: kept.request.app, account: account))
                Output.line(SignerJSON.line(kept, client: client).text)
            }
        }
    }

    /// Prints the paired apps.
    func clients() async throws {
        for account in accounts {
            for client in try await records.clients(of: account) { Output.line(SignerJSON.line(client).text) }
        }
    }

    /// Hands over lines of the log.
    func log(_ filter: LogFilter, _ body: (String) -> Void) async throws {
        var entries: [ActivityEntry] = []
        for account in accounts {
            let query = try SignerArguments.query(filter, apps: try await records.clients(of: account))
            entries += try await records.activity(of: account, query)
        }
        for entry in entries.newest(filter.limit) { body(SignerJSON.line(entry).text) }
    }
}

/// Prints lines and remembers their numbers.
final class Numbers: Sendable {
    private let seen = Mutex<[Int64]>([])

    var all: [Int64] { seen.withLock { $0 } }

    /// Prints a line of the log.
    func print(_ line: String) {
        Output.line(line)
        // Every line of the log has a number.
        guard let number = (try? JSONValue(Array(line.utf8)))?["id"]?.integer else { return }
        seen.withLock { $0.append(number) }
    }
}
