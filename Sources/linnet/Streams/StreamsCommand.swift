import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet streams`: live streams and their chats (NIP-53).
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams", abstract: "List live streams, read their chats and write in them (NIP-53).",
        discussion: """
            Works with an account of this machine while no other Linnet uses its directory. Prints one line of JSON per \
            thing. A stream is named by its naddr1….
            """,
        subcommands: [List.self, Show.self, Chat.self, Say.self])

    /// `linnet streams list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the streams that are known: live ones first, then planned ones, then those that ended.")

        @Option(help: ArgumentHelp("Only those that are live, planned or ended.", valueName: "status"))
        var status: String?
        @Option(help: ArgumentHelp("How long to wait for the relays, in seconds.", valueName: "seconds")) var wait = 15
        @OptionGroup var session: AccountSession

        func validate() throws {
            if let status, LiveActivity.Status(rawValue: status) == nil {
                throw ValidationError("--status is live, planned or ended.")
            }
            try Waiting.check(wait)
        }

        func run() async throws {
            try await session.run { [status, wait] account in
                let streams = try account.openStreams()
                _ = try await isTrue(within: .seconds(wait)) { try await !streams.list().isLooking }
                let list = try await streams.list()
                for stream in list.live + list.planned + list.ended
                where status == nil || stream.status.rawValue == status {
                    Output.line(StreamJSON.stream(stream))
                }
            }
        }
    }

    /// Which stream, and how long to wait for its relays.
    struct Which: ParsableArguments {
        @Argument(help: ArgumentHelp("The stream.", valueName: "naddr")) var stream: String
        @Option(help: ArgumentHelp("How long to wait for the relays, in seconds.", valueName: "seconds")) var wait = 15
        @OptionGroup var session: AccountSession

        func validate() throws { try Waiting.check(wait) }

        /// Opens the room, waits until its relays were asked, and does something with it.
        func run(
            _ act: @escaping @Sendable (any Account, any LiveStreaming, LiveRoom) async throws -> Void
        ) async throws {
            guard let pointer = StreamWord.pointer(stream) else {
                throw CommandFailure("\(Shown.text(stream)) is not a live stream: give its naddr1….")
            }
            try await session.run { [wait] account in
                let streams = try account.openStreams()
                _ = try await isTrue(within: .seconds(wait)) {
                    try await !streams.room(pointer.address, hints: pointer.relays).isLoading
                }
                let room = try await streams.room(pointer.address, hints: pointer.relays)
                guard room.stream != nil || room.isMuted else {
                    throw CommandFailure("No relay asked has this stream.")
                }
                try await act(account, streams, room)
            }
        }
    }

    /// `linnet streams show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print what is known of a stream.")
        @OptionGroup var which: Which

        func run() async throws {
            try await which.run { _, _, room in Output.line(StreamJSON.room(room)) }
        }
    }

    /// `linnet streams chat`.
    struct Chat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a stream's chat, oldest first: what was said, and payments that count.")
        @OptionGroup var which: Which

        func run() async throws {
            try await which.run { _, _, room in
                for line in room.lines { Output.line(StreamJSON.line(line)) }
            }
        }
    }

    /// `linnet streams say`.
    struct Say: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Write in a stream's chat; prints the event.")
        @OptionGroup var which: Which
        @Argument(help: "The text; left out or - reads standard input.") var text: String?
        @Option(help: ArgumentHelp("The line it answers, in hex.", valueName: "id")) var reply: String?

        func run() async throws {
            let words = if let text, text != "-" { text } else { try StandardInput.writing() }
            if holdsSecretKey(words) { throw CommandFailure("This text holds a secret key; it was not sent.") }
            let parent = try reply.map { try parentID($0) }
            try await which.run { account, streams, room in
                guard account.canSign else { throw AccountError(.readOnly) }
                try await account.report(
                    published: try await streams.send(words, in: room.address, replyTo: parent))
            }
        }

        private func parentID(_ text: String) throws -> EventID {
            guard let id = try? EventID(hex: text) else {
                throw CommandFailure("--reply takes an event's id in hex, not \(Shown.text(text)).")
            }
            return id
        }
    }
}

extension Account {
    /// The account's live streams.
    ///
    /// - Throws: a ``CommandFailure``.
    fileprivate func openStreams() throws -> any LiveStreaming {
        guard let streams else { throw CommandFailure("This account reads no live streams.") }
        return streams
    }
}
