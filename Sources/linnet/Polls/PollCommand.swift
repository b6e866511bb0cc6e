import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet poll`: asking, voting, and how a poll stands.
struct PollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll", abstract: "Make a poll (NIP-88), vote, and see how one stands.",
        discussion: """
            Votes are public and signed: everybody can see who chose what. Each person has one vote and can change it until \
            the end. create and vote print the event they published, results prints one line of JSON.
            """,
        subcommands: [Create.self, Vote.self, Results.self])

    /// `linnet poll create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Publish a poll with two to ten answers.")

        @Argument(help: "What you ask.") var question: String
        @Option(name: [.customShort("o"), .long], help: "An answer; give two to ten.") var option: [String] = []
        @Flag(help: "People may choose several answers.") var multiple = false
        @Option(help: ArgumentHelp("How many hours it lasts; without end when not given.", valueName: "hours"))
        var hours: Int?
        @Option(help: "Where votes are to be published; by default where you write.") var relay: [String] = []
        @OptionGroup var session: AccountSession

        func validate() throws {
            guard hours.map({ (1...87_600).contains($0) }) ?? true else {
                throw ValidationError("--hours takes a number from 1 to 87600.")
            }
        }

        func run() async throws {
            try Secrets.refuse(in: [question] + option)
            let relays = try relay.map { try Reading.relay($0) }
            let poll = NewPoll(
                question: question, options: option, choice: multiple ? .multiple : .single,
                endsAt: hours.map { Timestamp.current + .seconds($0 * 3600) }, relays: relays)
            try await session.run(naming: Set(relays)) { account in
                try await account.report(published: try await account.openPolls().publish(poll))
            }
        }
    }

    /// `linnet poll vote`.
    struct Vote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Vote, or change your vote.")

        @OptionGroup var which: NoteCommand.Which
        @Argument(help: "The answers: their numbers as results lists them, from 1, their identifiers, or their words.")
        var answers: [String]

        func run() async throws {
            try await which.run { [answers] account, id in
                let poll = try await PollCommand.poll(id, of: account)
                let chosen = try answers.map { try PollCommand.identifier($0, in: poll) }
                return try await account.openPolls().vote(chosen, on: id)
            }
        }
    }

    /// `linnet poll results`.
    struct Results: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask the poll's relays for votes, and print how it stands.")

        @Option(
            help: ArgumentHelp(
                "Count the votes of some besides: of a set of people (list:NAME), of whom you follow (followed), or those with work in them (work:BITS).",
                valueName: "voters"))
        var by: String?
        @OptionGroup var which: NoteCommand.Which

        func validate() throws {
            guard by.map({ PollVotersChoice(word: $0) != nil }) ?? true else {
                throw ValidationError("--by takes everyone, followed, list:NAME or work:BITS.")
            }
        }

        func run() async throws {
            let pointer = try which.pointer()
            let choice = by.flatMap { PollVotersChoice(word: $0) }
            try await which.session.run { account in
                let isKnown = try await isTrue(within: .seconds(15)) {
                    try await account.timeline.thread(pointer.id, hints: pointer.relays).focus != nil
                }
                guard isKnown else { throw CommandFailure("No relay asked has the poll \(pointer.id.hex).") }
                try await account.openPolls().gather(pointer.id)
                // Receipts are checked with the wallets that signed them, which takes a moment more.
                _ = try await isTrue(within: .seconds(6)) {
                    let focus = try await account.timeline.thread(pointer.id, hints: []).focus
                    guard case .zaps(let standing) = focus?.poll, focus?.zaps.count == 0 else { return true }
                    return standing.tally.voters > 0
                }
                let focus = try await account.timeline.thread(pointer.id, hints: []).focus
                guard let poll = focus?.poll else { throw CommandFailure("\(pointer.id.hex) is not a poll.") }
                Output.line(PollJSON.text(of: poll, try await PollJSON.Curated(poll, by: choice, of: account)))
            }
        }
    }

    /// A poll that is answered by votes.
    static func poll(_ id: EventID, of account: any Account) async throws -> Poll {
        guard case .votes(let standing) = try await account.timeline.thread(id, hints: []).focus?.poll else {
            throw CommandFailure("\(id.hex) is not a poll that takes votes.")
        }
        return standing.poll
    }

    /// The identifier of an answer that is named by its number, its identifier or its words.
    static func identifier(_ text: String, in poll: Poll) throws -> String {
        if let option = poll.options.first(where: { $0.id == text }) { return option.id }
        if let number = Int(text), poll.options.indices.contains(number - 1) { return poll.options[number - 1].id }
        if let option = poll.options.first(where: { $0.label == text }) { return option.id }
        throw CommandFailure("The poll has no answer \(Shown.text(text)).")
    }
}

