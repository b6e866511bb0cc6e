internal import Circles
internal import NostrClient
internal import NostrSigner

/// What went wrong, said so that a person can act on it; never content, never a secret.
public struct Trouble: Error, Equatable, Sendable {
    /// One plain sentence.
    public let sentence: String
    /// Whether trying the same again can help.
    public let canRetry: Bool
    /// Whether there is nothing of the kind that was asked for.
    public let isMissing: Bool

    /// Says it in a whole sentence that a person can act on.
    public init(_ sentence: String, canRetry: Bool = true, isMissing: Bool = false) {
        self.sentence = sentence
        self.canRetry = canRetry
        self.isMissing = isMissing
    }

    /// Any error in words; one that has none of its own is told by the name of its type, never by its description.
    public init(_ error: any Error) {
        switch error {
        case let trouble as Trouble:
            self = trouble
        case SigningFailure.locked:
            self.init(TroubleWords.locked)
        case SigningFailure.readOnly:
            self.init(TroubleWords.readOnly, canRetry: false)
        case SigningFailure.refused:
            self.init(TroubleWords.refused, canRetry: false)
        case SigningFailure.timedOut:
            self.init(TroubleWords.timedOut)
        case SigningFailure.cannotEncrypt:
            self.init(TroubleWords.cannotEncrypt, canRetry: false)
        case let failure as SigningFailure:
            self.init(failure.sentence)
        case let refusal as MessagingError:
            self.init(refusal.sentence, canRetry: [.locked, .tooManyWaiting].contains(refusal.code))
        case let refusal as CircleError:
            self.init(
                refusal.sentence, canRetry: refusal.canRetry,
                isMissing: refusal.code == .unknownCircle)
        case let refusal as AccountError:
            self.init(refusal.sentence, canRetry: refusal.canRetry)
        case let refusal as SigningServiceError:
            self.init(refusal.sentence, canRetry: refusal.canRetry)
        case let problem as MediaProblem:
            self.init(problem.sentence, canRetry: false)
        case is CancellationError:
            self.init(TroubleWords.stopped)
        case let spoken as any SpokenError:
            self.init(spoken.sentence)
        default:
            self.init(TroubleWords.unknown("\(type(of: error))"))
        }
    }
}

/// How far a screen has come.
public enum Phase: Equatable, Sendable {
    /// Waiting for the first answer.
    case loading
    /// Something to show.
    case ready
    /// Nothing to show, and why.
    case failed(Trouble)
}

/// Does something, and says what an error of it means.
public func troubled<Value>(_ body: () async throws -> Value) async throws(Trouble) -> Value {
    do { return try await body() } catch { throw Trouble(error) }
}
