import ArgumentParser

/// The command line, and the only place where the parts are joined.
@main
struct Linnet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "linnet",
        abstract: "Your own home on Nostr.",
        version: Version.text,
        subcommands: [
            ServeCommand.self, LoginLinkCommand.self, RelayCommand.self, BlossomCommand.self, PushProxyCommand.self,
            KeyCommand.self,
            EncodeCommand.self,
            DecodeCommand.self,
            PowCommand.self, VerifyCommand.self, ImportCommand.self, ExportCommand.self, DirectMessageCommand.self,
            CircleCommand.self, NoteCommand.self, NotesCommand.self, PollCommand.self, TrendingCommand.self,
            StreamsCommand.self, NameCommand.self, FollowersCommand.self, EncryptCommand.self, DecryptCommand.self,
            NotificationsCommand.self, PostCommand.self, FilesCommand.self, ReactCommand.self, EmojiCommand.self,
            SearchCommand.self, GifCommand.self, ArticleCommand.self, StatusCommand.self,
            ReportCommand.self, AppsCommand.self, GiftCommand.self,
            ListCommand.self, ForgetCommand.self, RelaysCommand.self, DraftCommand.self,
            AccountCommand.self,
            BackupCommand.self, RestoreCommand.self, SignerCommand.self, BunkerCommand.self, SignURLCommand.self,
            OpenCommand.self, PasteboardCommand.self,
            VersionCommand.self,
        ]
    )

    /// Begins; one verb is another program's.
    static func main() async {
        Descriptors.occupyStandard()
        SignerWake.handOver(CommandLine.arguments)
        // Before there are threads: each that is there already has a heap of its own.
        if let share = heaps(for: CommandLine.arguments.dropFirst().first) {
            FreedMemory.useFewHeaps(forEachProcessor: share)
        }
        Descriptors.raise()
        if let complaint = CommandTree.complaint(about: Array(CommandLine.arguments.dropFirst())) {
            Output.error("Error: \(complaint)\n")
            exit(withError: ExitCode.validationFailure)
        }
        await main(nil)
        if let failure = Output.failure {
            Output.error("Error: \(failure)\n")
            exit(withError: ExitCode.failure)
        }
    }

    /// How many heaps a verb is given for each processor; `nil` leaves the allocator as it is.
    private static func heaps(for verb: String?) -> Int? {
        switch verb {
        // Many threads work for each small request.
        case "push-proxy": 3
        // They work through a file on all processors and end: their threads would wait for each other's heap, and for the
        // system to empty each block of the file's lines anew.
        case "gift", "import", "verify": nil
        default: 1
        }
    }
}
