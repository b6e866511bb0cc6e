import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet emoji`: the packs of emoji you use.
struct EmojiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emoji", abstract: "List, adopt and leave packs of custom emoji (NIP-30, NIP-51).",
        discussion: """
            Packs are emoji sets (kind 30030); those you use stand on your emoji list (kind 10030), where everybody can \
            see them. Emoji of a pack of your own are added with linnet list add emoji-sets -d NAME.
            """,
        subcommands: [List.self, Adopt.self, Leave.self])

    /// `linnet emoji list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print your packs, one line of JSON each.")
        @Flag(help: "Packs of people you follow instead.") var found = false
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [found] account in
                let reactions = try account.openReactions()
                if found {
                    for pack in try await reactions.packsOfFollows() { Output.line(EmojiJSON.text(of: pack)) }
                    return
                }
                let packs = try await reactions.packs()
                for pack in packs.adopted + packs.own { Output.line(EmojiJSON.text(of: pack)) }
            }
        }
    }

    /// Which pack, and whose account.
    struct Which: ParsableArguments {
        @Argument(help: "The pack: naddr1… or 30030:pubkey:name.") var pack: String
        @OptionGroup var session: AccountSession

        /// Reads what was named.
        func pointer() throws -> AddressPointer {
            let text = pack.hasPrefix("nostr:") ? String(pack.dropFirst(6)) : pack
            // What is no code is read as an address.
            if case .naddr(let pointer)? = try? NostrEntity(text), pointer.address.kind == .emojiSets { return pointer }
            if let address = EventAddress(text), address.kind == .emojiSets { return AddressPointer(address: address) }
            throw CommandFailure("\(Shown.text(pack)) is not an emoji pack: give naddr1… or 30030:pubkey:name.")
        }

        func set(_ isAdopted: Bool) async throws {
            let pointer = try pointer()
            try await session.run { account in
                let reactions = try account.openReactions()
                if isAdopted, try await reactions.pack(pointer) == nil {
                    throw CommandFailure("None of the relays that were asked has this pack.")
                }
                try await account.report(published: try await reactions.setAdopted(pointer, isAdopted))
            }
        }
    }

    /// `linnet emoji adopt`.
    struct Adopt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Use a pack: put it on your emoji list.")
        @OptionGroup var which: Which

        func run() async throws { try await which.set(true) }
    }

    /// `linnet emoji leave`.
    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Stop using a pack: take it off your emoji list.")
        @OptionGroup var which: Which

        func run() async throws { try await which.set(false) }
    }
}
