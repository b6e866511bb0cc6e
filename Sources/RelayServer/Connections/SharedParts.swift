internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrStore

/// What all connections of one relay share.
struct SharedParts: Sendable {
    let store: any EventStore
    let policies: RelayPolicies
    let limits: RelayLimits
    let challengesAtOnce: Bool
    let time: Time<Timestamp>
    let makeChallenge: @Sendable () -> String
    /// For each frame that a socket is to take.
    let sendDeadline: CommonDeadline
    let lanes: ReadingLanes
    let forgeries: ForgeryLimit
    let verification = VerificationQueue()
    let waiting = WaitingBytes()
    let log: Logger

    /// What a client hears when the store fails; the log has the code and the file, which are no client's business.
    func reason(for error: any Error) -> Reason {
        let failure = error as? StoreError
        log.error(
            "store failed",
            metadata: ["why": "\(failure?.code.rawValue ?? "\(type(of: error))")", "file": "\(failure?.file ?? "")"])
        return Reason(.error, "the relay could not use its store")
    }
}
