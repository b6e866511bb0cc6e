public import NostrCore

/// A payment that was checked, as a vote in a zap poll.
public struct ZapVote: Hashable, Sendable {
    /// Who paid: a key made for this payment alone where they do not say who they are.
    public let sender: PublicKey
    /// The number of the answer.
    public let option: Int
    /// How much, in thousandths of a satoshi.
    public let millisatoshis: Int64
    /// When it was paid.
    public let paidAt: Timestamp

    /// A vote whose facts are known.
    public init(sender: PublicKey, option: Int, millisatoshis: Int64, paidAt: Timestamp) {
        self.sender = sender
        self.option = option
        self.millisatoshis = millisatoshis
        self.paidAt = paidAt
    }

    /// Whether it counts where another of the same person does: the later one, at the same second the larger sum, then
    /// the answer with the smaller number.
    fileprivate func outdoes(_ other: ZapVote) -> Bool {
        if paidAt != other.paidAt { return paidAt > other.paidAt }
        return (millisatoshis, other.option) > (other.millisatoshis, option)
    }
}

/// How a zap poll stands.
public struct ZapPollTally: Hashable, Sendable {
    /// What was paid for each answer, in thousandths of a satoshi, by its number; answers without any are missing.
    public private(set) var millisatoshis: [Int: Int64] = [:]
    /// How many people's payments count.
    public private(set) var voters = 0
    /// The answer whose share has reached the poll's threshold; `nil` where none has, two are even, or the poll names
    /// none.
    public private(set) var consensus: Int?

    /// An empty one.
    public init() {}

    /// Counts payments: of each person the last of those that keep the poll's rules.
    ///
    /// - Parameter votes: from receipts that were checked; nothing is checked here but what the poll itself asks.
    public init(of poll: ZapPoll, _ votes: some Sequence<ZapVote>) {
        let known = Set(poll.options.map(\.index))
        var counted: [PublicKey: ZapVote] = [:]
        for vote in votes where known.contains(vote.option) && Self.isWithin(vote, poll) {
            if let other = counted[vote.sender], !vote.outdoes(other) { continue }
            counted[vote.sender] = vote
        }
        voters = counted.count
        for vote in counted.values {
            millisatoshis[vote.option] = Self.sum(millisatoshis[vote.option] ?? 0, vote.millisatoshis)
        }
        consensus = poll.threshold.flatMap(leader)
    }

    /// All of it together, in thousandths of a satoshi.
    public var total: Int64 { millisatoshis.values.reduce(0, Self.sum) }

    private func leader(reaching threshold: Int) -> Int? {
        let total = Double(total)
        guard total > 0, let most = millisatoshis.values.max() else { return nil }
        let leaders = millisatoshis.filter { $0.value == most }
        guard leaders.count == 1, Double(most) * 100 >= Double(threshold) * total else { return nil }
        return leaders.keys.first
    }

    private static func isWithin(_ vote: ZapVote, _ poll: ZapPoll) -> Bool {
        guard vote.millisatoshis > 0, poll.closedAt.map({ vote.paidAt <= $0 }) ?? true else { return false }
        // Rounded down: a limit is said in whole satoshis.
        let sats = vote.millisatoshis / 1000
        let isEnough = poll.minimum.map { sats >= $0 } ?? true
        let isExact = vote.millisatoshis % 1000 == 0
        return isEnough && (poll.maximum.map { sats < $0 || sats == $0 && isExact } ?? true)
    }

    /// No sum goes beyond all the money there is.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
