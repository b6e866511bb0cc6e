import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet note`: what you say about a note in public, and how you take it back.
struct NoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Like, repost, report a note; take a like or repost back; delete your own.",
        discussion: """
            Taking back and deleting publish a deletion request (NIP-09) for your own events alone: relays are asked to \
            forget them, and those that do not may keep them. Each verb prints the event it published as a line of JSON.
            """,
        subcommands: [Like.self, Unlike.self, Repost.self, Unrepost.self, Report.self, Delete.self])

    /// Which note, and whose account.
    struct Which: ParsableArguments {
        @Argument(help: "The note: hex, note1… or nevent1….") var note: String
        @OptionGroup var session: AccountSession

        /// Reads what was named.
        func pointer() throws -> EventPointer {
            let text = note.hasPrefix("nostr:") ? String(note.dropFirst(6)) : note
            // What is no code is read as hex.
            switch try? NostrEntity(text) {
            case .note(let id): return EventPointer(id: id)
            case .nevent(let pointer): return pointer
            default: break
            }
            guard let id = try? EventID(hex: text) else {
                throw CommandFailure("\(Shown.text(note)) is not a note: give hex, note1… or nevent1….")
            }
            return EventPointer(id: id)
        }

        /// Looks the note up, does something with it, waits a moment for the relays, and prints what was published.
        func run(_ act: @escaping @Sendable (any Account, EventID) async throws -> Event) async throws {
            let pointer = try pointer()
            try await session.run { account in
                guard account.canSign else { throw AccountError(.readOnly) }
                let isKnown = try await isTrue(within: .seconds(15)) {
                    try await account.timeline.named(pointer.id, hints: pointer.relays) != nil
                }
                guard isKnown else { throw CommandFailure("No relay asked has the note \(pointer.id.hex).") }
                try await account.report(published: try await act(account, pointer.id))
            }
        }
    }

    /// `linnet note like`.
    struct Like: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Like a note (NIP-25).")
        @OptionGroup var which: Which
        @Option(help: "Another reaction: - or an emoji.") var reaction = "+"

        func run() async throws {
            try await which.run { [reaction] account, id in
                try await account.publishing.react(to: id, with: reaction)
            }
        }
    }

    /// `linnet note unlike`.
    struct Unlike: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take back what you reacted to a note.")
        @OptionGroup var which: Which

        func run() async throws {
            try await which.run { account, id in
                try await NoteCommand.named("You have not reacted to this note.") {
                    try await account.publishing.unreact(to: id)
                }
            }
        }
    }

    /// `linnet note repost`.
    struct Repost: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Repost a note (NIP-18).")
        @OptionGroup var which: Which

        func run() async throws { try await which.run { try await $0.publishing.repost($1) } }
    }

    /// `linnet note unrepost`.
    struct Unrepost: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take back your repost of a note.")
        @OptionGroup var which: Which

        func run() async throws {
            try await which.run { account, id in
                try await NoteCommand.named("You have not reposted this note.") {
                    try await account.publishing.unrepost(id)
                }
            }
        }
    }

    /// `linnet note report`.
    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report a note and its author (NIP-56), in public.")
        @OptionGroup var which: Which
        @Option(help: "nudity, malware, profanity, illegal, spam, impersonation or other.") var reason: String
        @Option(help: "More about it.") var text = ""

        func run() async throws {
            guard let reason = NostrNIPs.Report.Reason(rawValue: reason) else {
                let all = NostrNIPs.Report.Reason.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure("'\(reason)' is not a reason: give one of \(all).")
            }
            try await which.run { [text] in try await $0.publishing.report($1, for: reason, text: text) }
        }
    }

    /// `linnet note delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a note of your own (NIP-09).")
        @OptionGroup var which: Which

        func run() async throws { try await which.run { try await $0.publishing.delete([$1]) } }
    }

    /// Does something, and says what it means that there was nothing to do it with.
    private static func named(_ sentence: String, _ body: () async throws -> Event) async throws -> Event {
        do { return try await body() } catch let refusal as AccountError where refusal.code == .unknownEvent {
            throw CommandFailure(sentence)
        }
    }
}
