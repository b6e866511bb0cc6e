import ArgumentParser
import NostrCore
import NostrNIPs
import NostrSigner

/// `linnet signer push`: has a push proxy wake this signer's devices, and receives pushes on the person's own machine.
struct SignerPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Have a push proxy wake your signer's devices; receive pushes on this machine.",
        discussion: """
            register and unregister reach the running linnet serve or linnet signer of the same data directory; where none \
            runs, they open the account. docs/SELF-HOSTING.md leads through all of it.
            """, subcommands: [Register.self, Unregister.self, Status.self, SignerPushReceiveCommand.self])

    /// `linnet signer push register`.
    struct Register: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have a device woken when a request comes: this machine, or one of Apple's.",
            discussion: """
                For this machine name a distributor of UnifiedPush (--ntfy https://ntfy.sh), or an https address of your \
                own that leads to linnet signer push receive (--at). The word at the end of the endpoint, and the key that \
                opens pushes, are drawn here and kept for its owner alone.
                """)

        @Option(help: ArgumentHelp("The push proxy.", valueName: "https://host")) var proxy: PublicAddress
        @Option(help: ArgumentHelp("A distributor that is listened to.", valueName: "https://host")) var ntfy: String?
        @Option(help: ArgumentHelp("Where this machine is reached by TLS.", valueName: "https://host/path")) var at:
            String?
        @Option(help: ArgumentHelp("The token of one of Apple's devices.", valueName: "hex")) var token: String?
        @OptionGroup var options: SignerCommand.SignerOptions
        @OptionGroup var alone: AloneOptions

        func validate() throws {
            guard [ntfy, at, token].count(where: { $0 != nil }) == 1 else {
                throw ValidationError("Give one of --ntfy, --at and --token.")
            }
        }

        func run() async throws {
            let directory = options.data.directory()
            try directory.prepare()
            let (device, receiver) = try chosen()
            try await options.reach(.push(.register(device, proxy: proxy.text))) { key in
                try await alone.work(key, options) { registrar, account in
                    try await registrar.add(device, of: account, at: proxy.text)
                    try await SignerPushCommand.show(registrar, account)
                }
            }
            // Kept once the proxy took it, in place of the one before.
            if let receiver { try PushReceiverFile(directory).write(receiver) }
        }

        private func chosen() throws -> (PushProxyLedger.Device, PushReceiver?) {
            if let token { return (.apns(token: token.lowercased()), nil) }
            var random = SystemRandomNumberGenerator()
            let word = encodeHex(randomBytes(16, using: &random))
            let (kind, base) = ntfy.map { (PushReceiver.Kind.ntfy, $0) } ?? (.own, at ?? "")
            guard let receiver = PushReceiver(kind, at: base, word: word) else {
                throw CommandFailure("\(base) is not an https address.")
            }
            return (receiver.device, receiver)
        }
    }

    /// `linnet signer push unregister`.
    struct Unregister: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop waking the devices of this account; its apps are unregistered, too.")

        @OptionGroup var options: SignerCommand.SignerOptions
        @OptionGroup var alone: AloneOptions

        func run() async throws {
            try await options.reach(.push(.unregisterAll)) { key in
                try await alone.work(key, options) { registrar, account in
                    try await registrar.removeAll(of: account)
                    try await SignerPushCommand.show(registrar, account)
                }
            }
        }
    }

    /// `linnet signer push status`.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what push proxies were told.")

        @OptionGroup var options: SignerCommand.SignerOptions

        func run() async throws {
            try await options.reach(.push(.status)) { _ in
                let registrar = try PushRegistrar(
                    options.data.directory(), signers: NobodyAtWork(), log: AloneOptions.silent)
                for account in await registrar.accounts { try await SignerPushCommand.show(registrar, account) }
            }
        }
    }

    /// Prints what an account's proxy was told.
    static func show(_ registrar: PushRegistrar, _ account: PublicKey) async throws {
        Output.line(line(await registrar.ledger(of: account), account))
    }

    /// What an account's proxy was told, as one line; endpoints are secrets of their devices, so they are not shown.
    static func line(_ ledger: PushProxyLedger?, _ account: PublicKey) -> String {
        let kinds = (ledger?.devices ?? []).map { device in
            switch device {
            case .apns: "apns"
            case .webPush: "webpush"
            case .unifiedPush: "unifiedpush"
            }
        }
        let apps = (ledger?.told.keys.sorted() ?? []).map(JSONValue.string)
        return JSONValue.object([
            JSONMember("account", .string(account.hex)),
            JSONMember("proxy", ledger.map { .string($0.proxy) } ?? .null),
            JSONMember("devices", .array(kinds.map(JSONValue.string))), JSONMember("apps", .array(apps)),
            JSONMember("leaving", .number("\(ledger?.leaving.count ?? 0)")),
        ]).text
    }
}

/// Nobody at work: for what is only read.
struct NobodyAtWork: PushedSigners {
    func accountsAtWork() async -> Set<PublicKey> { [] }
    func accountsComeAndGo() async -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func pairings(of account: PublicKey) async -> [PublicKey: [RelayURL]]? { nil }
    func pairingChanges(of account: PublicKey) async -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func sign(_ draft: EventDraft, by key: PublicKey) async throws -> Event {
        throw CommandFailure("Nothing is signed here.")
    }
}

/// An order about pushes, as it is sent to the running program.
enum PushOrder: Codable, Hashable, Sendable {
    case register(PushProxyLedger.Device, proxy: String)
    case unregisterAll
    case status
}
