internal import NostrCore
internal import NostrNIPs

/// Words about polls.
public enum PollWords {
    static let hasEnded = "This poll has ended. No vote counts any more."
    static let wrongAnswer = "Choose one of the answers of this poll first."
    static let wrongOptions = "A poll needs two to ten answers, each different."
    static let noQuestion = "Write what you want to ask."
    static let secretKey = "This contains a secret key. Remove it."
    /// What is said after a vote.
    public static let voted = "Your vote is on its way."
    /// What is said where no relay took a vote.
    public static let refused = "No relay took your last vote, so it does not count. Try again."
    /// What is said where no relay has a vote yet.
    public static let onItsWay = "No relay has your vote yet. It is offered until one does."
    /// What is said where there is no such poll.
    public static let unknown = "This poll was not found on the relays that were asked."
    /// What is said about paying.
    public static let payingComes = "Votes are payments. Linnet shows them; it does not pay."

    // Whose votes are counted

    static let everyone = "Everyone"
    static let followed = "People you follow"
    static let unnamedSet = "A list without a name"
    static let noSet = "Nobody is on this list, so no vote counts here."
    static let lockedSet = "The private part of this list is locked: votes of the people there do not count here."
    static let unreadableSet =
        "The private part of this list cannot be read: votes of the people there do not count here."

    /// A choice of work that votes need.
    static func work(_ bits: Int) -> String { "Work of \(bits) \(bits == 1 ? "bit" : "bits")" }

    /// What such work is.
    static func aboutWork(_ bits: Int) -> String {
        let attempts = ProofOfWork.expectedHashes(bits: bits)
        let words = InvoiceWords.grouped(Int64(attempts))
        return
            "Only votes that cost their voter work count here (NIP-13), about \(words) attempts each: casting many is expensive."
    }

    /// How many people voted.
    static func voters(_ count: Int) -> String {
        switch count {
        case 0: "No votes yet"
        case 1: "1 person voted"
        default: "\(count) people voted"
        }
    }

    /// How many votes count where those of others do not.
    static func counting(_ count: Int) -> String {
        switch count {
        case 0: "No vote counts here yet"
        case 1: "1 vote counts here"
        default: "\(count) votes count here"
        }
    }

    /// How many people paid.
    static func payers(_ count: Int) -> String {
        switch count {
        case 0: "Nobody paid yet"
        case 1: "1 person paid"
        default: "\(count) people paid"
        }
    }

    /// How many chose one answer.
    public static func votes(_ count: Int) -> String { count == 1 ? "1 vote" : "\(count) votes" }

    /// An answer that says nothing.
    static func unnamed(_ number: Int) -> String { "Answer \(number)" }

    /// Until when votes count.
    static func end(_ end: Timestamp?, now: Timestamp) -> String {
        guard let end else { return "no end" }
        let (left, overflow) = end.seconds.subtractingReportingOverflow(now.seconds)
        if end < now { return "ended" }
        if overflow { return "no end" }
        switch left {
        case ..<60: return "ends within a minute"
        case ..<3600: return "ends in \(counted(left / 60, "minute"))"
        case ..<86_400: return "ends in \(counted(left / 3600, "hour"))"
        default: return "ends in \(counted(left / 86_400, "day"))"
        }
    }

    /// What a payment must be to count; `nil` for anything.
    static func limits(_ minimum: Int64?, _ maximum: Int64?) -> String? {
        switch (minimum.map(sats), maximum.map(sats)) {
        case (nil, nil): nil
        case (let least?, nil): "\(least) or more"
        case (nil, let most?): "\(most) or less"
        case (let least?, let most?): least == most ? "\(least) exactly" : "\(least) to \(most)"
        }
    }

    /// What share decides, and who has reached it.
    static func consensus(_ threshold: Int, winner: String?) -> String {
        let rule = "\(threshold)% of the money decides"
        return winner.map { "\(rule): “\($0)” has it" } ?? "\(rule); no answer has it so far"
    }

    // How long a poll lasts, as a choice

    static func lasts(_ time: PollLasting) -> String {
        switch time {
        case .hour: "an hour"
        case .day: "a day"
        case .threeDays: "three days"
        case .week: "a week"
        case .month: "thirty days"
        case .forever: "without end"
        }
    }

    private static func counted(_ number: Int64, _ unit: String) -> String {
        number == 1 ? "1 \(unit)" : "\(number) \(unit)s"
    }

    private static func sats(_ number: Int64) -> String {
        let (product, isTooMuch) = number.multipliedReportingOverflow(by: 1000)
        return InvoiceWords.amount(isTooMuch ? .max : product)
    }
}

extension PollLasting {
    /// What it is called in a choice.
    public var label: String { PollWords.lasts(self) }
}
