internal import NostrCore
internal import NostrStore

/// What a question may still cost: time for which it reads the store, and time for which it waits for its turns.
struct QuestionBudget: Hashable {
    /// How long it may read, in all its turns.
    var reading: Duration
    /// How long it may wait for turns, all together.
    var waiting: Duration

    init(_ limits: RelayLimits) {
        (reading, waiting) = (limits.readingTime, limits.turnDeadline)
    }

    /// What a turn of it is told that has gone on for some time.
    ///
    /// - Parameter slice: after which others are let read.
    func sign(after time: Duration, slice: Duration) -> ReadingLimit.Sign {
        if time >= reading { return .stop }
        return time >= slice ? .pause : .goOn
    }
}

/// Why a question ended without its answer.
enum QuestionEnding: Error, Hashable {
    /// Nobody waits for the answer any more.
    case withdrawn
    /// It would have read for too long.
    case tooCostly
    /// It waited too long for a turn.
    case late

    /// What the client hears, if it still waits.
    var reason: Reason {
        switch self {
        case .withdrawn: Reason(.error, "the question was withdrawn")
        case .tooCostly: Reason(.error, "this takes too long to answer; ask for less")
        case .late: Reason(.rateLimited, "too many questions wait here; ask again later")
        }
    }
}
