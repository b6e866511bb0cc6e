import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ViewModels

extension RelaysCommand {
    /// `linnet relays info`.
    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what relays say of themselves (NIP-11) and what came of them, one line of JSON each.")

        @OptionGroup var relays: Relays
        @OptionGroup var session: AccountSession

        func run() async throws {
            let chosen = try relays.addresses.map { try Reading.relay($0) }
            try await session.run(naming: Set(chosen)) { account in
                for relay in chosen {
                    let information = await account.network.information(of: relay)
                    let item = RelayItem(try await account.network.relay(relay))
                    Output.line(Self.text(of: item, information))
                }
            }
        }

        private static func text(of relay: RelayItem, _ information: RelayInformation?) -> String {
            var members = [
                JSONMember("relay", .string(relay.address)), JSONMember("state", .string(relay.health.rawValue)),
                JSONMember("people", .number("\(relay.people)")), JSONMember("events", .number("\(relay.events)")),
                JSONMember("connects", .number("\(relay.connects)")),
                JSONMember("failures", .number("\(relay.failures)")),
            ]
            if let latency = relay.latency { members.append(JSONMember("latency_ms", .number("\(latency)"))) }
            if let problem = relay.problem { members.append(JSONMember("problem", .string(problem))) }
            // What was written by us is read by us.
            if let said = information.flatMap({ try? JSONValue($0.json) }) {
                members.append(JSONMember("information", said))
            }
            return JSONValue.object(members).text
        }
    }

    /// `linnet relays notes`.
    struct Notes: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the newest notes that relays give out, whoever wrote them, one event a line.",
            discussion: "Give one relay's address, or a list: --on relay-feeds, or --on relay-sets -d NAME.")

        @Argument(help: ArgumentHelp("An address that begins with wss:// or ws://.", valueName: "relay"))
        var relay: String?
        @OptionGroup var list: ListOption
        @Option(name: [.customShort("l"), .long], help: "At most so many notes, 1 to 200.") var limit = 100
        @OptionGroup var session: AccountSession

        func validate() throws {
            guard (relay == nil) != (list.name == nil) else { throw ValidationError("Give a relay or a list.") }
            guard (1...200).contains(limit) else { throw ValidationError("A limit is 1 to 200.") }
        }

        func run() async throws {
            let kind = try list.kind()
            let relay = try relay.map { try Reading.relay($0) }
            try await session.run(naming: Set([relay].compactMap(\.self))) {
                [limit, identifier = list.identifier] account in
                let feed =
                    if let kind { try await RelayFeed.list(kind, identifier, of: account) } else {
                        try RelayFeed.one(relay?.text ?? "")
                    }
                // What had come when time was up is better than nothing.
                _ = try await isTrue(within: .seconds(15)) {
                    try await !account.timeline.page(feed.source, before: nil, limit: limit).isLoadingOlder
                }
                let page = try await account.timeline.page(feed.source, before: nil, limit: limit)
                guard !page.notes.isEmpty else { throw CommandFailure("Nothing came from \(feed.words).") }
                for note in page.notes { Output.line(String(decoding: note.event.json, as: UTF8.self)) }
            }
        }
    }

    /// A list of relays other than the one that says where the account writes and reads.
    struct ListOption: ParsableArguments {
        @Option(
            name: .customLong("on"),
            help: ArgumentHelp(
                "A list: blocked-relays, search-relays, relay-feeds, inbox-relays, draft-relays or relay-sets.",
                valueName: "list"))
        var name: String?
        @Option(name: [.customShort("d"), .long], help: "The identifier of a set.") var identifier = ""

        /// Its kind; `nil` for where the account writes and reads.
        func kind() throws -> Kind? {
            guard let name else { return nil }
            let kind = try ListName.kind(name)
            guard RelayMembership.kinds.contains(kind) else {
                throw CommandFailure("'\(name)' is not a list of relays.")
            }
            guard (kind == .relaySets) != identifier.isEmpty else {
                throw CommandFailure("A set of relays has an identifier, given with -d, and nothing else has one.")
            }
            return kind
        }
    }
}
