import ArgumentParser
import Foundation
import NostrCore

// Apps, pairing, relays and the log.
extension SignerCommand {
    /// `linnet signer clients`.
    struct Clients: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the paired apps, the one seen last first.")

        @OptionGroup var options: SignerOptions

        func run() async throws {
            try await options.order(.clients) { try await $0.clients() }
        }
    }

    /// `linnet signer trust`.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust", abstract: "Change what an app is called and what it may.",
            discussion: """
                Choices are permission=allow, =refuse, =ask or =none, as sign_event:1=allow; a login is allowed for one relay \
                or site, as 'sign_event:22242 wss://relay.example=allow'.
                """)

        @Argument(help: "The app: its name, its key or the beginning of it, or its origin.") var app: String
        @Argument(help: "full, medium or low.") var trust: String?
        @Option(help: "What to call it; an empty name shows what it says itself.") var name: String?
        @Option(help: "How often per hour it may use the key without being asked about; 0 for no limit.")
        var perHour: Int?
        @Option(name: .customLong("choose"), help: "A choice for one permission; may be given again.")
        var choices: [String] = []
        @Option(help: "yes or no: answer connect with ack, for apps that know nothing else.") var answersAck: YesOrNo?
        @OptionGroup var options: SignerOptions

        func run() async throws {
            let change = ClientChange(
                name: name, trust: trust, perHour: perHour, answersAck: answersAck.map { $0 == .yes }, choices: choices)
            try await options.order(.update(app: app, change: change))
        }
    }

    enum YesOrNo: String, ExpressibleByArgument, CaseIterable {
        case yes, no
    }

    /// `linnet signer revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unpair an app; it can no longer do anything.")

        @Argument(help: "The app: its name, its key or the beginning of it, or its origin.") var app: String
        @OptionGroup var options: SignerOptions

        func run() async throws { try await options.order(.revoke(app: app)) }
    }

    /// `linnet signer invite`.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the bunker:// token that lets one app in, once.",
            discussion: """
                The token stands alone on standard output; how far the app is trusted that comes with it, on standard error. A \
                token that gives another trust than you name is replaced by a new one.
                """)

        @Flag(name: .customLong("new"), help: "Make a new one; the one before lets nobody in any more.") var renews =
            false
        @Option(help: "Trust level of the app that comes with it: full, medium (for a new token) or low.")
        var trust: String?
        @OptionGroup var options: SignerOptions

        func run() async throws {
            do {
                try await options.ask(.invite(renews: renews, trust: trust)) { item in
                    // The token itself, not as JSON: it is to be pasted.
                    let told = try JSONDecoder().decode(ToldInvitation.self, from: Data(item.utf8))
                    SignerArguments.show(token: told.token, trust: told.trust)
                }
            } catch is ControlClient.NotRunning {
                throw CommandFailure("Nothing runs here that an app could reach: start linnet serve or linnet signer.")
            }
        }
    }

    /// The token as the running program tells it.
    private struct ToldInvitation: Decodable {
        var token: String
        var trust: String
    }

    /// `linnet signer connect`.
    struct Connect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pair with the app that made a nostrconnect:// token.",
            discussion: """
                The token is better given on standard input, as -, since it holds a secret that programs of this machine can \
                read among arguments.
                """)

        @Argument(help: "The token, or - for the first line of standard input.") var token = "-"
        @Option(help: "What to call the app.") var name: String?
        @Option(
            help:
                "Trust level: full, medium or low; low unless you say otherwise where it says what it needs, else medium."
        )
        var trust: String?
        @Option(name: .customLong("allow"), help: "What it may do without asking, as sign_event:1; may be given again.")
        var permissions: [String] = []
        @OptionGroup var options: SignerOptions

        func run() async throws {
            let text = try InputLines(arguments: [token]).single("the token of one app")
            try await options.order(.connect(uri: text, name: name, trust: trust, allowing: permissions))
        }
    }

    /// `linnet signer relays`.
    struct Relays: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how the relays that requests come by are doing, or change where the signer listens.")

        @Option(name: .customLong("add"), help: "A relay to listen on; may be given again.") var adding: [String] = []
        @Option(name: .customLong("remove"), help: "One to leave; may be given again.") var removing: [String] = []
        @OptionGroup var options: SignerOptions

        func run() async throws {
            if adding.isEmpty, removing.isEmpty { return try await options.order(.relays) }
            try await options.order(.setRelays(adding: adding, removing: removing))
        }
    }

    /// `linnet signer log`.
    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what apps asked and what became of it, newest first.")

        @Option(help: "Of one app only.") var app: String?
        @Option(help: "With one outcome only: done, refused, failed, waiting or repeated.") var outcome: String?
        @Option(help: "With one method only.") var method: String?
        @Option(help: "About one kind only.") var kind: Int?
        @Option(help: "With this text in it.") var search = ""
        @Option(help: "Only lines older than the one with this number.") var before: Int64?
        @Option(help: "How many lines at most.") var limit = 100
        @Flag(help: "All of them.") var all = false
        // Lines are JSON in any case; the word is what other programs of this kind call it.
        @Flag(help: .hidden) var json = false
        @OptionGroup var options: SignerOptions

        func run() async throws {
            var filter = LogFilter(
                app: app, outcome: outcome, method: method, kind: kind, text: search, before: before,
                limit: all ? .max : limit)
            // In parts, so that a long log is not held in memory whole.
            while filter.limit > 0 {
                var part = filter
                part.limit = min(filter.limit, 500)
                let page = try await page(part)
                guard page.count == part.limit, let last = page.last else { return }
                filter.before = last
                if filter.limit != .max { filter.limit -= page.count }
            }
        }

        /// Prints a part of the log; the numbers of its lines.
        private func page(_ filter: LogFilter) async throws -> [Int64] {
            let numbers = Numbers()
            do {
                try await options.ask(.log(filter)) { numbers.print($0) }
            } catch is ControlClient.NotRunning {
                do {
                    let account = try options.account.map(Reading.key)
                    guard let signer = try await OfflineSigner(options.data.directory(), account: account) else {
                        return []
                    }
                    try await signer.log(filter) { numbers.print($0) }
                } catch {
                    throw CommandFailure.speaking(error)
                }
            }
            return numbers.all
        }
    }
}
