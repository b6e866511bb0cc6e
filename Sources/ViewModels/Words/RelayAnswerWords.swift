public import NostrClient
internal import NostrCore
public import NostrRelay

// What relays answered, or why they did not, as phrases that stand behind a colon.

extension PublishAnswer {
    /// The answer as a phrase.
    public var words: String {
        switch self {
        case .outcome(let outcome): outcome.words
        case .said(let words): words
        }
    }

    /// Why no further attempt is made, as a phrase.
    ///
    /// - Parameter attempts: how often the event was offered.
    public func words(givenUpAfter attempts: Int) -> String {
        attempts > 1 ? "\(words); tried \(attempts) times" : words
    }
}

extension PublishOutcome {
    fileprivate var words: String {
        switch self {
        case .accepted(let reason): reason.text.isEmpty && reason.prefix == nil ? "accepted" : reason.description
        case .rejected(let reason): reason.description.isEmpty ? "refused without a reason" : reason.description
        case .tooLong(let limit): "it is longer than the \(limit) bytes that the relay takes"
        case .unauthenticated(let why): why.words
        case .timedOut: "no answer in time"
        case .failed(let failure): failure.words
        case .blocked: NotAsked.blocked.words
        case .shuttingDown: NotAsked.shuttingDown.words
        }
    }
}

extension RelayEnding {
    /// Why a relay did not say all it has, as a phrase; `nil` where it did.
    var words: String? {
        switch self {
        case .complete: nil
        case .deadline: TransportFailure.timedOut.words
        case .closed(let reason): RelayProblem.closed(reason).words
        case .unauthenticated(let why): why.words
        case .failed(let failure): failure.words
        case .notAsked(let why): why.words
        }
    }
}

extension NotAsked {
    /// Why a relay was not asked, as a phrase.
    var words: String {
        switch self {
        case .blocked: "you block this relay"
        case .distrusted(let distrust):
            "not trusted for now: \(distrust.bad) of \(distrust.all) messages were forged, unasked for or unreadable"
        case .failedBefore(let failure): "it failed a moment ago: \(failure.words)"
        case .tooManySubscriptions: "it does not answer more requests at once"
        case .noFreeConnection: "too many other relays were being asked"
        case .shuttingDown: "Linnet was shutting down"
        }
    }
}

extension AuthenticationFailure {
    /// Why a relay does not know who we are, as a phrase.
    var words: String {
        switch self {
        case .notSigned: "the relay wants to know who you are and was not told"
        case .noAnswer: "the relay did not answer when told who you are"
        case .noChallenge: "the relay wants to know who you are and does not say how to prove it"
        }
    }
}

extension TransportFailure {
    /// Why a relay is not reached, as a phrase.
    public var words: String {
        switch self {
        case .nameNotFound: "the relay's name is not known"
        case .refused: "the relay refused the connection"
        case .unreachable: "the relay cannot be reached"
        case .privateAddress: "the relay is in a private network, and you did not name it"
        case .blocked: NotAsked.blocked.words
        case .timedOut: "the relay did not answer in time"
        case .certificate(.wrongHost): "the relay's certificate is for another host"
        case .certificate(.untrusted): "the relay's certificate is not trusted"
        case .certificate(.handshakeFailed): "no encryption could be agreed on with the relay"
        case .handshake(let status): "the relay answered with status \(status)"
        case .closed(let code?): "the relay closed the connection (code \(code))"
        case .closed(nil): "the relay closed the connection"
        case .frameTooLong(let limit): "the relay sent more than \(limit) bytes at once"
        case .io: "the connection broke"
        }
    }
}

extension RelayProblem {
    /// What went wrong last, as a phrase.
    var words: String {
        switch self {
        case .failure(let failure): failure.words
        case .notice(let text): "the relay says: \(text)"
        case .closed(let reason) where reason.prefix == .authRequired: "the relay answers only people it knows"
        case .closed(let reason): "the relay refused a request: \(reason)"
        }
    }

    /// What went wrong last, as a sentence.
    var sentence: String {
        switch self {
        case .failure(let failure): "It cannot be reached: \(failure.words)."
        case .notice(let text): "It says: \(text)"
        case .closed(let reason): "It refuses: \(reason.text)"
        }
    }
}