extension Account {
    /// Voting and making polls.
    ///
    /// - Throws: a ``CommandFailure``.
    func openPolls() throws -> any Polling {
        guard let polls else { throw CommandFailure("This account has no polls.") }
        return polls
    }
}

/// How polls stand, as lines of JSON.
enum PollJSON {
    /// The votes of some, counted besides.
    struct Curated: Sendable {
        let choice: PollVotersChoice
        let count: PollCount

        /// Counts them; `nil` where nobody asked, or votes are payments.
        init?(_ poll: NotePoll, by choice: PollVotersChoice?, of account: any Account) async throws {
            guard let choice, case .votes(let standing) = poll else { return nil }
            self.choice = choice
            count = try await PollCount.load(PollItem(standing), by: choice, of: account)
        }
    }

    static func text(of poll: NotePoll, _ curated: Curated?) -> String {
        switch poll {
        case .votes(let standing): votes(standing, curated).text
        case .zaps(let standing): zaps(standing).text
        }
    }

    private static func votes(_ standing: PollStanding, _ curated: Curated?) -> JSONValue {
        let poll = standing.poll
        var members = [
            JSONMember("poll", .string(poll.id.hex)), JSONMember("type", .string(poll.choice.rawValue)),
            JSONMember("voters", number(standing.everyone.voters)),
            JSONMember("followed_voters", number(standing.followed.voters)),
        ]
        if let end = poll.endsAt { members.append(JSONMember("ends_at", .number("\(end.seconds)"))) }
        let options = poll.options.map { option in
            JSONValue.object([
                JSONMember("id", .string(option.id)), JSONMember("label", .string(option.label)),
                JSONMember("votes", number(standing.everyone.votes[option.id] ?? 0)),
                JSONMember("followed_votes", number(standing.followed.votes[option.id] ?? 0)),
                JSONMember("own", .bool(standing.own.contains(option.id))),
            ])
        }
        members.append(JSONMember("options", .array(options)))
        if standing.isOwnRefused { members.append(JSONMember("own_vote", .string("refused"))) }
        if let curated { members.append(JSONMember("by", counted(curated, poll))) }
        return .object(members)
    }

    private static func counted(_ curated: Curated, _ poll: Poll) -> JSONValue {
        let results = curated.count.results
        var members = [
            JSONMember("of", .string(curated.choice.word)), JSONMember("voters", number(results.voters)),
            JSONMember(
                "options",
                .array(
                    zip(poll.options, results.votes).map { option, votes in
                        .object([JSONMember("id", .string(option.id)), JSONMember("votes", number(votes))])
                    })),
        ]
        if let words = curated.count.explanation { members.append(JSONMember("hint", .string(words))) }
        return .object(members)
    }

    private static func zaps(_ standing: ZapPollStanding) -> JSONValue {
        let (poll, tally) = (standing.poll, standing.tally)
        var members = [
            JSONMember("poll", .string(poll.id.hex)), JSONMember("type", .string("zaps")),
            JSONMember("voters", number(tally.voters)),
        ]
        if let end = poll.closedAt { members.append(JSONMember("ends_at", .number("\(end.seconds)"))) }
        let options = poll.options.map { option in
            JSONValue.object([
                JSONMember("index", number(option.index)), JSONMember("label", .string(option.label)),
                JSONMember("msats", .number("\(tally.millisatoshis[option.index] ?? 0)")),
            ])
        }
        members.append(JSONMember("options", .array(options)))
        if let winner = tally.consensus { members.append(JSONMember("consensus", number(winner))) }
        return .object(members)
    }

    private static func number(_ value: Int) -> JSONValue { .number("\(value)") }
}
