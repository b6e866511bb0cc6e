import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet status`: what you are doing now (NIP-38).
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show somebody's status (NIP-38); set and clear your own.",
        subcommands: [Show.self, Set.self, Clear.self])

    /// Which of the two statuses.
    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case general, music
    }

    /// `linnet status show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what somebody is doing now, a line of JSON for each status; without anybody, your own.")
        @Argument(help: ArgumentHelp("Whose: npub or hex.", valueName: "npub")) var person: String?
        @OptionGroup var session: AccountSession

        func run() async throws {
            let key = try person.map(Reading.key)
            try await session.run { account in
                guard let showcases = account.showcases else {
                    throw CommandFailure("This account shows no statuses.")
                }
                let key = key ?? account.publicKey
                // Their page is what asks relays for it.
                _ = try await account.people.person(key, evenMuted: true)
                _ = try await isTrue(within: .seconds(8)) {
                    try await !showcases.showcase(of: key, evenMuted: true).statuses.isEmpty
                }
                for status in try await showcases.showcase(of: key, evenMuted: true).statuses {
                    Output.line(StatusJSON.line(status))
                }
            }
        }
    }

    /// `linnet status set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set your status: what you are doing now.")
        @Argument(help: "The words.") var text: String
        @Option(help: "general, or music for what you listen to.") var type = Subject.general
        @Option(help: "Where it leads: https://….") var link = ""
        @Option(help: "How long it holds: hour, day, or open until you change it.") var lasts = "open"
        @OptionGroup var session: AccountSession

        func validate() throws {
            guard StatusSpan(rawValue: lasts) != nil else {
                throw ValidationError("\(Shown.text(lasts)) is not a span: give hour, day or open.")
            }
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw ValidationError("A status has words; linnet status clear takes yours back.")
            }
        }

        func run() async throws {
            let span = StatusSpan(rawValue: lasts) ?? .open
            let change = StatusChange(text: text, link: link, span: span, isMusic: type == .music)
            try await session.run { account in
                _ = try account.openLists()
                let event = try await change.publish(of: account, now: .current)
                try await account.report(published: event)
            }
        }
    }

    /// `linnet status clear`.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take your status back.")
        @Option(help: "general, or music for what you listen to.") var type = Subject.general
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [type] account in
                _ = try account.openLists()
                let event = try await StatusChange(text: "", isMusic: type == .music).publish(
                    of: account, now: .current)
                try await account.report(published: event)
            }
        }
    }
}

/// Statuses as lines of JSON.
enum StatusJSON {
    static func line(_ status: UserStatus) -> String {
        var members = [JSONMember("type", .string(status.type)), JSONMember("text", .string(status.text))]
        if let link = status.link { members.append(JSONMember("link", .string(link))) }
        if let expires = status.expires { members.append(JSONMember("expires", .number("\(expires.seconds)"))) }
        return JSONValue.object(members).text
    }
}
