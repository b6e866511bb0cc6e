public import NostrCore
public import NostrNIPs

/// A poll that a note is, with how it stands as far as is known here.
public enum NotePoll: Hashable, Sendable {
    /// A poll that is answered by votes (NIP-88).
    case votes(PollStanding)
    /// A poll that is answered by paying.
    case zaps(ZapPollStanding)
}

/// How a poll stands.
public struct PollStanding: Hashable, Sendable {
    /// The poll.
    public let poll: Poll
    /// The votes of everybody but those the account has muted.
    public let everyone: PollTally
    /// The votes of people the account follows, and its own.
    public let followed: PollTally
    /// What the account itself chose, by identifier; empty where it has no vote that counts.
    public let own: [String]
    /// Whether the account's last vote was refused by every relay, and so does not count.
    public let isOwnRefused: Bool
    /// How far the account's last vote has come; `nil` where it has none that was published from here.
    public let delivery: Note.Acceptance?

    /// A standing whose parts are known.
    public init(
        poll: Poll, everyone: PollTally = PollTally(), followed: PollTally = PollTally(), own: [String] = [],
        isOwnRefused: Bool = false, delivery: Note.Acceptance? = nil
    ) {
        self.poll = poll
        self.everyone = everyone
        self.followed = followed
        self.own = own
        self.isOwnRefused = isOwnRefused
        self.delivery = delivery
    }
}

/// Whose votes are counted.
///
/// Source: NIP-88, "Curation".
public enum PollVoters: Hashable, Sendable {
    /// Everybody but those the account has muted.
    case everyone
    /// The people the account follows, and itself.
    case followed
    /// Certain people, such as those of a follow set (kind 30000).
    case people(Set<PublicKey>)
    /// Whoever put so many bits of work (NIP-13) into their last vote.
    case work(bits: Int)
}

/// How a zap poll stands.
public struct ZapPollStanding: Hashable, Sendable {
    /// The poll.
    public let poll: ZapPoll
    /// What was paid, from receipts that count.
    public let tally: ZapPollTally

    /// A standing whose parts are known.
    public init(poll: ZapPoll, tally: ZapPollTally = ZapPollTally()) {
        self.poll = poll
        self.tally = tally
    }
}

/// A poll as a person means to publish it.
public struct NewPoll: Hashable, Sendable {
    /// What is asked.
    public var question: String
    /// The answers, two to ten that differ.
    public var options: [String]
    /// How many a person may choose.
    public var choice: Poll.Choice
    /// The last second in which a vote counts; `nil` for a poll without end.
    public var endsAt: Timestamp?
    /// Where votes are to be published; empty for where the account writes.
    public var relays: [RelayURL]

    /// A poll; without relays, votes go to where the account writes.
    public init(
        question: String, options: [String], choice: Poll.Choice = .single, endsAt: Timestamp? = nil,
        relays: [RelayURL] = []
    ) {
        self.question = question
        self.options = options
        self.choice = choice
        self.endsAt = endsAt
        self.relays = relays
    }
}

/// Polls, as screens use them; implemented by ``Polls``.
///
/// How one stands is part of its ``Note``.
public protocol Polling: Sendable {
    /// Votes, or changes an earlier vote.
    ///
    /// - Parameter options: the identifiers of what was chosen; exactly one where the poll takes only one.
    /// - Throws: ``AccountError`` with the code `unknownEvent`, `pollEnded`, `wrongAnswer` or `readOnly`.
    func vote(_ options: [String], on poll: EventID) async throws -> Event
    /// Publishes a poll.
    ///
    /// - Throws: ``AccountError`` with the code `empty`, `wrongOptions`, `pollEnded` or `readOnly`.
    func publish(_ poll: NewPoll) async throws -> Event
    /// How a poll stands by the votes of some, counted from the store; never with the votes of muted people.
    ///
    /// - Throws: ``AccountError`` with the code `unknownEvent`.
    func tally(of poll: EventID, by voters: PollVoters) async throws -> PollTally
    /// Asks the poll's relays for votes now, and returns when they have answered or their time is over.
    func gather(_ poll: EventID) async throws
}
