import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet followers`: who follows somebody, as far as that is known on this machine.
struct FollowersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers", abstract: "Print who follows somebody, by the lists of follows on this machine.",
        discussion: """
            Relays are not asked, and nobody knows everyone who follows somebody. One line of JSON for each ("pubkey", \
            "name", "followed"), those you follow first; muted people are left out. Ends with 1 when no list on this \
            machine names that person.
            """)

    @Argument(help: ArgumentHelp("Whom they follow: npub or hex; yourself without it.", valueName: "npub"))
    var key: String?
    @OptionGroup var session: AccountSession

    func run() async throws {
        try Secrets.refuse(in: [key].compactMap(\.self))
        let wanted = try key.map(Reading.key)
        let found = try await session.run { account in
            try await account.people.followers(of: wanted ?? account.publicKey)
        }
        for person in found.people {
            Output.line(
                JSONValue.object([
                    JSONMember("pubkey", .string(person.key.hex)),
                    JSONMember("name", .string(PersonItem(person).name)),
                    JSONMember("followed", .bool(person.isFollowed)),
                ]).text)
        }
        if found.people.isEmpty { throw ExitCode.failure }
    }
}
