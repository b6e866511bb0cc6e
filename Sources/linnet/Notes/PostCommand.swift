import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet post`: publishes notes, pictures and films.
struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Publish a note, pictures or a film.",
        discussion: """
            Files are named by their address; nothing is uploaded. Say with --alt what can be seen or heard in each, in the \
            order of the files, for people who cannot. Prints the event as a line of JSON.
            """,
        subcommands: [NoteOfWords.self, Picture.self, Film.self])

    /// What is posted, and whose account.
    struct What: ParsableArguments {
        @Argument(help: "The text; - reads standard input.") var text: String = ""
        @Option(
            name: [.customLong("file"), .customLong("picture"), .customLong("film")],
            help: ArgumentHelp("The address of a file; may be given again.", valueName: "url"))
        var files: [String] = []
        @Option(help: "What can be seen or heard in the file; one for each, in their order.") var alt: [String] = []
        @Option(help: ArgumentHelp("Put a content warning before it (NIP-36).", valueName: "reason"))
        var warning: String?
        @OptionGroup var session: AccountSession

        /// Publishes it, waits a moment for the relays, and prints it.
        func publish(as post: MediaPost?) async throws {
            try Secrets.refuse(in: [text, warning ?? "", post?.title ?? ""] + alt + files)
            guard alt.count <= files.count else { throw CommandFailure("There are more --alt than files.") }
            guard post == nil || !files.isEmpty else {
                throw CommandFailure("Name what is to be shown: --file https://….")
            }
            let words = try text == "-" ? StandardInput.writing() : text
            guard !words.holdsSecretKey else { throw CommandFailure("This holds a secret key; it belongs in no note.") }
            var composition = Composition(text: words, contentWarning: warning, mediaPost: post)
            for (place, file) in files.enumerated() {
                do throws(Trouble) {
                    try composition.attach(file, description: place < alt.count ? alt[place] : "")
                } catch { throw CommandFailure("\(Shown.text(file)): \(error.sentence)") }
            }
            let written = composition
            try await session.run { account in
                guard account.canSign else { throw AccountError(.readOnly) }
                try await account.report(published: try await account.publishing.publish(written))
            }
        }
    }

    /// `linnet post note`.
    struct NoteOfWords: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "note", abstract: "Publish a note, with files if any (NIP-92).")
        @OptionGroup var what: What

        func run() async throws { try await what.publish(as: nil) }
    }

    /// `linnet post picture`.
    struct Picture: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish pictures as a post of their own (NIP-68).", aliases: ["pictures"])
        @Option(help: "The title.") var title = ""
        @OptionGroup var what: What

        func run() async throws { try await what.publish(as: MediaPost(.pictures, title: title)) }
    }

    /// `linnet post film`.
    struct Film: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish a film (NIP-71).", aliases: ["video"])
        @Option(help: "The title.") var title: String
        @Flag(help: "It is a short one, mostly upright.") var short = false
        @OptionGroup var what: What

        func run() async throws { try await what.publish(as: MediaPost(short ? .short : .film, title: title)) }
    }
}
