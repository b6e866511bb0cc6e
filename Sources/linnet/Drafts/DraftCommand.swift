import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet draft`: drafts (NIP-37) and where they go.
struct DraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft", abstract: "List, keep and delete drafts (NIP-37), and say where they go.",
        discussion: """
            Drafts rest encrypted on this machine, and go to the relays for private content (linnet list show \
            draft-relays) where there are any. Prints one line of JSON per thing.
            """,
        subcommands: [List.self, Save.self, Earlier.self, Delete.self, Relays.self, Search.self])

    /// Which draft.
    struct Which: ParsableArguments {
        @Argument(help: "The draft's id, as linnet draft list prints it.") var id: String
    }

    /// `linnet draft list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the drafts, the one written last first.",
            discussion: "Looks for drafts of your other devices and apps on relays first, for as long as --wait says.")

        @Flag(help: "Print what is here without asking relays.") var offline = false
        @Option(help: ArgumentHelp("How long to look, in seconds.", valueName: "seconds")) var wait = 5
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [offline, wait] account in
                let drafts = try await account.openDrafts()
                if !offline { try await account.gather(for: .seconds(max(0, wait))) }
                for draft in try await drafts.drafts() { Output.line(DraftLine.text(of: draft)) }
            }
        }
    }

    /// `linnet draft save`.
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Keep a note for later, anew or in place of another.")

        @Argument(help: "The text; left out or - reads standard input.") var text: String?
        @Option(name: [.customShort("d"), .long], help: "The draft it takes the place of.") var id: String?
        @OptionGroup var session: AccountSession

        func run() async throws {
            try Secrets.refuse(in: [text ?? "", id ?? ""])
            let words =
                if let text, text != "-" { text } else { try StandardInput.writing() }
            guard words.contains(where: { !$0.isWhitespace }) else {
                throw CommandFailure("There is nothing to keep yet.")
            }
            guard !words.holdsSecretKey else { throw CommandFailure("This holds a secret key; it belongs in no note.") }
            try await session.run { [id] account in
                let kept = try await account.openDrafts().saveDraft(Composition(text: words), id: id)
                Output.line(DraftLine.text(of: kept))
                try await account.leave()
            }
        }
    }

    /// `linnet draft earlier`.
    struct Earlier: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print earlier states of a draft that other programs kept (kind 1234).")

        @OptionGroup var which: Which
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [id = which.id] account in
                for state in try await account.openDrafts().checkpoints(of: id) {
                    Output.line(DraftLine.text(of: state))
                }
            }
        }
    }

    /// `linnet draft delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a draft, here and on its relays.")

        @OptionGroup var which: Which
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [id = which.id] account in
                let drafts = try await account.openDrafts()
                guard try await drafts.drafts().contains(where: { $0.id == id }) else {
                    throw CommandFailure(
                        "There is no draft \(Shown.text(id)) here: linnet draft list prints those there are.")
                }
                try await drafts.deleteDraft(id)
                try await account.leave()
            }
        }
    }

    /// `linnet draft relays`.
    struct Relays: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print where drafts go, or send them to relays from now on.",
            discussion: """
                Relays that are given are put on the list for private content (kind 10013), which only you can read. Best \
                are relays that ask who reads; those you write on that do are printed as offered.
                """)

        @Argument(help: "Relays to keep drafts on.") var relays: [String] = []
        @Flag(help: "Keep drafts on this machine alone, and ask no more.") var here = false
        @OptionGroup var session: AccountSession

        func validate() throws {
            if here && !relays.isEmpty { throw ValidationError("Give relays or --here, not both.") }
        }

        func run() async throws {
            let given = try relays.map(Reading.relay)
            try await session.run { [here] account in
                let drafts = try await account.openDrafts()
                if here { try await drafts.keepHere() }
                if !given.isEmpty { try await drafts.keep(on: given) }
                Output.line(DraftLine.text(of: try await drafts.relays()))
                if !given.isEmpty { try await account.leave() }
            }
        }
    }

    /// `linnet draft search`.
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say which relays are searched for drafts of other apps, beside your own.",
            discussion: "With --none no others are asked. linnet draft relays prints them.")

        @Argument(help: "The relays.") var relays: [String] = []
        @Flag(help: "Search no others.") var none = false
        @OptionGroup var session: AccountSession

        func validate() throws {
            if none == !relays.isEmpty { throw ValidationError("Give relays, or --none.") }
            if relays.count > DraftsPage.mostSearched {
                throw ValidationError("Give at most \(DraftsPage.mostSearched) relays.")
            }
        }

        func run() async throws {
            let given = try relays.map(Reading.relay)
            try await session.run { account in
                let drafts = try await account.openDrafts()
                try await drafts.search(given)
                Output.line(DraftLine.text(of: try await drafts.relays()))
            }
        }
    }
}

/// Drafts as lines of JSON.
enum DraftLine {
    static func text(of draft: NoteDraft) -> String {
        var members = [
            JSONMember("id", .string(draft.id)), JSONMember("kind", .number("\(draft.kind.rawValue)")),
            JSONMember("content", .string(draft.composition.text)),
            JSONMember("changed_at", .number("\(draft.changedAt.seconds)")),
        ]
        if let reply = draft.composition.replyTo { members.append(JSONMember("reply_to", .string(reply.hex))) }
        if let quote = draft.composition.quote { members.append(JSONMember("quote", .string(quote.hex))) }
        if !draft.media.isEmpty {
            members.append(JSONMember("media", .array(draft.media.map { .string($0) })))
        }
        if let expires = draft.expires { members.append(JSONMember("expiration", .number("\(expires.seconds)"))) }
        if draft.hasCheckpoints { members.append(JSONMember("earlier", .bool(true))) }
        return JSONValue.object(members).text
    }

    static func text(of relays: DraftRelays) -> String {
        func list(_ relays: [RelayURL]) -> JSONValue { .array(relays.map { .string($0.text) }) }
        return JSONValue.object([
            JSONMember("relays", list(relays.kept)), JSONMember("offered", list(relays.offered)),
            JSONMember("searched", list(relays.searched)),
        ]).text
    }
}

extension Account {
    /// The account's drafts.
    ///
    /// - Throws: a ``CommandFailure``.
    fileprivate func openDrafts() async throws -> any DraftKeeping {
        guard canSign else { throw CommandFailure("This account has no key, so it has no drafts.") }
        // The vault of a large account is read for a while.
        _ = try await isTrue(within: .seconds(15)) { await messagingState()?.vault != .opening }
        guard let drafts else { throw CommandFailure("This account is locked; unlock it to read drafts.") }
        return drafts
    }

    /// Lets what was just written go out, as far as it does within a moment; the rest stays queued.
    fileprivate func leave() async throws {
        _ = try await isTrue(within: .seconds(5)) { await network.connection().queued == 0 }
    }

    /// Waits while relays are asked.
    fileprivate func gather(for time: Duration) async throws {
        _ = try await isTrue(within: time) { false }
    }
}
