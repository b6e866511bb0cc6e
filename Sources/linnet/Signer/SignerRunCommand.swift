import ArgumentParser
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage
import ServiceLifecycle
import WebSocketNIO

/// `linnet signer`: the signer alone, in this terminal.
struct SignerRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the signer alone; at a terminal it asks about what waits.",
        discussion: """
            Opens the accounts named, else the one with a key that was used last, and listens until it is stopped. Without a \
            terminal it prints each request that begins to wait; answer with linnet signer approve and refuse.
            """)

    @OptionGroup var options: SignerOptions

    func run() async throws {
        try await options.run(invites: false)
    }
}

/// `linnet bunker`: the same under the name other programs give it, with a token for an app at the start.
struct BunkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bunker", abstract: "Run the signer alone and print a bunker:// token for an app.")

    @Option(help: "Trust level of the app that comes with the token: full, medium or low.") var trust: String?
    @OptionGroup var options: SignerOptions

    func run() async throws {
        let trust = try trust.map(SignerArguments.trust)
        try await options.run(invites: true, trust: trust)
    }
}

/// How the signer is run.
struct SignerOptions: ParsableArguments {
    @Option(
        name: .customLong("account"),
        help: ArgumentHelp("Whose: npub or hex; may be given again.", valueName: "npub"))
    var accounts: [String] = []
    @Option(
        name: .customLong("relay"),
        help: ArgumentHelp(
            "Where to listen for an account whose owner has not said; may be given again.", valueName: "url"))
    var relays: [String] = []
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    /// Runs until SIGTERM, SIGINT or SIGHUP.
    ///
    /// - Parameters:
    ///   - invites: whether to print a token for an app.
    ///   - trust: how far that app is to be trusted; `nil` as the token says that is there.
    func run(invites: Bool, trust: TrustLevel? = nil) async throws {
        try Secrets.refuse(in: accounts)
        let log = try logging.start()
        do {
            let home = try await SignerHome.open(
                data.directory(), keys: keys, configuration: try network.configuration(),
                relays: try relays.map(Reading.relay), log: log)
            try await home.unlock(accounts) { try passphrase.passphrase(isNew: false) }
            try await home.run(invites: invites, trust: trust) { try passphrase.passphrase(isNew: false) }
        } catch {
            throw CommandFailure.speaking(error)
        }
    }
}

/// The accounts of a directory signing for other apps, without pages.
private struct SignerHome {
    let directory: DataDirectory
    let keystore: any Keystore
    let host: AccountHost
    let signing: SignerFactory
    let store: SQLiteEventStore
    let lock: HeldDirectory
    let log: Logger

    static func open(
        _ directory: DataDirectory, keys: KeystoreOptions, configuration: AccountConfiguration, relays: [RelayURL],
        log: Logger
    ) async throws -> SignerHome {
        try directory.prepare()
        let lock = HeldDirectory(try DirectoryLock(directory))
        let store = try SQLiteEventStore(path: directory.events, now: { .current })
        let transport = try NamedRelaysTransport(configuration, in: directory, log: log)
        let signing = try SignerFactory(
            directory, transport: transport, relays: relays.isEmpty ? configuration.signerRelays : relays)
        let keystore = keys.keystore(in: directory)
        let host = AccountHost(
            keystore: keystore,
            factory: AccountFactory(
                store: store, transport: transport, configuration: configuration, directory: directory, log: log,
                signing: signing),
            demo: nil)
        await host.finishBurning()
        return SignerHome(
            directory: directory, keystore: keystore, host: host, signing: signing, store: store, lock: lock, log: log)
    }

    /// Puts accounts to work with their keys.
    func unlock(_ texts: [String], passphrase: () throws -> String) async throws {
        let all = try await keystore.accounts().filter(\.hasKey)
        let wanted = try texts.map(Reading.key)
        for key in wanted where !all.contains(where: { $0.key == key }) {
            throw CommandFailure("There is no account \(key.npub) with a key here.")
        }
        let chosen = wanted.isEmpty ? Array(all.prefix(1)) : all.filter { wanted.contains($0.key) }
        guard !chosen.isEmpty else {
            throw CommandFailure("There is no account with a key here yet: add one with linnet account add.")
        }
        for account in chosen {
            _ = try await host.unlock(account.key, passphrase: account.asksForPassphrase ? try passphrase() : "")
        }
    }

    /// - Parameter passphrase: what the person types where a token of full trust needs it.
    func run(invites: Bool, trust: TrustLevel?, passphrase: () throws -> String) async throws {
        let control = try await ControlServer.bind(directory, log: log)
        let links = OpenLinks(.serving(host, in: directory), now: { .current })
        let registrar = try PushRegistrar(directory, signers: host, log: log)
        let orders = SignerControl(
            signers: host, now: { .current }, links: LinkOrders(links: links, page: { _ in nil }), registrar: registrar)
        for service in await host.signersAtWork() {
            let settings = try await service.settings()
            Output.line(SignerJSON.listening(service.account, settings.relays).text)
            if invites {
                var invitation = try await service.invitation()
                if let trust, trust != invitation.trust {
                    let asks = try await service.passphraseAsking() == .on
                    let typed = try asks && trust == .full ? passphrase() : nil
                    invitation = try await service.typing(TypedPassphrase(typed)).renewInvitation(trust: trust)
                }
                SignerArguments.show(token: invitation.uri.text, trust: invitation.trust.rawValue)
            }
        }
        let services: [any Service] = [
            BackgroundService("accounts") { await host.run() },
            BackgroundService("signer links") { await links.run() },
            BackgroundService("push proxies") { await registrar.run() },
            BackgroundService("control") { try await control.run { try await orders.perform($0, $1) } },
            BackgroundService("terminal") {
                try await ApprovalTerminal(client: ControlClient(directory: directory)).run()
            },
        ]
        let group = ServiceGroup(configuration: .program(services: services, log: log))
        try await host.closing([signing.close, store.close]) { try await group.run() }
    }
}

/// Holds a directory for as long as somebody holds this.
private final class HeldDirectory: Sendable {
    private let lock: DirectoryLock

    init(_ lock: consuming DirectoryLock) {
        self.lock = lock
    }
}
