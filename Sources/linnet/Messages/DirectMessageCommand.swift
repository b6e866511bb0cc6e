import ArgumentParser
import AsyncPrimitives
import Foundation
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet dm`: private messages (NIP-17).
struct DirectMessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dm", abstract: "Send, list and read private messages (NIP-17).",
        discussion: """
            Works with an account of this machine while no other Linnet uses its directory. Prints one line of JSON per \
            thing. Messages rest encrypted; the account's passphrase opens them.
            """,
        subcommands: [Send.self, List.self, Read.self, Save.self])

    /// `linnet dm send`.
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a private message to one person or several.",
            discussion: """
                Ends with 0 when every recipient's copy is on at least one relay. Otherwise it stays queued on disk and \
                goes out when Linnet runs again.
                """)

        @Option(
            name: [.customShort("p"), .customLong("to")],
            help: ArgumentHelp("A recipient: npub, nprofile or hex; may be given again.", valueName: "npub"))
        var recipients: [String] = []
        @Argument(help: "The text; left out or - reads standard input, unless a file is sent.") var text: String?
        @OptionGroup var file: SealedFileArgument
        @Option(
            name: .customLong("alt"),
            help: ArgumentHelp(
                "What can be seen or heard in the file, for those who cannot see or hear it.", valueName: "text"))
        var description: String?
        @Option(help: ArgumentHelp("A subject for the conversation.", valueName: "text")) var subject: String?
        @Option(help: ArgumentHelp("Let the message disappear after so many seconds.", valueName: "seconds"))
        var expires: Int?
        @Option(help: ArgumentHelp("How long to wait for the relays, in seconds.", valueName: "seconds")) var wait = 20
        @OptionGroup var session: AccountSession

        func validate() throws {
            if recipients.isEmpty { throw ValidationError("Say to whom: --to npub1…") }
            if let expires, expires <= 0 { throw ValidationError("--expires takes a number of seconds above 0.") }
            if description != nil, file.path == nil { throw ValidationError("--alt goes with a file: --file PATH") }
            try Waiting.check(wait)
        }

        func run() async throws {
            let people = try recipients.map(Reading.key)
            let body = try file.text(text)
            var chosen = try file.read()
            chosen?.description = description ?? ""
            let attached = chosen
            let delivered = try await session.run { [subject, expires, wait] account in
                let messages = try account.openMessages()
                var message = OutgoingMessage(room: ChatRoom(people + [account.publicKey]), text: body)
                message.subject = subject
                message.lifetime = expires.map { .seconds($0) }
                let outgoing = message
                let sent =
                    if let attached { try await messages.send(attached, with: outgoing) } else {
                        try await messages.send(outgoing)
                    }
                let all = try await isTrue(within: .seconds(wait)) {
                    try await messages.receipts(of: sent.id).allSatisfy(\.isStored)
                }
                Output.line(MessageJSON.sent(sent, try await messages.receipts(of: sent.id)))
                return all
            }
            guard delivered else {
                Output.error(
                    "Not every recipient's relays have it yet; it stays queued and goes out when Linnet runs again.\n")
                throw ExitCode.failure
            }
        }
    }

    /// `linnet dm list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the conversations, the one with the newest message first.")

        @Flag(help: "Print the requests of strangers instead.") var requests = false
        @OptionGroup var catching: CatchingUp
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [requests, catching] account in
                try await catching.wait(for: account)
                let messages = try account.openMessages()
                for summary in try await messages.conversations(in: requests ? .requests : .known) {
                    Output.line(MessageJSON.conversation(summary, own: account.publicKey))
                }
            }
        }
    }

    /// `linnet dm read`.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the messages of a conversation, oldest first.",
            discussion: "Reading marks nothing as read unless --mark is given.")

        @Argument(help: ArgumentHelp("With whom: npub or hex, all of a group.", valueName: "npub"))
        var people: [String] = []
        @Option(name: .shortAndLong, help: "The most messages, the newest ones.") var limit = 50
        @Flag(help: "Mark the conversation as read.") var mark = false
        @OptionGroup var catching: CatchingUp
        @OptionGroup var session: AccountSession

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit takes a number above 0.") }
        }

        func run() async throws {
            let others = try people.map(Reading.key)
            try await session.run { [limit, mark, catching] account in
                try await catching.wait(for: account)
                let messages = try account.openMessages()
                let room = ChatRoom(others + [account.publicKey])
                for message in try await Self.newest(limit, of: room, in: messages) {
                    Output.line(MessageJSON.message(message))
                }
                if mark { try await messages.markRead(room) }
            }
        }

        /// As many of the newest messages as were asked for, oldest first; pages are shorter than that may be.
        static func newest(
            _ count: Int, of room: ChatRoom, in messages: any Messaging
        ) async throws -> [Message] {
            var pages: [[Message]] = []
            var missing = count
            var before: MessageCursor?
            while missing > 0 {
                let page = try await messages.conversation(room, before: before, limit: missing)
                pages.append(page.messages)
                missing -= page.messages.count
                guard let older = page.older, !page.messages.isEmpty else { break }
                before = older
            }
            return pages.reversed().flatMap(\.self)
        }
    }

    /// `linnet dm save`.
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch the encrypted file of a message, check it, and save it in clear.")

        @Argument(help: ArgumentHelp("The message, as linnet dm read prints it.", valueName: "id")) var message: String
        @Option(
            name: .customLong("with"),
            help: ArgumentHelp("With whom: npub or hex; may be given again, for all of a group.", valueName: "npub"))
        var people: [String] = []
        @OptionGroup var file: OpenedFileArgument
        @OptionGroup var session: AccountSession

        func run() async throws {
            let id = try Reading.eventID(message)
            let others = try people.map(Reading.key)
            let opened = try await session.run { account in
                try await account.openMessages().openFile(of: id, in: ChatRoom(others + [account.publicKey]))
            }
            try file.write(opened)
        }
    }

    /// How long to look for new messages before printing.
    struct CatchingUp: ParsableArguments {
        @Flag(help: "Print what is here without asking relays.") var offline = false
        @Option(help: ArgumentHelp("How long to wait for the relays, in seconds.", valueName: "seconds")) var wait = 10

        func validate() throws { try Waiting.check(wait) }

        func wait(for account: any Account) async throws {
            guard !offline else { return }
            let came = try await isTrue(within: .seconds(wait)) {
                guard let state = await account.messagingState() else { return false }
                return state.vault == .open && !state.inbox.isEmpty && state.caughtUp.isSuperset(of: state.inbox)
            }
            if !came { Output.error("Not every inbox relay has answered; there may be more.\n") }
        }
    }
}

extension RecipientReceipt {
    /// Whether at least one relay has the recipient's copy.
    var isStored: Bool {
        relays.contains { if case .accepted = $0.state { true } else { false } }
    }
}
