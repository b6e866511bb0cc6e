import ArgumentParser
import Foundation
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet article`: long texts (NIP-23).
struct ArticleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "article", abstract: "Read articles (NIP-23), list somebody's, publish your own from Markdown.",
        subcommands: [Show.self, List.self, Publish.self])

    /// `linnet article show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an article: its event as a line of JSON, or its Markdown alone.")
        @Argument(help: ArgumentHelp("The article: naddr1….", valueName: "naddr")) var code: String
        @Flag(help: "Print the text alone, in Markdown, as its author wrote it.") var markdown = false
        @OptionGroup var session: AccountSession

        func run() async throws {
            let text = code.hasPrefix("nostr:") ? String(code.dropFirst(6)) : code
            // What does not decode gets the sentence.
            guard case .naddr(let pointer) = try? NostrEntity(text),
                [Article.kind, Article.draftKind].contains(pointer.address.kind)
            else { throw CommandFailure("\(Shown.text(code)) is not an article: give naddr1….") }
            try await session.run { [markdown] account in
                guard let event = try await account.openArticles().article(at: pointer) else {
                    throw CommandFailure("None of the relays that were asked has this article.")
                }
                Output.line(markdown ? event.content : String(decoding: event.json, as: UTF8.self))
            }
        }
    }

    /// `linnet article list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print somebody's articles, newest first, a line of JSON each; without anybody, your own.")
        @Argument(help: ArgumentHelp("Whose: npub or hex.", valueName: "npub")) var author: String?
        @OptionGroup var session: AccountSession

        func run() async throws {
            let key = try author.map(Reading.key)
            try await session.run { account in
                for event in try await account.openArticles().articles(of: key ?? account.publicKey) {
                    if let line = ArticleJSON.line(event) { Output.line(line) }
                }
            }
        }
    }

    /// `linnet article publish`.
    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish a file of Markdown as an article.",
            discussion: """
                The title is the file's first heading of the first level, which is left out of the text then, or --title. \
                Publishing under the same identifier replaces the article there; without -d it is made of the title. HTML \
                in the file stays text for readers.
                """)
        @Argument(help: "The file; - for standard input.") var file: String
        @Option(help: "The title.") var title: String?
        @Option(help: "What it is about, in a sentence or two.") var summary = ""
        @Option(help: "The address of a picture beside the title.") var image = ""
        @Option(name: .customLong("topic"), help: "A topic, without #; may be given several times.")
        var topics: [String] = []
        @Option(name: [.customShort("d"), .long], help: "Which of your articles this is.") var identifier = ""
        @OptionGroup var session: AccountSession

        /// More than relays take; a file beyond is no article.
        private static let longest = 1_000_000

        func run() async throws {
            let article = try draft(of: try read())
            try await session.run { account in
                guard account.canSign else { throw AccountError(.readOnly) }
                try await account.report(published: try await account.openArticles().publish(article))
            }
        }

        /// The article a text makes.
        func draft(of text: String) throws -> ArticleDraft {
            let document = MarkdownDocument(text)
            guard let title = title ?? document.firstHeading, !title.isEmpty else {
                throw CommandFailure("The file does not begin with a heading: give the title with --title.")
            }
            let markdown = self.title == nil ? Self.withoutTitle(text) : text
            guard markdown.contains(where: { !$0.isWhitespace }) else {
                throw CommandFailure("There is nothing to publish: the file holds no text.")
            }
            let article = ArticleDraft(
                identifier: identifier, title: title, summary: summary, image: image,
                hashtags: topics.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }, markdown: markdown)
            guard !article.identifier.isEmpty else {
                throw CommandFailure("No identifier can be made from the title: give one with -d.")
            }
            return article
        }

        private func read() throws -> String {
            let handle = try file == "-" ? FileHandle.standardInput : Reading.open(file, "a file of Markdown")
            let bytes = try handle.read(upToCount: Self.longest + 1) ?? Data()
            guard bytes.count <= Self.longest else {
                throw CommandFailure("The text is too long: relays take less than a megabyte.")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure("The text is not UTF-8.")
            }
            return text
        }

        /// The text without its first line when that is the heading the title comes from.
        static func withoutTitle(_ text: String) -> String {
            let body = text.drop { $0.isWhitespace || $0.isNewline }
            guard body.hasPrefix("# ") else { return text }
            return String(body.drop { !$0.isNewline }.drop { $0.isWhitespace || $0.isNewline })
        }
    }
}

/// Articles as lines of JSON.
enum ArticleJSON {
    /// What an article is called and where it is found; `nil` for what is none.
    static func line(_ event: Event) -> String? {
        guard let article = Article(event) else { return nil }
        var members = [
            JSONMember("title", .string(article.title ?? "")),
            JSONMember("identifier", .string(article.address.identifier)),
            JSONMember("summary", .string(article.summary ?? "")),
            JSONMember("published_at", .number("\((article.publishedAt ?? article.updatedAt).seconds)")),
            JSONMember("updated_at", .number("\(article.updatedAt.seconds)")),
            JSONMember("topics", .array(article.hashtags.map { .string($0) })),
            JSONMember("id", .string(event.id.hex)), JSONMember("pubkey", .string(event.pubkey.hex)),
        ]
        // An identifier too long for a code has none.
        if let code = try? NostrEntity.naddr(AddressPointer(address: article.address)).encoded() {
            members.append(JSONMember("naddr", .string(code)))
        }
        if article.isDraft { members.append(JSONMember("draft", .bool(true))) }
        return JSONValue.object(members).text
    }
}

extension Account {
    /// The account's articles.
    ///
    /// - Throws: a ``CommandFailure``.
    func openArticles() throws -> any ArticleKeeping {
        guard let articles else { throw CommandFailure("This account reads no articles.") }
        return articles
    }
}
