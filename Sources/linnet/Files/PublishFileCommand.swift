import ArgumentParser
import NostrClient
internal import NostrNIPs
import ViewModels

/// `linnet files publish`: a file as an event of its own.
struct PublishFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Publish an uploaded file as an event of its own (NIP-94, kind 1063).",
        discussion: "Others find the file, and GIFs among them, by the words and the #topics in them. Prints the event."
    )

    @Argument(help: "Its SHA-256, or its address, as linnet files list prints it.") var file: String
    @Argument(help: "What to say about it; without it, what was said when it was uploaded.") var text = ""
    @OptionGroup var session: AccountSession

    func run() async throws {
        let hash = try FilesCommand.blob(file)
        try Secrets.refuse(in: [text])
        try await session.run { [text] account in
            guard account.canSign, let files = account.files else { throw AccountError(.readOnly) }
            guard let upload = try await files.uploads().first(where: { $0.file.stored?.hash == hash.hex }) else {
                throw CommandFailure(FileWords.unknown)
            }
            try await account.report(published: try await files.publish(upload.file.id, saying: text))
        }
    }
}
