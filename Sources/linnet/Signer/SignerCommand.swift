import ArgumentParser
import Foundation
import NostrCore

/// `linnet signer`: the key signs for other apps.
struct SignerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signer",
        abstract: "Sign for other apps (NIP-46): run the signer, answer what waits, manage apps.",
        discussion: """
            Alone it runs the signer in this terminal and asks about what waits. The other commands reach the running linnet \
            serve or linnet signer of the same data directory; list, clients and log also work when none runs. Each line of \
            output is one JSON value.
            """,
        subcommands: [
            SignerRunCommand.self, List.self, Show.self, Approve.self, Refuse.self, Restore.self, Clients.self,
            Change.self, Revoke.self, Invite.self, Connect.self, Relays.self, Settings.self, Pause.self, Resume.self,
            Log.self,
            SignerInstallHandlerCommand.self, SignerPushCommand.self,
        ], defaultSubcommand: SignerRunCommand.self)

    /// Which running signer.
    struct SignerOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Whose signer: npub or hex; needed where several accounts are at work.", valueName: "npub"))
        var account: String?
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var data: DataDirectory.Options

        /// Gives an order and prints the answer.
        func order(_ verb: ControlOrder.Verb) async throws {
            do {
                try await ask(verb) { Output.line($0) }
            } catch is ControlClient.NotRunning {
                throw CommandFailure("Nothing runs here that could do it: start linnet serve or linnet signer.")
            }
        }

        /// Gives an order and hands over the answer.
        ///
        /// - Throws: ``ControlClient/NotRunning`` as it is.
        func ask(_ verb: ControlOrder.Verb, _ body: @escaping @Sendable (String) async throws -> Void) async throws {
            do {
                try Secrets.refuse(in: [account].compactMap { $0 })
                let key = try account.map(Reading.key)
                let client = ControlClient(directory: data.directory())
                let passphrase = passphrase
                try await ControlOrder(verb, account: key?.hex).given(
                    to: { try await client.order($0, body) },
                    asking: { _ in try passphrase.passphrase(isNew: false) })
            } catch let error as ControlClient.NotRunning {
                throw error
            } catch {
                throw CommandFailure.speaking(error)
            }
        }

        /// Gives an order, or does something else where nothing runs.
        func reach(_ verb: ControlOrder.Verb, orAlone work: (PublicKey?) async throws -> Void) async throws {
            do {
                try await ask(verb) { Output.line($0) }
            } catch is ControlClient.NotRunning {
                do { try await work(try account.map(Reading.key)) } catch { throw CommandFailure.speaking(error) }
            }
        }

        /// Gives an order, or reads the records where nothing runs.
        func order(_ verb: ControlOrder.Verb, else offline: (OfflineSigner) async throws -> Void) async throws {
            do {
                try await ask(verb) { Output.line($0) }
            } catch is ControlClient.NotRunning {
                do {
                    let key = try account.map(Reading.key)
                    guard let signer = try await OfflineSigner(data.directory(), account: key) else {
                        return
                    }
                    try await offline(signer)
                } catch {
                    throw CommandFailure.speaking(error)
                }
            }
        }
    }

    /// `linnet signer list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the requests that wait, oldest first.")

        @OptionGroup var options: SignerOptions

        func run() async throws {
            try await options.order(.list(unlike: nil, seconds: 0)) { try await $0.list() }
        }
    }

    /// `linnet signer show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one request whole, with what it would change.")

        @Argument(help: "Its id, or the beginning of it.") var id: String
        @OptionGroup var options: SignerOptions

        func run() async throws { try await options.order(.show(id: id)) }
    }

    /// Which requests.
    struct Requests: ParsableArguments {
        @Argument(help: "The ids of requests, or the beginnings of them.") var ids: [String] = []
        @Flag(help: "All that wait.") var all = false
        @Flag(help: "Also what their apps asked within the same half second.") var together = false
        @Flag(help: "The same from now on, for this app and what it asks.") var always = false
        @Option(help: ArgumentHelp("With --always: for so many hours.", valueName: "hours")) var `for`: Int?

        func validate() throws {
            guard all != !ids.isEmpty else { throw ValidationError("Give the ids of requests, or --all.") }
            guard !all || !together else {
                throw ValidationError("--together is about the ids you give: leave out --all.")
            }
            if let hours = `for`, !always || hours <= 0 || hours > 87_600 {
                throw ValidationError("--for needs --always and a number of hours.")
            }
        }

        var chosen: RequestSelection { all ? .all : together ? .together(ids) : .these(ids) }

        func verdict(allows: Bool) -> SpokenVerdict {
            let until = `for`.map { Timestamp.current.seconds + Int64($0) * 3600 }
            return SpokenVerdict(allows: allows, isAlways: always, until: until)
        }
    }

    /// `linnet signer approve`.
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Approve requests that wait.")

        @OptionGroup var requests: Requests
        @Flag(help: "Also what would drop more than a handful of follows, mutes or relays.") var knowingLoss = false
        @Option(help: "Trust level of an app that this pairs: full, medium or low, which is usual.") var trust: String?
        @OptionGroup var options: SignerOptions

        func run() async throws {
            var verdict = requests.verdict(allows: true)
            verdict.trust = trust
            try await options.order(
                .decide(requests.chosen, verdict: verdict, knowingLoss: knowingLoss))
        }
    }

    /// `linnet signer refuse`.
    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Refuse what requests ask.")

        @OptionGroup var requests: Requests
        @OptionGroup var options: SignerOptions

        func run() async throws {
            try await options.order(
                .decide(requests.chosen, verdict: requests.verdict(allows: false), knowingLoss: true))
        }
    }

    /// `linnet signer restore`.
    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish the current version again, instead of signing the pending one.")

        @Argument(help: "The id of the request, or the beginning of it.") var id: String
        @OptionGroup var options: SignerOptions

        func run() async throws { try await options.order(.restore(id: id)) }
    }

    /// `linnet signer settings`.
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what holds for all apps, or ask for the passphrase again.",
            discussion: """
                With --ask-passphrase yes, a yes to a protected kind and giving full trust needs the passphrase of the key, \
                from the pages and from these commands alike, also while the account is unlocked.
                """)

        @Option(help: "yes or no: ask for the passphrase with a yes to a protected kind, and to give full trust.")
        var askPassphrase: YesOrNo?
        @OptionGroup var options: SignerOptions

        func run() async throws {
            try await options.order(.settings(asksForPassphrase: askPassphrase.map { $0 == .yes }))
        }
    }

    /// `linnet signer pause`.
    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Do nothing for any app until signer resume; requests wait.")

        @OptionGroup var options: SignerOptions

        func run() async throws { try await options.order(.pause(true)) }
    }

    /// `linnet signer resume`.
    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Serve apps again after signer pause.")

        @OptionGroup var options: SignerOptions

        func run() async throws { try await options.order(.pause(false)) }
    }
}
