import ArgumentParser
import Foundation
import NostrCore
import NostrSigner

/// `linnet pasteboard`: what is too long for a signer link, exchanged under a token.
struct PasteboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pasteboard", abstract: "Exchange with the signer what is too long for a link (pb=).",
        discussion: """
            An app puts its payload there and names the token in its link as pb=; the signer takes it, and puts the result \
            under the same token. What lies there is local, handed out once, and gone after two minutes.
            """, subcommands: [Put.self, Take.self])

    /// `linnet pasteboard put`.
    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put standard input there and print its token.")

        @Option(help: "The token to put it under (default: one that nobody guesses).") var token: String?
        @OptionGroup var data: DataDirectory.Options

        func run() async throws {
            var random = SystemRandomNumberGenerator()
            let token = token ?? encodeHex(randomBytes(16, using: &random))
            guard PasteboardRules.isToken(token) else {
                throw CommandFailure("A token is 1 to 128 printable ASCII characters.")
            }
            // A byte more than is taken shows that there is too much.
            let bytes = FileHandle.standardInput.readData(ofLength: PasteboardRules.longest + 1)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure("What goes there must be text in UTF-8.")
            }
            let directory = data.directory()
            try directory.prepare()
            try await LocalPasteboard(directory).put(text, under: token, expires: PasteboardRules.lifetime)
            Output.line(token)
        }
    }

    /// `linnet pasteboard take`.
    struct Take: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print what lies under a token, and take it away.")

        @Argument(help: "The token; of result_ref=pb:… what stands behind the colon.") var token: String
        @OptionGroup var data: DataDirectory.Options

        func run() async throws {
            let name = token.hasPrefix("pb:") ? String(token.dropFirst(3)) : token
            guard let text = try await LocalPasteboard(data.directory()).text(under: name) else {
                throw CommandFailure("There is nothing under this token: it was taken, or two minutes have passed.")
            }
            Output.text(text)
        }
    }
}
