import ArgumentParser
internal import Circles
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage
import ViewModels
import WebSocketNIO

/// One account opened for one command: unlocked, at work with its relays, and put down when the command ends.
struct AccountSession: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose: npub or hex; without it, the account with a key that was used last.", valueName: "npub"))
    var account: String?
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    /// Does something with the account.
    ///
    /// - Parameter relays: those the person named for it, which may be in a private network.
    /// - Throws: a ``CommandFailure`` with one plain sentence.
    func run<Value: Sendable>(
        naming relays: Set<RelayURL> = [], _ body: @escaping @Sendable (any Account) async throws -> Value
    ) async throws -> Value {
        let log = try logging.start()
        let directory = data.directory()
        try directory.prepare()
        let lock = try DirectoryLock(directory)
        defer { _ = lock }
        do {
            let store = try SQLiteEventStore(path: directory.events, now: { .current })
            let keystore = keys.keystore(in: directory)
            let configuration = try network.configuration()
            let transport = try NamedRelaysTransport(configuration, in: directory, log: log)
            let host = AccountHost(
                keystore: keystore,
                factory: AccountFactory(
                    store: store, transport: transport.naming { relays.contains($0) },
                    configuration: configuration, directory: directory, log: log, blobs: MediaOfTheWeb(),
                    media: MediaOfTheWeb(), nearMedia: MediaOfTheWeb(near: true)),
                demo: nil)
            let kept = try await chosen(from: try await keystore.accounts())
            let passphrase = try kept.asksForPassphrase ? passphrase.passphrase(isNew: false) : ""
            return try await host.closing([store.close]) {
                try await atWork(host) { try await body(try await host.unlock(kept.key, passphrase: passphrase)) }
            }
        } catch {
            throw CommandFailure.speaking(error)
        }
    }

    private func chosen(from accounts: [KeystoreAccount]) async throws -> KeystoreAccount {
        if let account {
            let key = try Reading.key(account)
            guard let found = accounts.first(where: { $0.key == key }) else {
                throw CommandFailure("There is no account \(key.npub) here.")
            }
            return found
        }
        guard let last = accounts.first(where: { $0.hasKey || $0.isRemote }) else {
            throw CommandFailure("There is no account with a key here yet: add one with linnet account add.")
        }
        return last
    }

    private func atWork<Value: Sendable>(
        _ host: AccountHost, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await host.run()
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}

extension Account {
    /// The account's messages, when they can be read.
    ///
    /// - Throws: a ``CommandFailure``.
    func openMessages() throws -> any Messaging {
        guard canSign else { throw CommandFailure("This account has no key, so it has no private messages.") }
        guard let messages else { throw CommandFailure("This account is locked; unlock it to read messages.") }
        return messages
    }

    /// The account's circles.
    ///
    /// - Throws: a ``CommandFailure``.
    func circlesWithKey() async throws -> AccountCircles {
        guard canSign else { throw CommandFailure("This account has no key, so it has no circles.") }
        // The vault of a large account is read for a while.
        _ = try await isTrue(within: .seconds(15)) { await messagingState()?.vault != .opening }
        return try await openCircles()
    }

    /// The account's lists.
    ///
    /// - Throws: a ``CommandFailure``.
    func openLists() throws -> any ListKeeping {
        guard let lists else { throw CommandFailure("This account has no key, so its lists cannot be changed here.") }
        return lists
    }
}

/// Waits for something with a deadline, asking every so often.
///
/// - Returns: whether it came true in time.
func isTrue(
    within deadline: Duration, every pause: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(),
    _ condition: () async throws -> Bool
) async throws -> Bool {
    var left = deadline
    while true {
        if try await condition() { return true }
        guard left > .zero else { return false }
        try await clock.sleep(for: pause)
        left -= pause
    }
}
