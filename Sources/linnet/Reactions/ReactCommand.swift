import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet react`: reacts to a note with any emoji.
struct ReactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "react", abstract: "React to a note with an emoji (NIP-25), or take that back.",
        discussion: """
            An emoji of your own or of one of your packs is named :name:. Reactions are public. Without an emoji it is a \
            like. Prints the event it published as a line of JSON; with --list, one line for each reaction there is.
            """)

    @OptionGroup var which: NoteCommand.Which
    @Argument(help: "+, -, one emoji, or :name: of one of yours.") var emoji = "+"
    @Flag(name: .customLong("off"), help: "Take this reaction of yours back.") var isOff = false
    @Flag(name: .customLong("list"), help: "Say who reacted with what instead.") var isList = false

    func validate() throws {
        guard EmojiItem.content(written: emoji) != nil else {
            throw ValidationError(
                "\(Shown.text(emoji)) is not a reaction: give +, -, one emoji, or the :name: of one of yours.")
        }
    }

    func run() async throws {
        // Read already, or this would not run.
        let content = EmojiItem.content(written: emoji) ?? "+"
        if isList { return try await list() }
        try await which.run { [isOff] account, id in
            guard isOff else { return try await account.publishing.react(to: id, with: content) }
            do { return try await account.openReactions().takeBack(content, from: id) } catch let refusal
                as AccountError
                where refusal.code == .unknownEvent
            {
                throw CommandFailure("You have not reacted to this note with \(content).")
            }
        }
    }

    private func list() async throws {
        let pointer = try which.pointer()
        try await which.session.run { account in
            let reactions = try account.openReactions()
            let isKnown = try await isTrue(within: .seconds(15)) {
                try await account.timeline.thread(pointer.id, hints: pointer.relays).focus != nil
            }
            guard isKnown else { throw CommandFailure("No relay asked has the note \(pointer.id.hex).") }
            for group in try await reactions.reactions(to: pointer.id) { Output.line(EmojiJSON.text(of: group)) }
        }
    }
}

extension Account {
    /// Reactions and emoji, or what there is to say when there are none.
    func openReactions() throws -> any ReactionKeeping {
        guard let reactions else { throw CommandFailure("Reactions cannot be looked at with this account.") }
        return reactions
    }
}

/// Reactions and packs as lines of JSON.
enum EmojiJSON {
    /// Reactions that mean the same.
    static func text(of group: ReactionGroup) -> String {
        var members = [
            JSONMember("content", .string(group.content)), JSONMember("count", .number("\(group.count)")),
            JSONMember("own", .bool(group.isOwn)),
            JSONMember("people", .array(group.people.map { .string($0.key.hex) })),
        ]
        if case .customEmoji(let emoji) = group.meaning { members.append(JSONMember("url", .string(emoji.url))) }
        return JSONValue.object(members).text
    }

    /// One pack.
    static func text(of pack: EmojiPack) -> String {
        let address = pack.emojiSet.address
        var members = [
            JSONMember("address", .string(address.description)), JSONMember("title", .string(pack.emojiSet.title)),
            JSONMember("author", .string(address.author.hex)), JSONMember("adopted", .bool(pack.isAdopted)),
            JSONMember("emoji", .array(pack.emojiSet.emoji.map { .string($0.shortcode) })),
        ]
        // A very long identifier has no code; the address still names it.
        if let code = try? NostrEntity.naddr(AddressPointer(address: address)).encoded() {
            members.insert(JSONMember("naddr", .string(code)), at: 0)
        }
        return JSONValue.object(members).text
    }
}
