import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet list`: your own lists (NIP-51).
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show your own lists (NIP-51), put things on them, take things off.",
        discussion: """
            Lists: mutes, pins, bookmarks, blocked-relays, search-relays, relay-feeds, interests, emoji, inbox-relays, \
            draft-relays (private content, always private); sets, which need a name: follow-sets, relay-sets, bookmark-sets, interest-sets, emoji-sets; or the number of \
            a kind. A change reads the newest version from enough relays first, and changes nothing when it cannot. What \
            others may not read is better given on standard input, as -: programs of this machine can read arguments.
            """,
        subcommands: [Show.self, Add.self, Remove.self])

    /// Which list.
    struct Which: ParsableArguments {
        @Argument(help: "Which list.") var list: String
        @Option(name: [.customShort("d"), .long], help: "The identifier of a set.") var identifier = ""

        func kind() throws -> Kind { try ListName.kind(list) }
    }

    /// What to put on it or take off.
    struct Things: ParsableArguments {
        @Argument(
            help: ArgumentHelp(
                "npub, note, nevent, naddr, #topic, a relay's address; for mutes also words. - reads lines.",
                valueName: "thing"))
        var texts: [String]

        func items(for kind: Kind) throws -> [ListItem] {
            var items: [ListItem] = []
            try InputLines(arguments: texts).forEach { items.append(try ListName.item($0, for: kind)) }
            return items
        }
    }

    /// `linnet list show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a list, one line of JSON; without a list, all of them.")

        @Argument(help: "Which list.") var list: String?
        @Option(name: [.customShort("d"), .long], help: "The identifier of a set.") var identifier = ""
        @OptionGroup var session: AccountSession

        func run() async throws {
            let kind = try list.map(ListName.kind)
            try await session.run { [identifier] account in
                let lists = try account.openLists()
                let shown =
                    if let kind { [try await lists.list(kind, identifier: identifier)] } else {
                        try await lists.lists()
                    }
                for list in shown { Output.line(ListJSON.text(of: list)) }
            }
        }
    }

    /// `linnet list add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put things on a list.")

        @OptionGroup var which: Which
        @OptionGroup var things: Things
        @Flag(name: .customLong("private"), help: "Where only you can see them.") var isPrivate = false
        @OptionGroup var session: AccountSession

        func run() async throws {
            let kind = try which.kind()
            let items = try things.items(for: kind)
            try await session.run { [which, isPrivate] account in
                try await change(account, kind, which.identifier, items.map { .add($0, isPrivate: isPrivate) })
            }
        }
    }

    /// `linnet list remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take things off a list, from both its parts.")

        @OptionGroup var which: Which
        @OptionGroup var things: Things
        @OptionGroup var session: AccountSession

        func run() async throws {
            let kind = try which.kind()
            let items = try things.items(for: kind)
            try await session.run { [which] account in
                try await change(account, kind, which.identifier, items.map { .remove($0) })
            }
        }
    }

    /// Makes the changes, waits a moment for the relays, and prints the event that is in force now.
    static func change(
        _ account: any Account, _ kind: Kind, _ identifier: String, _ edits: [ListEdit]
    ) async throws {
        let lists = try account.openLists()
        var event: Event?
        for edit in edits { event = try await lists.change(kind, identifier: identifier, edit) }
        guard let event else { return }
        try await account.report(published: event)
    }
}

/// Lists as lines of JSON.
enum ListJSON {
    /// One list with both its parts, the things as tags.
    static func text(of list: PersonalList) -> String {
        var members = [
            JSONMember("list", .string(ListName.name(of: list.address.kind))),
            JSONMember("kind", .number("\(list.address.kind.rawValue)")),
        ]
        if !list.address.identifier.isEmpty {
            members.append(JSONMember("identifier", .string(list.address.identifier)))
        }
        if !list.title.isEmpty { members.append(JSONMember("title", .string(list.title))) }
        members.append(JSONMember("public", tags(list.publicItems)))
        switch list.privatePart {
        case .none: break
        case .open: members.append(JSONMember("private", tags(list.privateItems)))
        case .locked: members.append(JSONMember("private_part", .string("locked")))
        case .unreadable: members.append(JSONMember("private_part", .string("unreadable")))
        }
        if list.unknownEntries > 0 { members.append(JSONMember("unknown", .number("\(list.unknownEntries)"))) }
        if let changed = list.changedAt { members.append(JSONMember("changed_at", .number("\(changed.seconds)"))) }
        return JSONValue.object(members).text
    }

    private static func tags(_ items: [ListItem]) -> JSONValue {
        .array(items.map { item in .array(item.tag.elements.map { .string($0) }) })
    }
}
