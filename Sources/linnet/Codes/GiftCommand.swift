import ArgumentParser
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// `linnet gift`: puts events into gift wraps and takes them out.
struct GiftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gift", abstract: "Put an event into a gift wrap, or take it out (NIP-59).",
        discussion: "Nothing is sent: wraps are printed and read.", subcommands: [Wrap.self, Unwrap.self])

    /// `linnet gift wrap`.
    struct Wrap: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Wrap events for recipients, one wrap each.",
            discussion: """
                Reads events from standard input, one JSON object per line: kind, and what there is of created_at, tags \
                and content. They become unsigned events of this key, one and the same for all recipients. Prints one \
                wrap per line. What somebody else signed is refused: wrapping it would put it into your own mouth.
                """)

        @Option(
            name: [
                .customShort("p"), .customLong("recipient-pubkey"), .customLong("to"), .customLong("pubkey"),
                .customLong("target"), .customLong("tgt"),
            ], help: ArgumentHelp("Who is to open it; may be given several times.", valueName: "key"))
        var recipients: [String]
        @Flag(help: "Make wraps that relays pass on and do not store (kind 21059).") var ephemeral = false
        @OptionGroup var secret: SecretSource

        func validate() throws {
            if recipients.isEmpty { throw ValidationError("Give at least one recipient with -p.") }
        }

        func run() throws {
            try Secrets.refuse(in: recipients)
            let people = try recipients.map(Reading.key)
            let key = try secret.secretKey(inputIsTaken: true)
            var random = SystemRandomNumberGenerator()
            try InputLines(arguments: []).forEach { line in
                let rumor = try DraftJSON.rumor(of: line, by: key.publicKey, now: .current)
                do {
                    for person in people {
                        let wrap = try GiftWrap.make(
                            rumor, by: key, for: person, now: .current, expiration: rumor.tags.expiration,
                            isEphemeral: ephemeral, using: &random)
                        Output.line(String(decoding: wrap.json, as: UTF8.self))
                    }
                } catch let error as PayloadError {
                    throw CommandFailure(error.sentence)
                }
            }
        }
    }

    /// `linnet gift unwrap`.
    struct Unwrap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open gift wraps and print the events in them.",
            discussion: """
                Prints each event in a wrap as one line of JSON, unsigned as it was. Wrap, seal and event are checked; each \
                line that is not believed is told as LINE: reason on standard error, and the exit status is then 1.
                """)

        @OptionGroup var input: EventFile
        @OptionGroup var secret: SecretSource

        func run() async throws {
            try Secrets.refuse(in: [input.file])
            let signer = LocalSigner(try secret.secretKey(inputIsTaken: input.file == "-"))
            var failed = false
            try await forEachBlock(of: try input.open(), window: 8) { block in
                let checked = CheckedLines(block)
                return (checked, try await signer.open(checked.events.map(\.event)))
            } report: { checked, outcomes in
                var bad = checked.bad
                for (line, outcome) in zip(checked.events.map(\.line), outcomes) {
                    switch outcome {
                    case .success(let gift): Output.line(gift.rumor.json)
                    case .failure(let rejection): bad.append(BadLine(number: line, reason: rejection.reason))
                    }
                }
                failed = failed || !bad.isEmpty
                for line in bad.sorted(by: { $0.number < $1.number }) { Output.error(line.report) }
            }
            if failed { throw ExitCode.failure }
        }
    }
}

/// Events as people and programs write them by hand: not all fields are there.
enum DraftJSON {
    /// The unsigned event that one line of JSON stands for.
    static func rumor(of line: String, by author: PublicKey, now: Timestamp) throws -> Rumor {
        // What is no JSON gets the sentence below.
        guard let value = try? JSONValue(Array(line.utf8)),
            let kind = value["kind"]?.integer.flatMap(UInt16.init(exactly:)),
            let tags = tags(of: value["tags"])
        else { throw CommandFailure("This is not the JSON object of an event with a kind.") }
        if let claimed = value["pubkey"]?.string, claimed != author.hex {
            throw CommandFailure("This event is by another key than the one that wraps it.")
        }
        let moment = value["created_at"]?.integer.map(Timestamp.init(seconds:)) ?? now
        guard moment.seconds >= 0 else { throw CommandFailure("This event is older than time.") }
        return Rumor(
            EventDraft(kind: Kind(kind), tags: tags, content: value["content"]?.string ?? "", createdAt: moment),
            author: author)
    }

    private static func tags(of value: JSONValue?) -> [NostrCore.Tag]? {
        guard let value else { return [] }
        guard case .array(let tags) = value else { return nil }
        let read = tags.map { tag in tag.elements.compactMap(\.string) }
        guard zip(tags, read).allSatisfy({ $0.elements.count == $1.count && !$1.isEmpty }) else { return nil }
        return read.map { Tag($0) }
    }
}

extension GiftRejection {
    /// What is wrong, for a person; never the content itself.
    fileprivate var reason: String {
        switch self {
        case .notAGiftWrap: "no gift wrap"
        case .tooLarge: "larger than we read"
        case .notForUs: "not for this key, or damaged"
        case .notASeal: "there is no seal in it"
        case .forgedSeal: "the id or signature of the seal is wrong"
        case .taggedSeal: "the seal has tags"
        case .notARumor: "there is no event in the seal, or it is damaged"
        case .impersonation: "the event is not by the one who sealed it"
        case .wrongRumorID: "the id is not the hash of the event"
        }
    }
}
