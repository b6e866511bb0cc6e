public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A poll as a screen shows it.
public struct PollItem: Hashable, Sendable {
    /// One answer.
    public struct Option: Hashable, Sendable {
        /// What votes name it by; others' text.
        public let id: String
        /// What it says, on one line.
        public let label: String
        /// Whether the account chose it.
        public let isOwn: Bool
    }

    /// How many chose what.
    public struct Results: Hashable, Sendable {
        /// For each answer, in order, how many chose it.
        public let votes: [Int]
        /// For each answer, in order, how many of a hundred voters chose it.
        public let shares: [Int]
        /// How many people voted.
        public let voters: Int

        init(_ tally: PollTally, of poll: Poll) {
            let votes = poll.options.map { tally.votes[$0.id] ?? 0 }
            self.votes = votes
            voters = tally.voters
            shares = votes.map { share(of: Int64($0), in: Int64(tally.voters)) }
        }
    }

    /// The poll.
    public let id: EventID
    /// The answers, in the author's order.
    public let options: [Option]
    /// Whether a person may choose more than one.
    public let isMultiple: Bool
    /// The last second in which a vote counts; `nil` for a poll without end.
    public let endsAt: Timestamp?
    /// Whether the account has a vote that counts.
    public let hasVoted: Bool
    /// Whether no relay took the account's last vote.
    public let isRefused: Bool
    /// Whether the account's last vote has not reached any relay so far.
    public let isOnItsWay: Bool
    /// How many chose what, of everybody but those the account has muted.
    public let results: Results
    let poll: Poll

    /// Reads what a screen needs.
    public init(_ standing: PollStanding) {
        poll = standing.poll
        id = poll.id
        options = poll.options.enumerated().map { number, option in
            Option(
                id: option.id, label: pollLabel(option.label, number: number),
                isOwn: standing.own.contains(option.id))
        }
        isMultiple = poll.choice == .multiple
        endsAt = poll.endsAt
        hasVoted = !standing.own.isEmpty
        isRefused = standing.isOwnRefused
        isOnItsWay = !standing.isOwnRefused && standing.delivery.map { $0.accepted == 0 } ?? false
        results = Results(standing.everyone, of: poll)
    }

    /// Whether no vote counts any more.
    public func hasEnded(at now: Timestamp) -> Bool { endsAt.map { $0 < now } ?? false }

    /// How many voted, and until when votes count.
    public func standingWords(now: Timestamp) -> String {
        PollWords.voters(results.voters) + " · " + PollWords.end(endsAt, now: now)
    }
}

/// A poll that is answered by paying, as a screen shows it.
public struct ZapPollItem: Hashable, Sendable {
    /// One answer.
    public struct Option: Hashable, Sendable {
        /// What it says, on one line.
        public let label: String
        /// What was paid for it: "2,100 sats".
        public let amount: String
        /// How much of a hundred that is.
        public let share: Int
        /// Whether it has reached the share that the poll asks for.
        public let isConsensus: Bool
    }

    /// The poll.
    public let id: EventID
    /// The answers, in the author's order.
    public let options: [Option]
    /// What a payment must be to count; `nil` for anything.
    public let limits: String?
    /// What share decides, and whether it is reached; `nil` where the poll names none.
    public let consensus: String?
    private let voters: Int
    private let closedAt: Timestamp?

    /// Reads what a screen needs.
    public init(_ standing: ZapPollStanding) {
        let (poll, tally) = (standing.poll, standing.tally)
        id = poll.id
        closedAt = poll.closedAt
        voters = tally.voters
        let total = tally.total
        options = poll.options.enumerated().map { number, option in
            let paid = tally.millisatoshis[option.index] ?? 0
            return Option(
                label: pollLabel(option.label, number: number), amount: InvoiceWords.amount(paid),
                share: share(of: paid, in: total), isConsensus: tally.consensus == option.index)
        }
        limits = PollWords.limits(poll.minimum, poll.maximum)
        let winner = tally.consensus.flatMap { index in poll.options.first { $0.index == index }?.label }
        consensus = poll.threshold.map { PollWords.consensus($0, winner: winner.map { oneLine($0, limit: 80) }) }
    }

    /// How many paid, and until when it counts.
    public func standingWords(now: Timestamp) -> String {
        PollWords.payers(voters) + " · " + PollWords.end(closedAt, now: now)
    }
}

/// An answer on one line; one that says nothing is called by its number.
private func pollLabel(_ text: String, number: Int) -> String {
    let label = oneLine(text, limit: 200)
    return label.isEmpty ? PollWords.unnamed(number + 1) : label
}

/// How many of a hundred, rounded; none where there is nothing to share.
private func share(of part: Int64, in whole: Int64) -> Int {
    guard whole > 0 else { return 0 }
    return min(max(Int((Double(part) * 100 / Double(whole)).rounded()), 0), 100)
}
