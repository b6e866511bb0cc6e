import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet gif`: GIFs that people published (NIP-94), and those of a host.
struct GifCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gif", abstract: "Find GIFs on relays (NIP-94), and at a host where you have a key for it.",
        subcommands: [Search.self, Key.self], defaultSubcommand: Search.self)

    /// `linnet gif search`.
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print GIFs that fit some words, one line of JSON each; without words the newest.",
            discussion: """
                Each line has "url", "title", "alt", "dim", "size" and "source", which is relays or host; what nobody says \
                is null. Relays need no key. With --host that host is asked, too, with the key kept for it (linnet gif \
                key). Ends with 1 when nothing was found. linnet post note --file takes an address from here.
                """)

        @Argument(help: ArgumentHelp("What it should show.", valueName: "word")) var words: [String] = []
        @Option(help: ArgumentHelp("A host to ask, such as \(GifHostChoice.usualAddress).", valueName: "url"))
        var host: String?
        @Option(help: "For whom the host's GIFs may be: g, pg, pg-13 or r.") var rating = "g"
        @Option(name: [.customShort("l"), .long], help: "So many at most of each source, 1 to 50.") var limit = 24
        @OptionGroup var session: AccountSession

        func validate() throws {
            guard (1...50).contains(limit) else { throw ValidationError("--limit takes 1 to 50.") }
            guard GifHostChoice.Rating(rawValue: rating) != nil else {
                throw ValidationError("--rating takes g, pg, pg-13 or r.")
            }
        }

        func run() async throws {
            try Secrets.refuse(in: words)
            let choice = try choice()
            let text = words.joined(separator: " ")
            let found = try await session.run { [limit] account in
                guard let gifs = account.gifs else { throw CommandFailure(GifWords.none) }
                var found = try await gifs.search(text, limit: limit)
                if let choice {
                    // The vault of a large account is read for a while.
                    _ = try await isTrue(within: .seconds(15)) { account.gifHost != nil }
                    guard let host = account.gifHost else { throw CommandFailure(GifWords.locked) }
                    guard try await host.hasKey() else {
                        throw CommandFailure("There is no key for the host yet: keep one with linnet gif key.")
                    }
                    do {
                        found += try await host.search(text, at: choice, limit: limit)
                    } catch let problem as GifHostProblem {
                        throw CommandFailure(problem.sentence)
                    }
                }
                return found
            }
            for gif in found { Output.line(GifCommand.text(of: gif)) }
            if found.isEmpty { throw ExitCode.failure }
        }

        private func choice() throws -> GifHostChoice? {
            guard let host else { return nil }
            guard let address = GifHostChoice.address(written: host), !address.isEmpty else {
                throw CommandFailure(GifWords.noHost)
            }
            return GifHostChoice(address: address, rating: GifHostChoice.Rating(rawValue: rating) ?? .g)
        }
    }

    /// `linnet gif key`.
    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep the key for a host of GIFs, encrypted; it is read from standard input.")
        @Flag(help: "Forget the key instead.") var forget = false
        @OptionGroup var session: AccountSession

        func run() async throws {
            let key = try forget ? nil : StandardInput.firstLine() ?? ""
            try await session.run { account in
                // The vault of a large account is read for a while.
                _ = try await isTrue(within: .seconds(15)) { account.gifHost != nil }
                guard let host = account.gifHost else { throw CommandFailure(GifWords.locked) }
                do { try await host.setKey(key) } catch let problem as GifHostProblem {
                    throw CommandFailure(problem.sentence)
                }
            }
        }
    }

    private static func text(of gif: Gif) -> String {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return JSONValue.object([
            JSONMember("url", .string(gif.file.url)), JSONMember("title", .string(gif.title)),
            JSONMember("alt", text(gif.file.description)), JSONMember("dim", text(gif.file.dimensions?.text)),
            JSONMember("size", gif.file.byteCount.map { .number("\($0)") } ?? .null),
            JSONMember("source", .string(gif.source.rawValue)),
        ]).text
    }
}
