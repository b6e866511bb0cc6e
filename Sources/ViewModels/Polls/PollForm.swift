public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A poll as a person writes it.
public struct PollForm: Hashable, Sendable {

    /// What is asked.
    public var question: String
    /// The answers; empty ones are left out.
    public var options: [String]
    /// Whether a person may choose more than one.
    public var isMultiple: Bool
    /// How long it lasts.
    public var lasting: PollLasting

    /// The most answers there are fields for.
    public static let most = 10

    /// A form as it was filled in; so many answers at most, each cut to what fits on a line.
    public init(question: String = "", options: [String] = [], isMultiple: Bool = false, lasting: PollLasting = .day) {
        self.question = question
        self.options = options.prefix(Self.most).map { oneLine($0, limit: 200) }
        self.isMultiple = isMultiple
        self.lasting = lasting
    }

    /// Publishes it.
    ///
    /// - Returns: the poll.
    public func publish(now: Timestamp, of account: any Account) async throws(Trouble) -> EventID {
        guard let polls = account.polls else { throw Trouble(TroubleWords.readOnly, canRetry: false) }
        guard question.contains(where: { !$0.isWhitespace }) else { throw Trouble(PollWords.noQuestion) }
        // Also one that was mistyped; what is published looks for whole ones.
        guard !([question] + options).contains(where: holdsSecretKey) else { throw Trouble(PollWords.secretKey) }
        let poll = NewPoll(
            question: question, options: options, choice: isMultiple ? .multiple : .single,
            endsAt: lasting.end(after: now))
        return try await troubled { try await polls.publish(poll).id }
    }
}

/// The account's vote in a poll.
public struct PollVote: Hashable, Sendable {
    /// The identifiers of what was chosen.
    public let options: [String]

    /// - Parameter options: as the form sent them; the poll says which of them count.
    public init(_ options: [String]) { self.options = options }

    /// Votes, or changes an earlier vote.
    public func cast(in poll: EventID, of account: any Account) async throws(Trouble) {
        guard let polls = account.polls else { throw Trouble(TroubleWords.readOnly, canRetry: false) }
        try await troubled { _ = try await polls.vote(options, on: poll) }
    }
}
