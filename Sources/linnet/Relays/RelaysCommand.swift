import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet relays`: where you write and read (NIP-65).
///
/// Verbs that do more than change the list have a file each.
struct RelaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relays", abstract: "Show and change the relays you write to and read (NIP-65).",
        discussion: """
            Others find what you write through this list, and send you replies where you read. A change reads the \
            newest list from enough relays first, and changes nothing when it cannot. Other lists of relays are named \
            with --on: blocked-relays, search-relays, relay-feeds (favourites), inbox-relays (private messages), \
            draft-relays, and relay-sets with -d.
            """,
        subcommands: [
            Show.self, Add.self, Remove.self, Mark.self, Publish.self, Find.self, Info.self, Notes.self,
            Auth.self, Allow.self, Heard.self,
        ],
        defaultSubcommand: Show.self)

    /// What relays are for.
    enum Use: String, ExpressibleByArgument, CaseIterable {
        case both, read, write

        var usage: RelayList.Usage { self == .both ? .both : self == .read ? .read : .write }
    }

    /// Some relays.
    struct Relays: ParsableArguments {
        @Argument(help: ArgumentHelp("Addresses that begin with wss:// or ws://.", valueName: "relay"))
        var addresses: [String]

        func usages(_ usage: RelayList.Usage) throws -> [RelayURL: RelayList.Usage] {
            var usages: [RelayURL: RelayList.Usage] = [:]
            for address in addresses { usages[try Reading.relay(address)] = usage }
            return usages
        }
    }

    /// `linnet relays show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print each relay with what it is for, one line of JSON each; with --on, that list.")

        @OptionGroup var list: ListOption
        @OptionGroup var session: AccountSession

        func run() async throws {
            let kind = try list.kind()
            try await session.run { [identifier = list.identifier] account in
                if let kind {
                    let list = try await account.openLists().list(kind, identifier: identifier)
                    return Output.line(ListJSON.text(of: list))
                }
                let list = try await account.ownRelays.current()
                for entry in list.entries { Output.line(text(of: entry, isPublished: list.isPublished)) }
            }
        }

        private func text(of entry: RelayList.Entry, isPublished: Bool) -> String {
            JSONValue.object([
                JSONMember("relay", .string(entry.relay.text)),
                JSONMember("read", .bool(entry.usage.contains(.read))),
                JSONMember("write", .bool(entry.usage.contains(.write))),
                JSONMember("published", .bool(isPublished)),
            ]).text
        }
    }

    /// `linnet relays add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Write to relays and read them from now on.")

        @OptionGroup var relays: Relays
        @Option(name: .customLong("for"), help: "What for.") var use: Use?
        @OptionGroup var list: ListOption
        @OptionGroup var session: AccountSession

        func validate() throws {
            guard use == nil || list.name == nil else { throw ValidationError("--for goes without --on.") }
        }

        func run() async throws { try await change(session, relays.usages((use ?? .both).usage), on: list) }
    }

    /// `linnet relays remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take relays off the list.")

        @OptionGroup var relays: Relays
        @OptionGroup var list: ListOption
        @OptionGroup var session: AccountSession

        func run() async throws { try await change(session, relays.usages([]), on: list) }
    }

    /// `linnet relays mark`.
    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change what relays on the list are for.")

        @Argument(help: "What for.") var use: Use
        @OptionGroup var relays: Relays
        @OptionGroup var session: AccountSession

        func run() async throws { try await change(session, relays.usages(use.usage)) }
    }

    /// `linnet relays publish`.
    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell others where you write and read, if you never did: relays you use that others can reach.")

        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { account in
                guard let event = try await account.ownRelays.begin() else {
                    Output.error("You had told others already: linnet relays shows the list.\n")
                    return
                }
                try await account.report(published: event)
            }
        }
    }

    private static func change(
        _ session: AccountSession, _ usages: [RelayURL: RelayList.Usage], on list: ListOption? = nil
    ) async throws {
        let kind = try list?.kind()
        try await session.run { [identifier = list?.identifier ?? ""] account in
            if let kind {
                let edits = usages.sorted { $0.key < $1.key }.map { relay, usage in
                    RelayMembership.edit(relay, !usage.isEmpty, on: kind)
                }
                return try await ListCommand.change(account, kind, identifier, edits)
            }
            try await account.report(published: try await account.ownRelays.set(usages))
        }
    }
}
