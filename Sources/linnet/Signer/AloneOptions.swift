import ArgumentParser
import Logging
import NostrClient
import NostrCore
import NostrSigner
import SQLiteStorage
import WebSocketNIO

/// How an account is opened by a command where nothing runs.
struct AloneOptions: ParsableArguments {
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var network: NetworkOptions

    /// Says nothing.
    static let silent = Logger(label: "linnet", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Opens an account with its key, works on it, and closes it; the directory is held meanwhile.
    func work(
        _ wanted: PublicKey?, _ options: SignerCommand.SignerOptions,
        _ body: (PushRegistrar, PublicKey) async throws -> Void
    ) async throws {
        let directory = options.data.directory()
        try directory.prepare()
        let keystore = keys.keystore(in: directory)
        let all = try await keystore.accounts().filter(\.hasKey)
        guard let account = wanted.map({ key in all.first { $0.key == key } }) ?? all.first else {
            throw CommandFailure("There is no such account with a key here.")
        }
        let lock = try DirectoryLock(directory)
        defer { _ = lock }
        let configuration = try network.configuration()
        let transport = try NamedRelaysTransport(configuration, in: directory, log: Self.silent)
        let signing = try SignerFactory(directory, transport: transport, relays: configuration.signerRelays)
        let store = try SQLiteEventStore(path: directory.events, now: { .current })
        let host = AccountHost(
            keystore: keystore,
            factory: AccountFactory(
                store: store, transport: transport, configuration: configuration, directory: directory,
                log: Self.silent, signing: signing),
            demo: nil)
        let passphrase = account.asksForPassphrase ? try options.passphrase.passphrase(isNew: false) : ""
        _ = try await host.unlock(account.key, passphrase: passphrase)
        let registrar = try PushRegistrar(directory, signers: host, log: Self.silent)
        try await body(registrar, account.key)
        try signing.close()
        try store.close()
    }
}
