import Foundation
import Logging
import NostrClient
import NostrCore
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage

@testable import linnet

/// A script leads nowhere, whoever named the relay.
extension ScriptedTransport: NamingTransport {
    func naming(_ isNamedToo: @escaping @Sendable (RelayURL) async -> Bool) -> Self { self }
}

/// A data directory of its own with accounts in it, and a network that answers nothing; goes away with the test.
final class AccountHome: Sendable {
    let directory: DataDirectory
    let clock = ManualClock()

    init() throws {
        directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
        try directory.prepare()
    }

    deinit {
        // What is left in the temporary directory does no harm.
        try? FileManager.default.removeItem(atPath: directory.path)
    }

    var keystore: NIP49FileKeystore {
        NIP49FileKeystore(directory: directory.keys, logN: 2, now: { Timestamp(seconds: 1) })
    }

    /// The store on disk.
    func store() throws -> SQLiteEventStore {
        try SQLiteEventStore(path: directory.events, now: { Timestamp(seconds: 1_700_000_000) })
    }

    /// The accounts as the program's start finds them.
    ///
    /// - Parameter media: speaks with media servers; without it accounts keep no files there.
    func host(_ store: any EventStore & VersionStore, media: (any BlobTransferring)? = nil) -> AccountHost {
        AccountHost(
            keystore: keystore,
            factory: AccountFactory(
                store: store, transport: ScriptedTransport(),
                configuration: AccountConfiguration(routing: RoutingPolicy(), searchRelays: []),
                directory: directory, log: Logger(label: "test"), media: media),
            demo: nil, uptime: Uptime(clock))
    }

    /// Runs the accounts' work while something else happens.
    func atWork(_ host: AccountHost, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await host.run() }
            do {
                try await body()
                group.cancelAll()
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    /// The names of all files, below the directory.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
    }
}
