import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet forget`: drops what is stored here of somebody who is muted.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Delete from this machine what it stores of a person you mute.",
        discussion: """
            Relays keep what they have, and may send it again with conversations; you do not see it while you mute them. \
            Of accounts on this machine, and of people whom one of these follows, nothing is deleted. Prints how many \
            events were.
            """)

    @Argument(help: "Whom: npub1…, nprofile1… or hex.") var person: String
    @OptionGroup var session: AccountSession

    func run() async throws {
        let key = try Reading.key(person)
        let count = try await session.run { account in
            guard let copies = account.copies else {
                throw CommandFailure("Nothing is deleted for this account.")
            }
            // Who is muted privately is known once the account is unlocked and its lists are read.
            let isMuted = try await isTrue(within: .seconds(10)) {
                await account.lists?.mutes().people.contains(key) ?? false
            }
            guard isMuted else { throw CommandFailure("You do not mute this person, so nothing of theirs is deleted.") }
            return try await copies.removeCopies(of: key)
        }
        Output.line(JSONValue.object([JSONMember("deleted", .number("\(count)"))]).text)
    }
}
