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
        FreedMemory.useFewHeaps(forEachProcessor: CommandLine.arguments.dropFirst().first == "push-proxy" ? 3 : 1)
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
}
