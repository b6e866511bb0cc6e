internal import NostrCore
internal import NostrRelay

extension PublishPatience {
    /// What becomes of a target after an answer.
    func judge(
        _ outcome: PublishOutcome, target: Delivery.Target, queuedAt: Timestamp, now: Timestamp, jitter: Double
    ) -> Delivery.Target {
        var judged = target
        judged.lastAnswer = outcome.words
        let attempts = target.attempts + 1
        switch outcome {
        case .accepted:
            judged.state = .accepted(now)
        case .notAsked(let why):
            judged.state = .givenUp(why)
        case .rejected(let reason) where reason.isFinal || attempts >= refusals:
            judged.state = .givenUp(outcome.words)
        case .rejected, .timedOut, .failed:
            let limit = target.purpose == .ownWrite ? ownRelays : otherRelays
            let next = now + wait(after: attempts, jitter: jitter)
            judged.state =
                next > queuedAt + limit
                ? .givenUp("\(outcome.words); tried \(attempts) times") : .waiting(attempts: attempts, next: next)
        }
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

extension Reason {
    /// Whether offering the same event again cannot help.
    var isFinal: Bool {
        switch prefix {
        case .invalid, .blocked, .restricted, .pow, .mute, .unsupported: true
        case .duplicate, .rateLimited, .error, .authRequired, nil: false
        }
    }
}

extension PublishOutcome {
    /// The answer in plain words, without anything of the event.
    var words: String {
        switch self {
        case .accepted(let reason): reason.text.isEmpty && reason.prefix == nil ? "accepted" : reason.description
        case .rejected(let reason): reason.description.isEmpty ? "refused without a reason" : reason.description
        case .timedOut: "no answer in time"
        case .failed(let failure): failure.words
        case .notAsked(let why): why
        }
    }
}

extension TransportFailure {
    /// The failure in plain words.
    var words: String {
        switch self {
        case .nameNotFound: "the relay's name is not known"
        case .refused: "the relay refused the connection"
        case .unreachable: "the relay cannot be reached"
        case .privateAddress: "the relay is in a private network, and you did not name it"
        case .timedOut: "the relay did not answer in time"
        case .certificate: "the relay's certificate is not valid"
        case .handshake(let status): "the relay answered with status \(status)"
        case .closed: "the relay closed the connection"
        case .frameTooLong: "the relay sent too much at once"
        case .io: "the connection broke"
        }
    }
}
