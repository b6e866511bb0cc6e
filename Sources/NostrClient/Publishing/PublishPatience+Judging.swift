internal import NostrCore
internal import NostrRelay

extension PublishPatience {
    /// How long an event waits for the person, or for what signs for them, before the relay is asked whether it still
    /// wants to know; it asks anew then, should its question have been lost.
    private static let waitForPerson: Duration = .seconds(86_400)

    /// What becomes of a target after an answer; the end of our own pool is none.
    func judge(
        _ outcome: PublishOutcome, target: Delivery.Target, queuedAt: Timestamp, now: Timestamp, jitter: Double,
        standing: ConsentStanding
    ) -> Delivery.Target {
        if outcome == .shuttingDown { return target }
        var judged = target
        let answer = PublishAnswer.outcome(outcome)
        judged.lastAnswer = answer
        let attempts = target.attempts + 1
        if case .accepted = outcome {
            judged.state = .accepted(now)
            return judged
        }
        if outcome.waitsForAnswer(standing) {
            // The answer makes it due; at least one attempt marks it as one that waits for a relay.
            judged.state = .waiting(attempts: max(target.attempts, 1), next: now + Self.waitForPerson)
            return judged
        }
        if outcome.wantsAuthentication, standing == .refused {
            judged.state = .givenUp(answer, attempts: attempts)
            return judged
        }
        let limit = target.purpose == .ownWrite ? ownRelays : otherRelays
        let next = now + wait(after: attempts, jitter: jitter)
        let isOver = outcome.isFinal || outcome.isRejected && attempts >= refusals || next > queuedAt + limit
        judged.state = isOver ? .givenUp(answer, attempts: attempts) : .waiting(attempts: attempts, next: next)
        return judged
    }

    /// The wait after a number of attempts: doubled each time up to the longest, ± 25 %, at least a second.
    func wait(after attempts: Int, jitter: Double) -> Duration {
        let doubled = firstWait * (1 << min(max(attempts - 1, 0), 20))
        let scaled = min(doubled, longestWait) * (0.75 + min(max(jitter, 0), 1) * 0.5)
        return max(scaled, .seconds(1))
    }
}

extension Delivery.Target {
    var attempts: Int {
        if case .waiting(let attempts, _) = state { attempts } else { 0 }
    }
}

extension PublishOutcome {
    /// Whether the relay may take the same event once the person has answered it, or what signs for them is there.
    fileprivate func waitsForAnswer(_ standing: ConsentStanding) -> Bool {
        switch standing {
        case .undecided: wantsAuthentication
        case .allowed: self == .unauthenticated(.notSigned)
        case .refused: false
        }
    }

    /// Whether offering the same event again cannot help.
    fileprivate var isFinal: Bool {
        switch self {
        case .rejected(let reason): reason.isFinal
        case .tooLong, .blocked: true
        case .accepted, .unauthenticated, .timedOut, .failed, .shuttingDown: false
        }
    }

    /// Whether it was refused, which is tried less often than a relay that does not answer.
    fileprivate var isRejected: Bool {
        switch self {
        case .rejected, .tooLong, .unauthenticated, .blocked: true
        case .accepted, .timedOut, .failed, .shuttingDown: false
        }
    }
}

extension Reason {
    /// Whether offering the same event again cannot help.
    fileprivate var isFinal: Bool {
        switch prefix {
        case .invalid, .blocked, .restricted, .pow, .mute, .unsupported: true
        case .duplicate, .rateLimited, .error, .authRequired, nil: false
        }
    }
}
